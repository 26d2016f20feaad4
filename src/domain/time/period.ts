// Periods include their start and exclude their end (GLO-22). Boundaries are at 00:00 UTC (GLO-16), and all
// calculations use UTC (GLO-15).
import type { BillingInterval, RecurringInterval } from '../rows/enums.ts';

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

export const minuteMs = 60_000;
export const secondMs = 1_000;

export type Period = { readonly start: Date; readonly end: Date };

const monthsIn = { monthly: 1, quarterly: 3, yearly: 12 } as const;

export const utcMidnight = (instant: Date): Date => new Date(Math.floor(instant.getTime() / dayMs) * dayMs);

/**
 * Returns the first 00:00 UTC after a time. If the time is exactly 00:00 UTC, returns 00:00 UTC of the
 * following day.
 */
export const nextMidnight = (instant: Date): Date =>
  new Date((Math.floor(instant.getTime() / dayMs) + 1) * dayMs);

/** Returns the time `days` × 24 hours after the given time, or before it if `days` is negative. */
export const addDays = (instant: Date, days: number): Date => new Date(instant.getTime() + days * dayMs);

export const later = (a: Date, b: Date): Date => new Date(Math.max(a.getTime(), b.getTime()));

export const earlier = (a: Date, b: Date): Date => new Date(Math.min(a.getTime(), b.getTime()));

export const isoDate = (instant: Date): string => instant.toISOString().slice(0, 10);

const plainDate = (instant: Date): Temporal.PlainDate =>
  new Temporal.PlainDate(instant.getUTCFullYear(), instant.getUTCMonth() + 1, instant.getUTCDate());

/**
 * Returns the `n`th period boundary after an anchor (GLO-18), which is a whole number of weeks or months
 * later. If a month doesn't have the anchor's day, the boundary is on the last day of the month. Each
 * boundary is calculated from the anchor, so a short month doesn't affect later boundaries. The anchor must
 * be at 00:00 UTC.
 */
export function boundary(anchor: Date, interval: RecurringInterval, n: number): Date {
  if (interval === 'weekly') return addDays(anchor, 7 * n);
  const { year, month, day } = plainDate(anchor).add(
    { months: n * monthsIn[interval] },
    { overflow: 'constrain' },
  );
  return new Date(Date.UTC(year, month - 1, day));
}

/** Returns the time `months` months after an anchor, at the anchor's time of day (GLO-18). */
export const addMonths = (anchor: Date, months: number): Date =>
  new Date(boundary(utcMidnight(anchor), 'monthly', months).getTime() + (anchor.getTime() % dayMs));

/** Returns the number of the last boundary at or before a time. Negative if the time is before the anchor. */
export function boundaryNumber(anchor: Date, interval: RecurringInterval, instant: Date): number {
  if (interval === 'weekly') return Math.floor((instant.getTime() - anchor.getTime()) / (7 * dayMs));
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth();
  const months = (year - anchor.getUTCFullYear()) * 12 + month - anchor.getUTCMonth();
  const candidate = Math.floor(months / monthsIn[interval]);
  // The estimated boundary is in an earlier month, or in the same month on the anchor's day or the last
  // day.
  const isEarlierMonth = months !== candidate * monthsIn[interval];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return isEarlierMonth || instant.getUTCDate() >= Math.min(anchor.getUTCDate(), lastDay)
    ? candidate
    : candidate - 1;
}

/**
 * Returns the reset interval of allowances (GLO-21): weekly for weekly plans, monthly for all others, including free
 * (`null`) and one-time plans.
 */
export const windowInterval = (interval: BillingInterval | null): RecurringInterval =>
  interval === 'weekly' ? 'weekly' : 'monthly';

/**
 * Returns the charge interval of a plan's base price. For free (`null`) and one-time plans, returns the interval of the
 * usage window, which is also the billing period (SUB-62).
 */
export const periodInterval = (interval: BillingInterval | null): RecurringInterval =>
  interval === null || interval === 'one_time' ? 'monthly' : interval;

/**
 * Returns the number of calendar days between the UTC dates of two times, ignoring the time of day (GLO-17).
 */
export const daysBetween = (from: Date, to: Date): number =>
  (utcMidnight(to).getTime() - utcMidnight(from).getTime()) / dayMs;

/** Returns the number of days left in a period, including today. At least 0 (GLO-17). */
export const daysRemaining = (period: Period, now: Date): number => Math.max(0, daysBetween(now, period.end));

/** Returns the number of calendar days in a period (GLO-17). */
export const totalDays = (period: Period): number => daysBetween(period.start, period.end);
