// What the tokens of an AI model cost (CON-30). All amounts are at rate scale: 10 000 is 1.00.
import { basisPointScale, divideUp, maxOf } from '../money.ts';

/**
 * Prices of a model per million tokens, US dollars at rate scale. A missing cache price is the input price.
 */
export type TokenPrices = {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint | null;
  readonly cacheWrite: bigint | null;
};

/** Tokens of one call; the cached ones are part of `input`. Whole numbers of at least 0. */
export type TokenCounts = {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
};

/**
 * Each part of the cost, the margin on their sum, and both together: what is kept with the event (CON-31).
 */
export type TokenCost = {
  readonly input: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
  readonly margin: bigint;
  readonly total: bigint;
};

const million = 1_000_000n;

/**
 * What a call costs, with a margin in basis points: each class of tokens and the margin are rounded up on
 * their own (CON-30).
 */
export function tokenCost(prices: TokenPrices, tokens: TokenCounts, marginBps: bigint): TokenCost {
  const priced = (count: bigint, price: bigint): bigint => divideUp(count * price, million);
  const input = priced(maxOf(0n, tokens.input - tokens.cacheRead - tokens.cacheWrite), prices.input);
  const cacheRead = priced(tokens.cacheRead, prices.cacheRead ?? prices.input);
  const cacheWrite = priced(tokens.cacheWrite, prices.cacheWrite ?? prices.input);
  const output = priced(tokens.output, prices.output);
  const subtotal = input + cacheRead + cacheWrite + output;
  const margin = divideUp(subtotal * marginBps, basisPointScale);
  return { input, cacheRead, cacheWrite, output, margin, total: subtotal + margin };
}
