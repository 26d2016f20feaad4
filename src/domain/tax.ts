import { divideRounded } from './money.ts';

/** What tax depends on (BIL-20). */
export type TaxFacts = {
  /** Upper-case ISO country code of the billing address, or null when none is known. */
  readonly country: string | null;
  readonly region: string | null;
  readonly taxDocument: string | null;
  readonly registrations: readonly { readonly country: string; readonly region: string | null; readonly rateBps: number | null }[];
};

/** The rate an invoice is taxed at, in basis points. */
export type TaxRate = { readonly rateBps: number };

/**
 * The rate for a customer: that of the organization's registration for its country, the region's before the country's; 0 without one, and
 * 0 for a registration that names no rate of its own, which the table of standard rates fills when it is there.
 */
export function taxRateFor(facts: TaxFacts): TaxRate {
  if (facts.registrations.length === 0 || facts.country === null) return { rateBps: 0 };
  const ofCountry = facts.registrations.filter(({ country }) => country === facts.country);
  const registration =
    ofCountry.find(({ region }) => region !== null && region === facts.region) ?? ofCountry.find(({ region }) => region === null);
  return { rateBps: registration?.rateBps ?? 0 };
}

/** Tax on a taxable amount, rounded once per invoice (BIL-21); minor units in and out. */
export const taxOn = (taxable: bigint, rate: TaxRate): bigint =>
  rate.rateBps === 0 ? 0n : divideRounded(taxable * BigInt(rate.rateBps), 10_000n);
