// Periods are half-open, start included (GLO-22), and their boundaries lie on 00:00Z (GLO-16). All arithmetic
// is in UTC (GLO-15).
import type { BillingInterval, RecurringInterval } from './enums.ts';

/** Milliseconds in a day of 24 hours. */
export const dayMs = 86_400_000;

/** Milliseconds in a minute. */
export const minuteMs = 60_000;

/** A span of time with its start and without its end. */
export type Period = { readonly start: Date; readonly end: Date };

const monthsIn = { monthly: 1, quarterly: 3, yearly: 12 } as const;

/** 00:00Z of the UTC date of an instant. */
export const utcMidnight = (instant: Date): Date => new Date(Math.floor(instant.getTime() / dayMs) * dayMs);

/** The first 00:00Z strictly after an instant. */
export const nextMidnight = (instant: Date): Date =>
  new Date((Math.floor(instant.getTime() / dayMs) + 1) * dayMs);

/** An instant a number of 24-hour days later, or earlier when negative. */
export const addDays = (instant: Date, days: number): Date => new Date(instant.getTime() + days * dayMs);

/** The earlier of two instants. */
export const earlier = (a: Date, b: Date): Date => new Date(Math.min(a.getTime(), b.getTime()));

/** The UTC date of an instant as `YYYY-MM-DD`. */
export const isoDate = (instant: Date): string => instant.toISOString().slice(0, 10);

const plainDate = (instant: Date): Temporal.PlainDate =>
  new Temporal.PlainDate(instant.getUTCFullYear(), instant.getUTCMonth() + 1, instant.getUTCDate());

/**
 * The boundary numbered `n` counted from an anchor, boundary 0 (GLO-18): whole weeks, or months whose day is
 * clamped to the last one of its month. Each is computed from the anchor, so a clamp never lowers the day of
 * later boundaries. The anchor lies on 00:00Z.
 */
export function boundary(anchor: Date, interval: RecurringInterval, n: number): Date {
  if (interval === 'weekly') return addDays(anchor, 7 * n);
  const { year, month, day } = plainDate(anchor).add(
    { months: n * monthsIn[interval] },
    { overflow: 'constrain' },
  );
  return new Date(Date.UTC(year, month - 1, day));
}

/** The number of the last boundary at or before an instant; negative before the anchor. */
export function boundaryNumber(anchor: Date, interval: RecurringInterval, instant: Date): number {
  if (interval === 'weekly') return Math.floor((instant.getTime() - anchor.getTime()) / (7 * dayMs));
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth();
  const months = (year - anchor.getUTCFullYear()) * 12 + month - anchor.getUTCMonth();
  const candidate = Math.floor(months / monthsIn[interval]);
  // The candidate lies in an earlier month, or in this one on the anchor's day as far as the month has it.
  const isEarlierMonth = months !== candidate * monthsIn[interval];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return isEarlierMonth || instant.getUTCDate() >= Math.min(anchor.getUTCDate(), lastDay)
    ? candidate
    : candidate - 1;
}

/**
 * The span after which allowances reset (GLO-21): a week for weekly plans, else a month, also for free (null)
 * and one-time plans.
 */
export const windowInterval = (interval: BillingInterval | null): RecurringInterval =>
  interval === 'weekly' ? 'weekly' : 'monthly';

/**
 * The span between two charges of the plan base; free (null) and one-time plans have windows only, and their
 * period is the window (SUB-62).
 */
export const periodInterval = (interval: BillingInterval | null): RecurringInterval =>
  interval === null || interval === 'one_time' ? 'monthly' : interval;

/** Calendar days from one instant's UTC date to another's; the time of day is irrelevant (GLO-17). */
export const daysBetween = (from: Date, to: Date): number =>
  (utcMidnight(to).getTime() - utcMidnight(from).getTime()) / dayMs;

/** Days of a period that are left, today included, at least 0 (GLO-17). */
export const daysRemaining = (period: Period, now: Date): number => Math.max(0, daysBetween(now, period.end));

/** Calendar days of a period (GLO-17). */
export const totalDays = (period: Period): number => daysBetween(period.start, period.end);
