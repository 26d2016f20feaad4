// Limits on the remaining amount of an account, which bound it from below. Their thresholds are crossed when the amount falls.

import type { Fall } from '../lots/falls.ts';
import { basisPointScale } from '../money/money.ts';
import { compare, dividedBy, type Exact, whole, wholePart } from '../rates/exact.ts';
import type { LimitWatch } from '../rows/fall-mark.ts';
import type { LimitRow, LimitThreshold, Rearm } from './limit.ts';

/** Returns the number of which a threshold is a share. `null` if there's none. */
function baseOf({ of = null }: LimitThreshold, amount: bigint | null, fall: Fall): bigint | null {
  if (of === 'last_grant') return fall.granted;
  return of === 'last_refill' ? fall.refilled : amount;
}

/** Returns the value of a threshold. `null` if the value is unknown, or if it's a share of 0. */
function thresholdAt(threshold: LimitThreshold, amount: bigint | null, fall: Fall): Exact | null {
  if (threshold.amount !== null) return whole(BigInt(threshold.amount));
  const base = baseOf(threshold, amount, fall);
  if (threshold.bps === null || base === null || base <= 0n) return null;
  return dividedBy(whole(base * BigInt(threshold.bps)), basisPointScale);
}

/** Returns the lowest value since a threshold was armed. */
const armedAt = (rearm: Rearm, { sinceRefill, inWindow, from }: Fall): bigint =>
  ({ refill: sinceRefill, window: inWindow, recross: from })[rearm];

/** Returns the values of the thresholds that an amount falls to or below, in the order in which it crosses them. */
export const fallenBelow = (
  thresholds: readonly LimitThreshold[],
  amount: bigint | null,
  fall: Fall,
): Exact[] =>
  thresholds
    .flatMap((threshold): Exact[] => {
      const value = thresholdAt(threshold, amount, fall);
      if (value === null) return [];
      const isCrossed =
        compare(whole(armedAt(threshold.rearm, fall)), value) > 0 && compare(value, whole(fall.after)) >= 0;
      return isCrossed ? [value] : [];
    })
    .toSorted((a, b) => compare(b, a));

/** Adds a limit with crossed thresholds to the watches of a pool. A limit has one watch, for its highest crossed threshold. */
export function withWatch(
  watches: readonly LimitWatch[],
  { id, name, asset, amount, channels }: LimitRow,
  crossed: readonly Exact[],
): readonly LimitWatch[] {
  const [highest] = crossed;
  if (highest === undefined || asset === null) return watches;
  const known = watches.find(({ limitId }) => limitId === id);
  const above = wholePart(highest);
  if (known !== undefined && BigInt(known.above) >= above) return watches;
  const watch = {
    limitId: id,
    name,
    asset,
    amount: amount === null ? null : `${amount}`,
    above: `${above}`,
    channels,
  };
  return [...watches.filter(({ limitId }) => limitId !== id), watch];
}
