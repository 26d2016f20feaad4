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

/** What the fields of an address are in a country. */
export type AddressRule = {
  /** How the postal code is called; null where there is none. */
  readonly postalCode: PostalCodeName | null;
  /** What a postal code looks like; null where that is not known. */
  readonly postalForm: PostalForm | null;
  /** How the state is called; null where addresses have none. */
  readonly region: RegionName | null;
  /** The states to choose from; null where the state is typed. */
  readonly regions: readonly RegionOption[] | null;
  /** Whether companies have a tax number there. */
  readonly hasTaxNumber: boolean;
};

/** What is asked for while no country is chosen: what every country may have. */
export const anyAddress: AddressRule = {
  postalCode: 'postal',
  postalForm: null,
  region: 'either',
  regions: null,
  hasTaxNumber: true,
};
