import { type AddressRule, anyAddress, type PostalCodeName, type RegionName } from './address-rule.ts';
import { postalFormOf } from './postal-codes.ts';
import { regionsIn } from './region-lists.ts';

// Address fields by country: their names, and their options if there are any. Loaded when a country is selected.

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

const regionNames: Readonly<Record<string, RegionName>> = Object.fromEntries([
  ...named('state', 'US AU BR IN MX MY NG VE'),
  ...named('province', 'CA AR CN CR CU EC ES ID IT KR NL PA PH TH TR VN ZA'),
  ...named('prefecture', 'JP'),
  ...named('county', 'GB IE TW'),
  ...named('emirate', 'AE'),
  ...named('region', 'CL PE NZ RU UA HK'),
  ...named('department', 'CO UY PY BO GT HN SV NI'),
]);

/** Territories without a tax that requires companies to have a tax ID. */
const withoutTaxNumber = new Set('AI AQ BM BV GS HM IO KY PN TC TF UM VG'.split(' '));

export function addressRuleOf(country: string): AddressRule {
  if (country === '') return anyAddress;
  const regions = regionsIn(country);
  return {
    postalCode: withoutPostalCode.has(country) ? null : (postalCodes[country] ?? 'postal'),
    postalForm: postalFormOf(country),
    region: regionNames[country] ?? null,
    regions: regions.length === 0 ? null : regions,
    hasTaxNumber: !withoutTaxNumber.has(country),
  };
}
