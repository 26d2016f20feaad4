import type { RetryTerms } from '../rows/rows.ts';
import { dayMs } from '../time/period.ts';

/** Settings of new organizations for payment retries (BIL-41, BIL-43). */
export const usualRetryTerms: RetryTerms = { retryDays: [1, 3, 5, 7], lastRetryAction: 'cancel' };

/** Returns the times of the retries: multiples of 24 hours after the first failure (BIL-41). */
export const slotTimes = (failedAt: Date, { retryDays }: RetryTerms): readonly Date[] =>
  retryDays.map((days) => new Date(failedAt.getTime() + days * dayMs));

/** Returns the number of retries that are left. 0 if the subscription isn't in dunning. */
export const retriesLeft = (attempts: number, terms: RetryTerms | null): number =>
  Math.max(0, (terms?.retryDays.length ?? 0) - attempts);

/** Returns the number (starting at 1) of the earliest unused retry. `null` if all retries are used (BIL-42). */
export const nextSlot = (attempts: number, terms: RetryTerms | null): number | null =>
  retriesLeft(attempts, terms) > 0 ? attempts + 1 : null;

/** Returns the time of the last retry. Dunning ends if this retry is declined (BIL-43). */
export const lastSlotAt = (failedAt: Date, terms: RetryTerms): Date =>
  slotTimes(failedAt, terms).at(-1) ?? failedAt;

/**
 * Returns the time of the next retry. `null` if the subscription isn't in dunning or all retries are used
 * (SUB-63).
 */
export function nextRetryAt(failedAt: Date | null, attempts: number, terms: RetryTerms | null): Date | null {
  return failedAt === null || terms === null ? null : (slotTimes(failedAt, terms)[attempts] ?? null);
}
