import type { LotRow } from '../rows/usage-rows.ts';

const never = Number.POSITIVE_INFINITY;

const endOf = ({ expiresAt }: LotRow): number => expiresAt?.getTime() ?? never;

const bySeq = ({ seq: a }: LotRow, { seq: b }: LotRow): number => {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
};

/**
 * Compares lots by draw order (PRM-20): priority, soonest end, lots for certain features, start, creation.
 * Overdrafts come last.
 */
export function byDrawOrder(a: LotRow, b: LotRow): number {
  if ((a.source === 'overdraft') !== (b.source === 'overdraft')) return a.source === 'overdraft' ? 1 : -1;
  if (a.priority !== b.priority) return a.priority - b.priority;
  const [endA, endB] = [endOf(a), endOf(b)];
  if (endA !== endB) return endA - endB;
  const [restrictedA, restrictedB] = [a.features.length > 0, b.features.length > 0];
  if (restrictedA !== restrictedB) return restrictedA ? -1 : 1;
  const started = a.effectiveAt.getTime() - b.effectiveAt.getTime();
  return started === 0 ? bySeq(a, b) : started;
}

export const inDrawOrder = (lots: readonly LotRow[]): LotRow[] => lots.toSorted(byDrawOrder);
