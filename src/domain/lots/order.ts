import type { LotRow } from '../rows/usage-rows.ts';

const never = Number.POSITIVE_INFINITY;

/** Returns the end of a lot. A plan's lot that can roll over ends with its last window after the rollover (PRM-20). */
const endOf = ({ source, expiresAt }: LotRow, rolloverEnd: Date | null | undefined): number =>
  (source === 'plan' && rolloverEnd !== undefined ? rolloverEnd : expiresAt)?.getTime() ?? never;

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
export function byDrawOrder(a: LotRow, b: LotRow, rolloverEnd?: Date | null): number {
  if ((a.source === 'overdraft') !== (b.source === 'overdraft')) return a.source === 'overdraft' ? 1 : -1;
  if (a.priority !== b.priority) return a.priority - b.priority;
  const [endA, endB] = [endOf(a, rolloverEnd), endOf(b, rolloverEnd)];
  if (endA !== endB) return endA - endB;
  const [restrictedA, restrictedB] = [a.features.length > 0, b.features.length > 0];
  if (restrictedA !== restrictedB) return restrictedA ? -1 : 1;
  return byAge(a, b);
}

export const inDrawOrder = (lots: readonly LotRow[], rolloverEnd?: Date | null): LotRow[] =>
  lots.toSorted((a, b) => byDrawOrder(a, b, rolloverEnd));
