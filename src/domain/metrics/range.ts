// Date ranges and their buckets. Days are UTC days according to the environment's clock (GLO-15), in the format
// `YYYY-MM-DD`.
import { specificError } from '../errors/errors.ts';
import { addDays, dayMs, isoDate } from '../time/period.ts';

/** UTC calendar day, `YYYY-MM-DD`. Days can be compared as strings. */
export type Day = string;

/** Bucket lengths of a series, shortest first. */
export const metricIntervals = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** Bucket length of a series. Weeks start on Monday. */
export type MetricInterval = (typeof metricIntervals)[number];

/** Date range of a series. Both ends are inclusive. */
export type DayRange = { readonly from: Day; readonly to: Day };

/** Days that a point in a series covers. Both ends are inclusive. */
export type Bucket = { readonly start: Day; readonly end: Day };

/** Maximum number of points in a series, by interval (MET-80). */
const maxPoints: Readonly<Record<MetricInterval, number>> = {
  day: 1_100,
  week: 520,
  month: 120,
  quarter: 40,
  year: 10,
};

/** Period covered by a stored row of MRR sums. */
export type SumSpan = 'day' | 'month';

/**
 * Range of consecutive rows of sums. Both ends are inclusive. Monthly rows are identified by the first day of
 * the month.
 */
export type SpanOfSums = DayRange & { readonly span: SumSpan };

export const midnightOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

export const dayOf = (instant: Date): Day => isoDate(instant);

/** Returns the day that is `days` days later, or earlier if `days` is negative. */
export const addToDay = (day: Day, days: number): Day => isoDate(addDays(midnightOf(day), days));

/** Returns the number of days from one day to another. Negative if `to` is earlier. */
export const daysFrom = (from: Day, to: Day): number =>
  (midnightOf(to).getTime() - midnightOf(from).getTime()) / dayMs;

/** Returns true if a day has ended according to the environment's clock (MET-61). */
export const isClosedDay = (day: Day, now: Date): boolean => day < dayOf(now);

const monthsIn = { month: 1, quarter: 3, year: 12 } as const;

export function intervalStart(day: Day, interval: MetricInterval): Day {
  if (interval === 'day') return day;
  const midnight = midnightOf(day);
  // `getUTCDay` returns 0 for Sunday.
  if (interval === 'week') return addToDay(day, -((midnight.getUTCDay() + 6) % 7));
  const months = monthsIn[interval];
  const month = Math.floor(midnight.getUTCMonth() / months) * months;
  return `${day.slice(0, 4)}-${String(month + 1).padStart(2, '0')}-01`;
}

export function intervalEnd(day: Day, interval: MetricInterval): Day {
  if (interval === 'day') return day;
  const start = midnightOf(intervalStart(day, interval));
  if (interval === 'week') return isoDate(addDays(start, 6));
  // `Date.UTC` would interpret the years 0 to 99 as years of the 20th century.
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + monthsIn[interval], 0);
  return isoDate(end);
}

/** Returns the number of buckets in a range without creating them. */
function countBuckets({ from, to }: DayRange, interval: MetricInterval): number {
  if (interval === 'day') return daysFrom(from, to) + 1;
  const [first, last] = [intervalStart(from, interval), intervalStart(to, interval)];
  if (interval === 'week') return daysFrom(first, last) / 7 + 1;
  const [a, b] = [midnightOf(first), midnightOf(last)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  return months / monthsIn[interval] + 1;
}

/**
 * Returns the buckets of a range, earliest first. The first and the last bucket can be shorter if the range
 * starts or ends within an interval. Throws `validation_error` with `param` `from` if the range ends before
 * its start, and with `param` `interval` if there are too many points (MET-80).
 */
export function bucketsOf(range: DayRange, interval: MetricInterval): Bucket[] {
  if (range.from > range.to) throw specificError('validation_error', 'range_reversed', { param: 'from' });
  const points = countBuckets(range, interval);
  const most = maxPoints[interval];
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

/**
 * Returns true if a series can be calculated from monthly sums. Currency conversion requires daily sums, because
 * exchange rates differ by day.
 */
export const isOfMonths = (interval: MetricInterval, isConverted: boolean): boolean =>
  !isConverted && interval !== 'day' && interval !== 'week';

/**
 * Returns the rows of sums needed for a range, in order. If `hasMonths` is true, uses monthly rows for whole
 * months and daily rows for the remaining days.
 */
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

/** UTC calendar month, `YYYY-MM`. Months can be compared as strings. */
export type Month = string;

export const monthOf = (day: Day): Month => day.slice(0, 7);

export const lastDayOf = (month: Month): Day => intervalEnd(`${month}-01`, 'month');

/** Returns the first day of the next month. */
export const dayAfter = (month: Month): Day => addToDay(lastDayOf(month), 1);

/** Returns the month before the month that contains a day. */
export const monthBefore = (day: Day): Month => monthOf(addToDay(intervalStart(day, 'month'), -1));

/** Returns the months between two months in order, excluding both. */
export function monthsBetween(after: Month, before: Month): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(dayAfter(after)); month < before; month = monthOf(dayAfter(month)))
    months.push(month);
  return months;
}
