import { dayMs } from './period.ts';

/** Days after the first failure at which the four slots lie (BIL-41). */
export const dunningDays = [1, 3, 5, 7] as const;

/** The number of slots: the declined attempt that uses up the last one ends dunning (BIL-43). */
export const slotCount = dunningDays.length;

/** The instants of the slots, fixed by the time of the first failure: whole 24-hour days later, at the same time of day (BIL-41). */
export const slotTimes = (failedAt: Date): readonly Date[] => dunningDays.map((days) => new Date(failedAt.getTime() + days * dayMs));

/** The number, 1 to 4, of the earliest slot not used up; null when all are (BIL-42). */
export const nextSlot = (attempts: number): number | null => (attempts < slotCount ? attempts + 1 : null);

/** When the next slot is due; null when dunning does not run or has ended (SUB-63). */
export function nextRetryAt(failedAt: Date | null, attempts: number): Date | null {
  return failedAt === null ? null : (slotTimes(failedAt)[attempts] ?? null);
}
