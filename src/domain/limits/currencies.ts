// Limits with amounts per currency.
import type { LimitRow } from './limit.ts';

/** Converts minor units between currencies at the rate of a time's day, rounded down. Returns `null` if the rate is unknown. */
export type Convert = (amount: bigint, from: string, to: string, at: Date) => bigint | null;

/**
 * Returns a limit in the currency of a customer. The amount of a currency that the limit doesn't list is `null`, until it's converted.
 */
export function inCurrency(limit: LimitRow, currency: string): LimitRow {
  if (limit.amounts.length === 0) return limit;
  const listed = limit.amounts.find((one) => one.currency === currency);
  return { ...limit, currency, amount: listed === undefined ? null : BigInt(listed.amount) };
}

/**
 * Returns the limit with its first amount converted at the start of its window, in milliseconds. `null` if the rate isn't known.
 */
export function converted(limit: LimitRow, openedAt: number, convert: Convert | null): LimitRow | null {
  const [first] = limit.amounts;
  const { currency } = limit;
  if (first === undefined || currency === null || limit.amount !== null) return limit;
  const amount = convert?.(BigInt(first.amount), first.currency, currency, new Date(openedAt)) ?? null;
  return amount === null ? null : { ...limit, amount };
}

/** Returns the currencies in which the first amounts of limits aren't listed, with the currencies of these amounts. */
export const convertedCurrencies = (limits: readonly LimitRow[], currencies: readonly string[]): string[] => [
  ...new Set(
    limits.flatMap(({ amounts }) => {
      const [first] = amounts;
      if (first === undefined) return [];
      const missing = currencies.filter((currency) => !amounts.some((one) => one.currency === currency));
      return missing.length === 0 ? [] : [first.currency, ...missing];
    }),
  ),
];
