import type { Currency } from '../../../domain/money/money.ts';

export const intervals = ['day', 'week', 'month', 'quarter', 'year'] as const;

export type Interval = (typeof intervals)[number];

/** Date range, interval and currency of the metrics page. */
export type Range = {
  readonly from: string;
  readonly to: string;
  readonly interval: Interval;
  readonly currency: Currency;
};

/** Returns the interval in the URL. Defaults to months. */
export const intervalOf = (text: string | undefined): Interval =>
  intervals.find((interval) => interval === text) ?? 'month';

const dayMs = 86_400_000;

const day = (instant: Date): string => instant.toISOString().slice(0, 10);

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

type Days = { readonly from: string; readonly until: string };

/** Default date ranges of a view. */
const usualDays = {
  /** Date range from the first day of the month 11 months ago to today. */
  past: (now: Date): Days => ({
    from: day(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1))),
    until: day(now),
  }),
  /** Date range from today to 90 days later. */
  ahead: (now: Date): Days => ({ from: day(now), until: day(new Date(now.getTime() + 90 * dayMs)) }),
};

/** Returns the date range in the URL. Falls back to the default range. */
export function daysOf(
  { from, until }: { readonly [name: string]: string | undefined },
  now: Date,
  direction: keyof typeof usualDays = 'past',
): Days {
  return isDay(from) && isDay(until) ? { from, until } : usualDays[direction](now);
}

/** Returns the first day of the last month that has ended and doesn't extend beyond `until`. */
export function lastMonthOver(until: string, now: Date): string {
  const end = new Date(Math.min(Date.parse(until) + dayMs, now.getTime()));
  return day(new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)));
}
