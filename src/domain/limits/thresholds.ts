// Thresholds of limits, and the events for values that reach them.
import { basisPointScale } from '../money/money.ts';
import { compare, dividedBy, type Exact, larger, whole } from '../rates/exact.ts';
import type { LimitRow, LimitThreshold } from './limit.ts';

/** Change of a gauge's value by a movement. `peak` is the highest value in the window before the movement. */
export type Change = { readonly before: Exact; readonly peak: Exact; readonly after: Exact };

/** Thresholds of spend caps that don't list any. */
const capThresholds: readonly LimitThreshold[] = [8_000, 10_000].map((bps) => ({
  amount: null,
  bps,
  rearm: 'window',
}));

/** Returns the thresholds of a limit. Blocking limits on `spend` have default thresholds. */
export const thresholdsOf = ({
  measure,
  action,
  thresholds,
}: Pick<LimitRow, 'measure' | 'action' | 'thresholds'>): readonly LimitThreshold[] =>
  thresholds.length === 0 && measure === 'spend' && action === 'block' ? capThresholds : thresholds;

/** Returns the value of a threshold. `most` is the limit's amount with its raises. `null` if the threshold has no value. */
export function thresholdAmount({ amount, bps }: LimitThreshold, most: bigint | null): Exact | null {
  if (amount !== null) return whole(BigInt(amount));
  return bps === null || most === null ? null : dividedBy(whole(most * BigInt(bps)), basisPointScale);
}

/**
 * Returns the values of the thresholds that a movement crosses, in ascending order. A threshold that rearms with the window is crossed
 * once until the window ends. A threshold of 0 is never crossed.
 */
export function crossedBy(
  thresholds: readonly LimitThreshold[],
  most: bigint | null,
  { before, peak, after }: Change,
): Exact[] {
  const crossed: Exact[] = [];
  for (const threshold of thresholds) {
    const value = thresholdAmount(threshold, most);
    if (value === null || value.numerator <= 0n) continue;
    const highest = threshold.rearm === 'window' ? larger(peak, before) : before;
    if (compare(highest, value) < 0 && compare(value, after) <= 0) crossed.push(value);
  }
  return crossed;
}
