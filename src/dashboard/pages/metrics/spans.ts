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

const day = (instant: Date): string => instant.toISOString().slice(0, 10);

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The days the address names, else the month of an instant and the eleven before it, up to that day. */
export function daysOf(
  search: { readonly [name: string]: string | undefined },
  now: Date,
): { readonly from: string; readonly until: string } {
  const { from, until } = search;
  if (isDay(from) && isDay(until)) return { from, until };
  return { from: day(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1))), until: day(now) };
}

/** The first day of the last month that is over at an instant and has no day after `until`. */
export function lastMonthOver(until: string, now: Date): string {
  const end = new Date(Math.min(Date.parse(until) + 86_400_000, now.getTime()));
  return day(new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)));
}
