import { dayMs } from './period.ts';

const hourMs = dayMs / 24;

/** Days after the first failure at which the four slots lie (BIL-41). */
export const dunningDays = [1, 3, 5, 7] as const;

/** The number of slots: the declined attempt that uses up the last one ends dunning (BIL-43). */
export const slotCount = dunningDays.length;

/**
 * The instants of the slots, fixed by the time of the first failure: whole 24-hour days later, at the same
 * time of day (BIL-41).
 */
export const slotTimes = (failedAt: Date): readonly Date[] =>
  dunningDays.map((days) => new Date(failedAt.getTime() + days * dayMs));

/** The number, 1 to 4, of the earliest slot not used up; null when all are (BIL-42). */
export const nextSlot = (attempts: number): number | null => (attempts < slotCount ? attempts + 1 : null);

/** How often payers can try what a subscription owes at hosted pages within an hour (BIL-42). */
const payerRetriesPerHour = 10;

/** Whether payers have tried as often as they may, by the times of their attempts; one counts for an hour. */
export function isPayerLimited(triedAt: readonly Date[], now: Date): boolean {
  return triedAt.filter((at) => at.getTime() > now.getTime() - hourMs).length >= payerRetriesPerHour;
}

/** When the last slot lies, after which the subscription ends unless the invoice is paid (BIL-43). */
export const lastSlotAt = (failedAt: Date): Date => slotTimes(failedAt).at(-1) ?? failedAt;

/** When the next slot is due; null when dunning does not run or has ended (SUB-63). */
export function nextRetryAt(failedAt: Date | null, attempts: number): Date | null {
  return failedAt === null ? null : (slotTimes(failedAt)[attempts] ?? null);
}
