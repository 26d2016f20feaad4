import { divideRounded } from '../money/money.ts';
import type { LotRow } from '../rows/usage-rows.ts';

/**
 * Returns the part of a lot's price for a change of its remaining amount, in minor units (PRM-145). Positive if an
 * amount leaves the lot. The price of the amount that has left is rounded, so the parts of a used up lot add up to its
 * price. `null` if the lot wasn't purchased.
 */
export function drawnValue(
  { amount, remaining, paidMinor }: Pick<LotRow, 'amount' | 'remaining' | 'paidMinor'>,
  change: bigint,
): bigint | null {
  if (paidMinor === null || amount === 0n) return null;
  const used = amount - remaining;
  return divideRounded(paidMinor * (used - change), amount) - divideRounded(paidMinor * used, amount);
}
