import type { PostalForm } from './postal-codes.ts';
import type { RegionOption } from './region-lists.ts';

export type PostalCodeName = 'postal' | 'zip' | 'postcode' | 'pin' | 'cep';
export type RegionName =
  | 'either'
  | 'state'
  | 'province'
  | 'prefecture'
  | 'county'
  | 'emirate'
  | 'region'
  | 'department';

/** Address fields that a country uses. */
export type AddressRule = {
  /** Type of the postal code. `null` if the country has no postal codes. */
  readonly postalCode: PostalCodeName | null;
  /** Format of the postal code. `null` if unknown. */
  readonly postalForm: PostalForm | null;
  /** Type of the region, such as state or province. `null` if addresses have no region. */
  readonly region: RegionName | null;
  /** Options for the region. `null` if the region is entered as text. */
  readonly regions: readonly RegionOption[] | null;
  /** True if companies in the country have a tax ID. */
  readonly hasTaxNumber: boolean;
};

/** Address fields before a country is selected: all fields that a country can have. */
export const anyAddress: AddressRule = {
  postalCode: 'postal',
  postalForm: null,
  region: 'either',
  regions: null,
  hasTaxNumber: true,
};
