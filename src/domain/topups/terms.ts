import type { AutoTopUpRow, ConsentedTerms } from '../rows/topup-rows.ts';

/** Returns the terms of an automatic top-up that need consent. `price` is the price of a fixed refill before tax. */
export const termsOf = (
  {
    threshold,
    refill,
    maxPerMonth,
    maxAmountPerMonth,
    minPause,
  }: Pick<AutoTopUpRow, 'threshold' | 'refill' | 'maxPerMonth' | 'maxAmountPerMonth' | 'minPause'>,
  price: bigint | null,
  currency: string,
): ConsentedTerms => ({
  threshold: Number(threshold),
  refill,
  price: price === null ? null : Number(price),
  currency,
  maxPerMonth,
  maxAmountPerMonth: Number(maxAmountPerMonth),
  minPause,
});
