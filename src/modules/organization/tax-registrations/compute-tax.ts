import { checkVAT, countries } from 'jsvat-next';
import table from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' };
import { unionMembers } from '../../../domain/tax/european-union.ts';
import { type StandardRates, type TaxTables, taxByTables } from '../../../domain/tax/tax.ts';
import { regionCode } from './rules.ts';

/** Rate table entry: the current rate as a fraction of 1, and earlier rates by their end time. */
type Rate = {
  readonly type: string;
  readonly rate: number;
  readonly before?: { readonly [until: string]: Rate };
};
type Country = Rate & { readonly states?: { readonly [region: string]: Rate } };

const countryRates: ReadonlyMap<string, Country> = new Map(Object.entries(table as Record<string, Country>));

/** Returns the rate that applied at a given time: the earliest rate that ended after this time, or the current rate if there's no such rate. */
function rateAt(entry: Rate, at: Date): Rate {
  const ended = Object.entries(entry.before ?? {}).filter(([until]) => at < new Date(until));
  return ended.toSorted(([a], [b]) => new Date(a).getTime() - new Date(b).getTime())[0]?.[1] ?? entry;
}

const ppmOf = ({ rate }: Rate): number => Math.round(rate * 1_000_000);

/**
 * True for a harmonized rate, and for a region where the national tax doesn't apply. The table stores the rate of such
 * a region as a negative difference from the country's rate.
 */
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

/** Returns the prefix for a country's VAT IDs. Only Greece uses a prefix that differs from its country code. */
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
 * Returns the English name of the tax in a country or region: `VAT`, `GST`, or `Sales tax`. `Tax` if several taxes are combined or the
 * table has no name.
 */
export function taxName(country: string, region: string | null): string {
  if (country === 'US') return 'Sales tax';
  const entry = countryRates.get(country);
  const part = region === null ? undefined : entry?.states?.[region];
  return taxNames[(part ?? entry)?.type ?? ''] ?? 'Tax';
}

/** Standard rates for VAT, GST, and sales taxes with their history, and the validation of business tax IDs. */
export const taxTables: TaxTables = { standardRates, regionCode, isBusinessId };

/** Calculates tax with the built-in rate tables. */
export const computeTax = taxByTables(taxTables);
