import { checkVAT, countries } from 'jsvat-next';
import table from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' };
import { unionMembers } from '../../domain/european-union.ts';
import { type StandardRates, type TaxTables, taxByTables } from '../../domain/tax.ts';
import { regionCode } from './rules.ts';

/** An entry of the table: a rate as a share of 1, and what it was before certain instants. */
type Rate = {
  readonly type: string;
  readonly rate: number;
  readonly before?: { readonly [until: string]: Rate };
};
type Country = Rate & { readonly states?: { readonly [region: string]: Rate } };

const countryRates: ReadonlyMap<string, Country> = new Map(Object.entries(table as Record<string, Country>));

/** The entry in force at an instant: the earliest of those that ended after it, else the present one. */
function rateAt(entry: Rate, at: Date): Rate {
  const ended = Object.entries(entry.before ?? {}).filter(([until]) => at < new Date(until));
  return ended.toSorted(([a], [b]) => new Date(a).getTime() - new Date(b).getTime())[0]?.[1] ?? entry;
}

const ppmOf = ({ rate }: Rate): number => Math.round(rate * 1_000_000);

/** Harmonized rates, and parts of a country that are outside its tax, which the table takes off the country's rate. */
const isJoint = ({ type, rate }: Rate): boolean => type === 'hst' || rate < 0;

function standardRates(country: string, region: string | null, at: Date): StandardRates | null {
  const entry = countryRates.get(country);
  if (entry === undefined) return null;
  const part = region === null ? undefined : entry.states?.[region];
  const regional = part === undefined ? null : rateAt(part, at);
  return {
    nationalPpm: ppmOf(rateAt(entry, at)),
    regional: regional === null ? null : { ppm: ppmOf(regional), isJoint: isJoint(regional) },
  };
}

/** Greece writes another prefix than its code. */
const prefixOf = (country: string): string => (country === 'GR' ? 'EL' : country);

function isBusinessId(country: string, taxDocument: string): boolean {
  const rules = countries.filter(({ codes }) => codes.includes(country));
  if (!unionMembers.has(country) || rules.length === 0) return false;
  const text = taxDocument.toUpperCase().replaceAll(/[^A-Z0-9+*]/g, '');
  const named = [...unionMembers].find((member) => text.startsWith(prefixOf(member)));
  if (named !== undefined && named !== country) return false;
  return checkVAT(text, rules).isValid || checkVAT(`${prefixOf(country)}${text}`, rules).isValid;
}

const taxNames: { readonly [type: string]: string } = { vat: 'VAT', gst: 'GST', hst: 'HST', igic: 'IGIC' };

/**
 * What the tax of a country, or of one of its regions, is called in English: `VAT`, `GST`, `Sales tax`. `Tax` where several are added up or the
 * tables do not say.
 */
export function taxName(country: string, region: string | null): string {
  if (country === 'US') return 'Sales tax';
  const entry = countryRates.get(country);
  const part = region === null ? undefined : entry?.states?.[region];
  return taxNames[(part ?? entry)?.type ?? ''] ?? 'Tax';
}

/** Standard rates of value added, goods and services, and sales taxes, with their past ones, and the check digits of business tax ids. */
export const taxTables: TaxTables = { standardRates, regionCode, isBusinessId };

/** The tax computation of the product. */
export const computeTax = taxByTables(taxTables);
