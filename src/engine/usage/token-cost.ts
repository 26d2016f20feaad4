import { wireAmount } from '../../domain/money/money.ts';
import type { StoredTokenCost } from '../../domain/usage/record.ts';

// Converts token costs to and from JSON, in which counts and amounts are numbers.

const mapped = <K extends string, A, B>(
  record: { readonly [key in K]: A },
  change: (value: A) => B,
): { readonly [key in K]: B } =>
  // The keys stay the same. Only the types of the values change.
  Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, change(value)])) as {
    readonly [key in K]: B;
  };

/**
 * Converts token costs to their stored form. `null` if the event has no tokens. Throws a RangeError above
 * 2^53−1.
 */
export const writeTokenCost = (stored: StoredTokenCost | null): Stored.TokenCost | null =>
  stored === null
    ? null
    : { ...stored, tokens: mapped(stored.tokens, wireAmount), cost: mapped(stored.cost, wireAmount) };

/** Converts stored token costs to bigints. */
export function readTokenCost(stored: Stored.TokenCost | null): StoredTokenCost | null {
  if (stored === null) return null;
  return { ...stored, tokens: mapped(stored.tokens, BigInt), cost: mapped(stored.cost, BigInt) };
}
