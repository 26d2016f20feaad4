import { unionMembers } from '../domain/european-union.ts';

/** What a tax on sales is called: value added tax, goods and services tax, sales tax, consumption tax, or none of these. */
export type TaxName = 'vat' | 'gst' | 'sales' | 'consumption' | 'other';

const valueAdded = new Set(
  'AE AL AM AR AZ BA BH BO BY CH CL CN CO CR DO EC EG GB GE GH GT HN ID IL IS KE KR KZ LI MA MC MD ME MK MX NG NI NO OM PE PH PY RS RU SA SV TH TN TR TW UA UG UY UZ VE VN ZA'.split(
    ' ',
  ),
);
const goodsAndServices = new Set('AU CA IN MV NZ PG SG'.split(' '));

/** The name of the tax of a country; null for nobody's. */
export function taxName(country: string | null): TaxName {
  if (country === null) return 'other';
  if (unionMembers.has(country) || valueAdded.has(country)) return 'vat';
  if (goodsAndServices.has(country)) return 'gst';
  return country === 'US' ? 'sales' : country === 'JP' ? 'consumption' : 'other';
}
