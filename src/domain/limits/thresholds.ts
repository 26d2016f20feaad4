// Thresholds of limits, and the events for values that reach them.
import type { Fall } from '../lots/falls.ts';
import { basisPointScale } from '../money/money.ts';
import { compare, dividedBy, type Exact, larger, whole } from '../rates/exact.ts';
import { crosses, isBefore } from './bound.ts';
import type { LimitMeasure, LimitRow, LimitThreshold, Rearm } from './limit.ts';

/**
 * Change of a value by a movement. `peak` is the highest value in the window before the movement. `fall` contains the lowest values if the
 * limit bounds a remaining amount.
 */
export type Change = {
  readonly before: Exact;
  readonly peak: Exact;
  readonly after: Exact;
  readonly fall?: Fall | null;
};

/** Thresholds of spend caps that don't list any. */
const capThresholds: readonly LimitThreshold[] = [8_000, 10_000].map((bps) => ({
  amount: null,
  bps,
  rearm: 'window',
}));

/** Measures of spend caps. */
const capMeasures: ReadonlySet<LimitMeasure> = new Set(['spend', 'value', 'drawn']);

/** Returns the thresholds of a limit. Blocking limits on `spend`, `value`, and `drawn` have default thresholds, unless they bound single events. */
export const thresholdsOf = ({
  measure,
  action,
  window,
  thresholds,
}: Pick<LimitRow, 'measure' | 'action' | 'window' | 'thresholds'>): readonly LimitThreshold[] =>
  thresholds.length === 0 && capMeasures.has(measure) && action === 'block' && window.kind !== 'event'
    ? capThresholds
    : thresholds;

/** Latest values of thresholds that depend only on the amount of their limit. Each usage event needs them. */
const latest = new WeakMap<LimitThreshold, { readonly most: bigint | null; readonly value: Exact | null }>();

/** Returns the value of a threshold that a rising value crosses. `most` is the limit's amount with its raises. */
function risingAmount(threshold: LimitThreshold, most: bigint | null): Exact | null {
  const known = latest.get(threshold);
  if (known !== undefined && known.most === most) return known.value;
  const value = thresholdAmount(threshold, most);
  latest.set(threshold, { most, value });
  return value;
}

/** Returns the value of a threshold. `most` is the limit's amount with its raises. `null` if the value is unknown, or if it's a share of 0. */
export function thresholdAmount(
  { amount, bps, of = null }: LimitThreshold,
  most: bigint | null,
  fall: Fall | null = null,
): Exact | null {
  if (amount !== null) return whole(BigInt(amount));
  const last = of === 'last_grant' ? fall?.granted : fall?.refilled;
  const base = of === null ? most : (last ?? null);
  return bps === null || base === null || base <= 0n
    ? null
    : dividedBy(whole(base * BigInt(bps)), basisPointScale);
}

/** Returns the highest value since a threshold was armed, or the lowest value if the limit bounds a remaining amount. */
function armedAt(rearm: Rearm, { before, peak, fall = null }: Change): Exact {
  if (fall === null) return rearm === 'window' ? larger(peak, before) : before;
  return whole({ refill: fall.sinceRefill, window: fall.inWindow, recross: fall.from }[rearm]);
}

/**
 * Returns the values of the thresholds that a movement crosses, in the order in which it crosses them. `most` is the limit's amount with its
 * raises. A rising value never crosses a threshold of 0.
 */
export function crossedBy(
  thresholds: readonly LimitThreshold[],
  most: bigint | null,
  change: Change,
): Exact[] {
  const { after, fall = null } = change;
  const isFalling = fall !== null;
  const crossed: Exact[] = [];
  for (const threshold of thresholds) {
    const value = fall === null ? risingAmount(threshold, most) : thresholdAmount(threshold, most, fall);
    if (value === null || (!isFalling && value.numerator <= 0n)) continue;
    const reached = compare(after, value);
    if (isBefore(isFalling, reached)) continue;
    if (crosses(isFalling, compare(armedAt(threshold.rearm, change), value), reached)) crossed.push(value);
  }
  return isFalling ? crossed.sort((a, b) => compare(b, a)) : crossed;
}
