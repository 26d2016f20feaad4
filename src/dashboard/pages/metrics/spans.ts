import type { Currency } from '../../../domain/money.ts';

/** The spans a series can be divided into. */
export const intervals = ['day', 'week', 'month', 'quarter', 'year'] as const;

export type Interval = (typeof intervals)[number];

/** The days a page is about, in spans and one currency. */
export type Range = {
  readonly from: string;
  readonly to: string;
  readonly interval: Interval;
  readonly currency: Currency;
};

/** The interval a text of the address names; months for any other. */
export const intervalOf = (text: string | undefined): Interval =>
  intervals.find((interval) => interval === text) ?? 'month';

const dayMs = 86_400_000;

const day = (instant: Date): string => instant.toISOString().slice(0, 10);

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

type Days = { readonly from: string; readonly until: string };

/** The days a view is about where the address names none. */
const usualDays = {
  /** The month of an instant and the eleven before it, up to that day. */
  past: (now: Date): Days => ({
    from: day(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1))),
    until: day(now),
  }),
  /** The day of an instant and the 90 after it. */
  ahead: (now: Date): Days => ({ from: day(now), until: day(new Date(now.getTime() + 90 * dayMs)) }),
};

/** The days the address names, else the usual ones. */
export function daysOf(
  { from, until }: { readonly [name: string]: string | undefined },
  now: Date,
  direction: keyof typeof usualDays = 'past',
): Days {
  return isDay(from) && isDay(until) ? { from, until } : usualDays[direction](now);
}

/** The first day of the last month that is over at an instant and has no day after `until`. */
export function lastMonthOver(until: string, now: Date): string {
  const end = new Date(Math.min(Date.parse(until) + dayMs, now.getTime()));
  return day(new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)));
}
