// Figures of a span against the one before.

/** The change against before as a share; null where there was nothing before, or one of them is not known. */
export const changeOf = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0 ? null : (now - before) / before;

/** The spans figures are shown of, the usual one first. */
export const spans = ['days30', 'month', 'year'] as const;

export type Span = (typeof spans)[number];

/** The span a text of the address names; 30 days for any other. */
export const spanOf = (text: string | undefined): Span => spans.find((span) => span === text) ?? 'days30';

/** Days of a span and those it is compared with, both with their ends, and the days as instants. */
export type Spans = {
  readonly from: string;
  readonly to: string;
  readonly beforeFrom: string;
  readonly beforeTo: string;
  /** What a point of the lines is. */
  readonly interval: 'day' | 'month';
  readonly now: { readonly from: string; readonly to: string };
  readonly before: { readonly from: string; readonly to: string };
};

const day = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The day of a month of UTC; its last one where it has fewer. `month` counts from 0 and may lie outside of the year. */
function dayOf(year: number, month: number, date: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, last)));
}

/** First and last days of a span and of the one before it, from the day of an instant. */
function daysOf(span: Span, now: Date): readonly [from: Date, to: Date, beforeFrom: Date, beforeTo: Date] {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const on = (months: number, days: number) => new Date(Date.UTC(year, month + months, days));
  if (span === 'days30') return [on(0, date - 29), on(0, date), on(0, date - 59), on(0, date - 30)];
  if (span === 'month') return [on(0, 1), on(0, date), on(-1, 1), dayOf(year, month - 1, date)];
  return [on(-11, 1), on(0, date), on(-23, 1), dayOf(year - 1, month, date)];
}

const dayMs = 86_400_000;

/**
 * The last 30 days, this month, or this month and the eleven before it, up to the day of an instant; and as much of the time before: the 30 days
 * before, the month before up to the same date, the year before.
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

/** How many customers stopped paying in the points. */
export const lostIn = (points: readonly CustomersPoint[]): number =>
  points
    .flatMap(({ movements }) => movements)
    .filter(({ kind }) => kind === 'churn')
    .reduce((sum, { customers }) => sum + customers, 0);
