import { type Pool, poolOfAsset } from '../pricing/pools.ts';
import type { LotRow } from '../rows/usage-rows.ts';

type RolloverEnds = ReadonlyMap<Pool, Date | null>;

const never = Number.POSITIVE_INFINITY;

/** Returns the end of a lot. A plan's lot that can roll over ends with its last window after the rollover (PRM-20). */
function endOf({ source, asset, expiresAt }: LotRow, rolloverEnds: RolloverEnds | undefined): number {
  const later = source === 'plan' ? rolloverEnds?.get(poolOfAsset(asset)) : undefined;
  return (later === undefined ? expiresAt : later)?.getTime() ?? never;
}

const bySeq = ({ seq: a }: LotRow, { seq: b }: LotRow): number => {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
};

/** Compares lots by age. Lots without a `seq` aren't stored yet, so they are newer than all stored lots. */
export const byAge = (a: LotRow, b: LotRow): number =>
  a.effectiveAt.getTime() - b.effectiveAt.getTime() || bySeq(a, b);

/**
 * Compares lots by draw order (PRM-20): priority, soonest end, lots for certain features, start, creation.
 * Overdrafts come last.
 */
export function byDrawOrder(a: LotRow, b: LotRow, rolloverEnds?: RolloverEnds): number {
  if ((a.source === 'overdraft') !== (b.source === 'overdraft')) return a.source === 'overdraft' ? 1 : -1;
  if (a.priority !== b.priority) return a.priority - b.priority;
  const [endA, endB] = [endOf(a, rolloverEnds), endOf(b, rolloverEnds)];
  if (endA !== endB) return endA - endB;
  const [restrictedA, restrictedB] = [a.features.length > 0, b.features.length > 0];
  if (restrictedA !== restrictedB) return restrictedA ? -1 : 1;
  return byAge(a, b);
}

export const inDrawOrder = (lots: readonly LotRow[], rolloverEnds?: RolloverEnds): LotRow[] =>
  lots.toSorted((a, b) => byDrawOrder(a, b, rolloverEnds));
