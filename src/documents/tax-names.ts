import { unionMembers } from '../domain/tax/european-union.ts';

/** Names of consumption taxes: value added tax (`vat`), goods and services tax (`gst`), sales tax, consumption tax, or another tax. */
export type TaxName = 'vat' | 'gst' | 'sales' | 'consumption' | 'other';

const valueAdded = new Set(
  'AE AL AM AR AZ BA BH BO BY CH CL CN CO CR DO EC EG GB GE GH GT HN ID IL IS KE KR KZ LI MA MC MD ME MK MX NG NI NO OM PE PH PY RS RU SA SV TH TN TR TW UA UG UY UZ VE VN ZA'.split(
    ' ',
  ),
);
const goodsAndServices = new Set('AU CA IN MV NZ PG SG'.split(' '));

/** Returns the name of the tax in a country. `other` if the country is unknown. */
export function taxName(country: string | null): TaxName {
  if (country === null) return 'other';
  if (unionMembers.has(country) || valueAdded.has(country)) return 'vat';
  if (goodsAndServices.has(country)) return 'gst';
  return country === 'US' ? 'sales' : country === 'JP' ? 'consumption' : 'other';
}
