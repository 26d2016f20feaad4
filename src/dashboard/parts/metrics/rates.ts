import { decimalsOf } from '../../../ui/format/money.ts';

// Number of decimal places in a rate (10,000 = 1.00 in the currency).

const rateDecimals = 4;

/** Converts a rate to minor units of its currency, rounded half away from zero. */
export function minorOf(rate: number, currency: string): number {
  const size = Math.round(Math.abs(rate) / 10 ** (rateDecimals - decimalsOf(currency)));
  return rate < 0 && size > 0 ? -size : size;
}

/** Returns the sum of amounts. `null` if an amount is unknown. */
export const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
