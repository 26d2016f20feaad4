// What an address has in each country: how its parts are called, which are missing, which are chosen from a list.

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
  /** How the state is called; null where addresses have none. */
  readonly region: RegionName | null;
  /** Whether its states are chosen from a list, `region-lists.ts`. */
  readonly hasRegionList: boolean;
};

const withoutPostalCode = new Set(
  'AE AG AN AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GM GQ GY HK JM KI KM KN KP LY ML MO MR MW NR NU QA RW SB SC SL SR ST SY TD TF TG TK TL TO TV UG VU YE ZW'.split(
    ' ',
  ),
);

const postalCodes: Readonly<Record<string, PostalCodeName>> = {
  US: 'zip',
  PH: 'zip',
  GB: 'postcode',
  AU: 'postcode',
  NZ: 'postcode',
  IN: 'pin',
  BR: 'cep',
};

const named = (name: RegionName, countries: string): [string, RegionName][] =>
  countries.split(' ').map((country) => [country, name]);

const regions: Readonly<Record<string, RegionName>> = Object.fromEntries([
  ...named('state', 'US AU BR IN MX MY NG VE'),
  ...named('province', 'CA AR CN CR CU EC ES ID IT KR NL PA PH TH TR VN ZA'),
  ...named('prefecture', 'JP'),
  ...named('county', 'GB IE TW'),
  ...named('emirate', 'AE'),
  ...named('region', 'CL PE NZ RU UA HK'),
  ...named('department', 'CO UY PY BO GT HN SV NI'),
]);

/** What the fields of an address are in a country; those every country may have while none is chosen. */
export function addressRuleOf(country: string): AddressRule {
  if (country === '') return { postalCode: 'postal', region: 'either', hasRegionList: false };
  return {
    postalCode: withoutPostalCode.has(country) ? null : (postalCodes[country] ?? 'postal'),
    region: regions[country] ?? null,
    hasRegionList: /^(?:US|CA|AU)$/.test(country),
  };
}
