import type { AutoTopUpAttemptRow, AutoTopUpRow, MonthUse } from '../rows/topup-rows.ts';
import type { Period } from '../time/period.ts';
import { minuteMs } from '../time/period.ts';

type Attempt = Pick<AutoTopUpAttemptRow, 'status' | 'amountMinor' | 'createdAt'>;

/**
 * Returns true if an attempt counts toward the limits: it was paid, or its result isn't known yet. Declined attempts
 * don't count.
 */
const counts = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status === 'succeeded' || status === 'processing';

/** Returns the purchases of a month. */
export function usedIn(attempts: readonly Attempt[], { start, end }: Period): MonthUse {
  const own = attempts.filter((one) => counts(one) && one.createdAt >= start && one.createdAt < end);
  return { count: own.length, amount: own.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) };
}

/** Returns the earliest time of the next purchase by the minimum pause. `null` if nothing was purchased. */
export function pauseEndsAt(
  attempts: readonly Attempt[],
  { minPause }: Pick<AutoTopUpRow, 'minPause'>,
): Date | null {
  const times = attempts.filter(counts).map(({ createdAt }) => createdAt.getTime());
  return times.length === 0 ? null : new Date(Math.max(...times) + minPause * minuteMs);
}
