// Ranges of calendar days and the buckets they are divided into. Days are UTC days of business time (GLO-15), written `YYYY-MM-DD`.
import { specificError } from '../errors.ts';
import { addDays, dayMs, isoDate } from '../period.ts';

/** A UTC calendar day, `YYYY-MM-DD`. Days compare as texts. */
export type Day = string;

/** The spans a series can be divided into, the shortest first. */
export const metricIntervals = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** A span a series is divided into. Weeks run from Monday to Sunday. */
export type MetricInterval = (typeof metricIntervals)[number];

/** Days of a series, both ends included. */
export type DayRange = { readonly from: Day; readonly to: Day };

/** The days of one point of a series, both ends included. */
export type Bucket = { readonly start: Day; readonly end: Day };

/** The most points of a series by its interval (MET-80). */
export const mostPoints: Readonly<Record<MetricInterval, number>> = {
  day: 1_100,
  week: 520,
  month: 120,
  quarter: 40,
  year: 10,
};

/** How many days a row of sums is of. */
export type SumSpan = 'day' | 'month';

/** Consecutive rows of sums by the days they are of, both included; those of months by their first days. */
export type SpanOfSums = DayRange & { readonly span: SumSpan };

/** 00:00Z of a day. */
export const midnightOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

/** The UTC day of an instant. */
export const dayOf = (instant: Date): Day => isoDate(instant);

/** The day a number of days later, or earlier when negative. */
export const addToDay = (day: Day, days: number): Day => isoDate(addDays(midnightOf(day), days));

/** The days from one day to another; negative where the other is earlier. */
export const daysFrom = (from: Day, to: Day): number =>
  (midnightOf(to).getTime() - midnightOf(from).getTime()) / dayMs;

/** Whether a day is over: the clock is past its midnight (MET-61). */
export const isClosedDay = (day: Day, now: Date): boolean => day < dayOf(now);

const monthsIn = { month: 1, quarter: 3, year: 12 } as const;

/** The first day of the interval a day lies in. */
export function intervalStart(day: Day, interval: MetricInterval): Day {
  if (interval === 'day') return day;
  const midnight = midnightOf(day);
  // getUTCDay counts from Sunday.
  if (interval === 'week') return addToDay(day, -((midnight.getUTCDay() + 6) % 7));
  const months = monthsIn[interval];
  const month = Math.floor(midnight.getUTCMonth() / months) * months;
  return `${day.slice(0, 4)}-${String(month + 1).padStart(2, '0')}-01`;
}

/** The last day of the interval a day lies in. */
export function intervalEnd(day: Day, interval: MetricInterval): Day {
  if (interval === 'day') return day;
  const start = midnightOf(intervalStart(day, interval));
  if (interval === 'week') return isoDate(addDays(start, 6));
  // Not Date.UTC, which moves the years 0 to 99 into the twentieth century.
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + monthsIn[interval], 0);
  return isoDate(end);
}

/** How many buckets a range has, without making them. */
function countBuckets({ from, to }: DayRange, interval: MetricInterval): number {
  if (interval === 'day') return daysFrom(from, to) + 1;
  const [first, last] = [intervalStart(from, interval), intervalStart(to, interval)];
  if (interval === 'week') return daysFrom(first, last) / 7 + 1;
  const [a, b] = [midnightOf(first), midnightOf(last)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  return months / monthsIn[interval] + 1;
}

/**
 * The buckets of a range, the earliest first. They cover exactly its days: the first and the last are shorter than their interval where the range
 * begins or ends inside one. Throws `validation_error` with `param` `from` for a range that ends before it begins, and with `param` `interval` for
 * more points than the interval may have (MET-80).
 */
export function bucketsOf(range: DayRange, interval: MetricInterval): Bucket[] {
  if (range.from > range.to) throw specificError('validation_error', 'range_reversed', { param: 'from' });
  const points = countBuckets(range, interval);
  const most = mostPoints[interval];
  if (points > most)
    throw specificError('validation_error', 'too_many_points', {
      param: 'interval',
      values: { points, most, interval },
    });
  const buckets: Bucket[] = [];
  for (let start = range.from; buckets.length < points; ) {
    const end = intervalEnd(start, interval);
    buckets.push({ start, end: end < range.to ? end : range.to });
    start = addToDay(end, 1);
  }
  return buckets;
}

/** Whether the points of a series are made of whole months. What is converted needs days, each of which has a rate of its own. */
export const isOfMonths = (interval: MetricInterval, isConverted: boolean): boolean =>
  !isConverted && interval !== 'day' && interval !== 'week';

/** The rows of sums a range is read from, in order: its whole months where these will do, and days elsewhere. */
export function spansOfSums({ from, to }: DayRange, hasMonths: boolean): SpanOfSums[] {
  if (!hasMonths) return [{ span: 'day', from, to }];
  const month = intervalStart(from, 'month');
  const first = from === month ? from : addToDay(intervalEnd(from, 'month'), 1);
  const rest = intervalEnd(to, 'month') === to ? addToDay(to, 1) : intervalStart(to, 'month');
  if (first >= rest) return [{ span: 'day', from, to }];
  const spans: SpanOfSums[] = [
    { span: 'day', from, to: addToDay(first, -1) },
    { span: 'month', from: first, to: addToDay(rest, -1) },
    { span: 'day', from: rest, to },
  ];
  return spans.filter((span) => span.from <= span.to);
}

/** A calendar month in UTC, `YYYY-MM`. Months compare as texts. */
export type Month = string;

/** The month a day lies in. */
export const monthOf = (day: Day): Month => day.slice(0, 7);

/** The last day of a month. */
export const lastDayOf = (month: Month): Day => intervalEnd(`${month}-01`, 'month');

/** The first day after a month. */
export const dayAfter = (month: Month): Day => addToDay(lastDayOf(month), 1);

/** The month before that of a day. */
export const monthBefore = (day: Day): Month => monthOf(addToDay(intervalStart(day, 'month'), -1));

/** The months after one and before another, in order. */
export function monthsBetween(after: Month, before: Month): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(dayAfter(after)); month < before; month = monthOf(dayAfter(month)))
    months.push(month);
  return months;
}
