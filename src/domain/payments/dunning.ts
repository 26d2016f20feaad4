import { dayMs } from '../time/period.ts';

/** Number of days from the first failure to each of the four retries (BIL-41). */
const dunningDays = [1, 3, 5, 7] as const;

/** Number of retries. Dunning ends if the last retry is declined (BIL-43). */
export const slotCount = dunningDays.length;

/** Returns the times of the retries: multiples of 24 hours after the first failure (BIL-41). */
export const slotTimes = (failedAt: Date): readonly Date[] =>
  dunningDays.map((days) => new Date(failedAt.getTime() + days * dayMs));

/** Returns the number (1 to 4) of the earliest unused retry. `null` if all retries are used (BIL-42). */
export const nextSlot = (attempts: number): number | null => (attempts < slotCount ? attempts + 1 : null);

/** Returns the time of the last retry. The subscription ends if this retry is declined (BIL-43). */
export const lastSlotAt = (failedAt: Date): Date => slotTimes(failedAt).at(-1) ?? failedAt;

/**
 * Returns the time of the next retry. `null` if the subscription isn't in dunning or all retries are used
 * (SUB-63).
 */
export function nextRetryAt(failedAt: Date | null, attempts: number): Date | null {
  return failedAt === null ? null : (slotTimes(failedAt)[attempts] ?? null);
}
