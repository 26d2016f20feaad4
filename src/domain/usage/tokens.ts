// Calculates the cost of AI model tokens (CON-30). Amounts are in ten-thousandths of the currency unit
// (10,000 = 1.00).
import { basisPointScale, divideUp, maxOf } from '../money/money.ts';

/**
 * Prices of a model per million tokens, in US dollars at rate scale. Cache prices default to the input price.
 */
export type TokenPrices = {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint | null;
  readonly cacheWrite: bigint | null;
};

/** Tokens in a model call, as non-negative whole numbers. `input` includes cached tokens. */
export type TokenCounts = {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
};

/** Cost components, margin, and total, as stored with the event (CON-31). */
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
 * Returns the cost of a model call, including a margin in basis points. The cost per token type and the
 * margin are each rounded up (CON-30).
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
