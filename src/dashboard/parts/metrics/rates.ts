import { decimalsOf } from '../../../ui/format/money.ts';

// Amounts of metrics as numbers.

const rateDecimals = 4;

/** A rate as whole minor units of its currency, rounded half away from zero. */
export function minorOf(rate: number, currency: string): number {
  const size = Math.round(Math.abs(rate) / 10 ** (rateDecimals - decimalsOf(currency)));
  return rate < 0 && size > 0 ? -size : size;
}

/** A sum; null where one of the amounts is not known. */
export const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
