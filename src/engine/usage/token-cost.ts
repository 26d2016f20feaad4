import { wireAmount } from '../../domain/money.ts';
import type { StoredTokenCost } from '../../domain/usage/record.ts';

// The cost of tokens as JSON: counts and amounts as numbers.

const mapped = <K extends string, A, B>(
  record: { readonly [key in K]: A },
  change: (value: A) => B,
): { readonly [key in K]: B } =>
  // The keys stay the same.
  Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, change(value)])) as {
    readonly [key in K]: B;
  };

/** What is stored of the cost of tokens; null for an event that counts units. Throws a RangeError beyond 2^53−1. */
export const writeTokenCost = (stored: StoredTokenCost | null): Stored.TokenCost | null =>
  stored === null
    ? null
    : { ...stored, tokens: mapped(stored.tokens, wireAmount), cost: mapped(stored.cost, wireAmount) };

/** The cost of tokens as it was stored. */
export function readTokenCost(stored: Stored.TokenCost | null): StoredTokenCost | null {
  if (stored === null) return null;
  return { ...stored, tokens: mapped(stored.tokens, BigInt), cost: mapped(stored.cost, BigInt) };
}
