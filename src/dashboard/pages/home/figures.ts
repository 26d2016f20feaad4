// Date ranges of the metrics, and their changes from the previous period.

/** Returns the change from the previous value as a fraction. `null` if the previous value is 0 or a value is unknown. */
export const changeOf = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0 ? null : (now - before) / before;

/** Periods for the metrics on Home, the default first. */
export const spans = ['days30', 'month', 'year'] as const;

export type Span = (typeof spans)[number];

/** Returns the period in the URL. Defaults to 30 days. */
export const spanOf = (text: string | undefined): Span => spans.find((span) => span === text) ?? 'days30';

/** Period and its comparison period, as inclusive dates and as time ranges. */
export type Spans = {
  readonly from: string;
  readonly to: string;
  readonly beforeFrom: string;
  readonly beforeTo: string;
  /** Interval between the points of the chart. */
  readonly interval: 'day' | 'month';
  readonly now: { readonly from: string; readonly to: string };
  readonly before: { readonly from: string; readonly to: string };
};

const day = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Returns a date in a UTC month, or the last day if the month is shorter. `month` starts at 0; values outside 0–11 select another year. */
function dayOf(year: number, month: number, date: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, last)));
}

/** Returns the first and last dates of a period and of the previous period. */
function daysOf(span: Span, now: Date): readonly [from: Date, to: Date, beforeFrom: Date, beforeTo: Date] {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const on = (months: number, days: number) => new Date(Date.UTC(year, month + months, days));
  if (span === 'days30') return [on(0, date - 29), on(0, date), on(0, date - 59), on(0, date - 30)];
  if (span === 'month') return [on(0, 1), on(0, date), on(-1, 1), dayOf(year, month - 1, date)];
  return [on(-11, 1), on(0, date), on(-23, 1), dayOf(year - 1, month, date)];
}

const dayMs = 86_400_000;

/**
 * Returns the range of a period up to a time: the last 30 days, this month, or this month and the 11 months before. Also returns the comparison
 * range: the 30 days before, the previous month up to the same day, or the year before.
 */
export function spansOf(span: Span, instant: Date): Spans {
  const [from, to, beforeFrom, beforeTo] = daysOf(span, instant);
  const until = (last: Date) => new Date(last.getTime() + dayMs - 1).toISOString();
  return {
    from: day(from),
    to: day(to),
    beforeFrom: day(beforeFrom),
    beforeTo: day(beforeTo),
    interval: span === 'year' ? 'month' : 'day',
    now: { from: from.toISOString(), to: until(to) },
    before: { from: beforeFrom.toISOString(), to: until(beforeTo) },
  };
}

type CustomersPoint = {
  readonly payingCustomers: number;
  readonly movements: readonly { readonly kind: string; readonly customers: number }[];
};

/** Returns the total number of churned customers. */
export const lostIn = (points: readonly CustomersPoint[]): number =>
  points
    .flatMap(({ movements }) => movements)
    .filter(({ kind }) => kind === 'churn')
    .reduce((sum, { customers }) => sum + customers, 0);
