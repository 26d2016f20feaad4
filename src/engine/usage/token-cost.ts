import { wireAmount } from '../../domain/money/money.ts';
import type { StoredTokenCost } from '../../domain/usage/tokens.ts';

// Converts token costs to and from JSON, in which counts of tokens are numbers and amounts are decimals as text.

/**
 * Converts token costs to their stored form. `null` if the event has no tokens. Throws a RangeError above
 * 2^53−1.
 */
export const writeTokenCost = (stored: StoredTokenCost | null): Stored.TokenCost | null =>
  stored === null
    ? null
    : {
        ...stored,
        classes: stored.classes.map((cost) => ({ ...cost, tokens: wireAmount(cost.tokens) })),
      };

/** Converts the counts of stored token costs to bigints. */
export const readTokenCost = (stored: Stored.TokenCost | null): StoredTokenCost | null =>
  stored === null
    ? null
    : { ...stored, classes: stored.classes.map((cost) => ({ ...cost, tokens: BigInt(cost.tokens) })) };
