import { minorPerUnit, rateScale } from '../money/money.ts';

/** Reason why a refill has no price. */
export type NoPrice = 'not_sellable' | 'no_exchange_rate';

/** Price of a fixed refill before tax in minor units, or the reason why the refill can't be purchased. `null` if the refill is a target. */
export type FixedPrice = bigint | NoPrice | null;

/**
 * Returns the amount that lifts an account to a target, in minor units before tax. Rounded up, so that one purchase is
 * sufficient. At least 0.
 */
export function missingMinor(target: bigint, available: bigint, currency: string): bigint {
  const missing = target - available;
  return missing <= 0n ? 0n : (missing * minorPerUnit(currency) + rateScale - 1n) / rateScale;
}

/** Returns the largest amount before tax whose total including tax is at most `limit`, and that is at most `wanted`. */
export function largestWithin(wanted: bigint, limit: bigint, totalOf: (amount: bigint) => bigint): bigint {
  if (limit <= 0n) return 0n;
  if (totalOf(wanted) <= limit) return wanted;
  let [low, high] = [0n, wanted];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (totalOf(middle) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
