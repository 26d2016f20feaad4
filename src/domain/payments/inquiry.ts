import { hourMs, minuteMs } from '../time/period.ts';

/** Minutes between the request and each of the first inquiries. Later inquiries are made hourly (BIL-2 rank 0). */
const inquiryMinutes = [1, 5, 15, 60];

/** Returns the time of the next inquiry about a request without a result. */
export function nextInquiryAt(requestedAt: Date, now: Date): Date {
  const elapsedMs = now.getTime() - requestedAt.getTime();
  const early = inquiryMinutes.map((minutes) => minutes * minuteMs).find((ms) => ms > elapsedMs);
  return new Date(requestedAt.getTime() + (early ?? (Math.floor(elapsedMs / hourMs) + 1) * hourMs));
}
