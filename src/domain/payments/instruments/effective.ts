// Effective properties of an instrument (INS-3), and the check whether it fits a charge (INS-5).
import type { Instrument } from './instrument.ts';

/** Restrictions by an adapter, an account, or an organization. Restrictions can only remove, tighten, or lengthen. */
export type Narrowing = {
  readonly currencies?: readonly string[];
  readonly countries?: readonly string[];
  readonly offSession?: false;
  readonly partialRefund?: false;
  /** Latest number of business days until the result. */
  readonly latest?: number;
  readonly noticeDays?: number;
  readonly limits?: Instrument['limits'];
};

const common = (own: readonly string[] | null, more: readonly string[] | undefined) =>
  more === undefined ? own : own === null ? more : own.filter((one) => more.includes(one));

const larger = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const smaller = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;

function narrowedLimits(own: Instrument['limits'], more: Instrument['limits']): Instrument['limits'] {
  const currencies = new Set([...Object.keys(own), ...Object.keys(more)]);
  return Object.fromEntries(
    [...currencies].map((currency) => {
      const least = larger(own[currency]?.least, more[currency]?.least);
      const most = smaller(own[currency]?.most, more[currency]?.most);
      return [
        currency,
        { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) },
      ];
    }),
  );
}

/** Returns the properties of an instrument after a restriction. */
export const narrowed = (own: Instrument, by: Narrowing): Instrument => ({
  ...own,
  currencies: common(own.currencies, by.currencies),
  countries: common(own.countries, by.countries),
  offSession: own.offSession && by.offSession !== false,
  refund: { ...own.refund, partial: own.refund.partial && by.partialRefund !== false },
  confirmation: { ...own.confirmation, latest: Math.max(own.confirmation.latest, by.latest ?? 0) },
  notice: own.notice === null ? null : { ...own.notice, days: Math.max(own.notice.days, by.noticeDays ?? 0) },
  limits: narrowedLimits(own.limits, by.limits ?? {}),
});

/** Charge to make with an instrument. */
type Charge = {
  readonly currency: string;
  /** Country of the billing address. `null` if it's unknown. */
  readonly country: string | null;
  /** Amount in the smallest unit of the currency. `null` if nothing is charged yet. */
  readonly amountMinor: bigint | null;
};

/** Reason why an instrument doesn't fit a charge. */
export type Misfit = 'instrument_not_available' | 'currency_not_supported' | 'amount_out_of_range';

/** Returns the reason why an instrument doesn't fit a charge. `null` if it fits. */
export function misfitOf(
  { currencies, countries, limits }: Instrument,
  { currency, country, amountMinor }: Charge,
): Misfit | null {
  if (currencies !== null && !currencies.includes(currency)) return 'currency_not_supported';
  if (countries !== null && country !== null && !countries.includes(country))
    return 'instrument_not_available';
  const { least, most } = limits[currency] ?? {};
  if (amountMinor === null) return null;
  const isOut = (least !== undefined && amountMinor < least) || (most !== undefined && amountMinor > most);
  return isOut ? 'amount_out_of_range' : null;
}
