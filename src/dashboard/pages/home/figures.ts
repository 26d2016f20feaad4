import { sumOf } from '../../parts/metrics/rates.ts';

// Date ranges and values of the metrics, and their changes from the previous period.

/** Returns the change from the previous value as a fraction. `null` if the previous value is 0 or a value is unknown. */
export const changeOf = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0 ? null : (now - before) / before;

/** Periods for the metrics on Home, shortest first. */
export const spans = ['days7', 'days30', 'quarter', 'year'] as const;

export type Span = (typeof spans)[number];

/** Metrics on Home, in the order of display. */
export const figures = ['mrr', 'cash', 'subscribers', 'churn'] as const;

export type Figure = (typeof figures)[number];

/** Returns the period in the URL. Defaults to 30 days. */
export const spanOf = (text: string | undefined): Span => spans.find((span) => span === text) ?? 'days30';

/** Returns the metric in the URL that the chart shows. Defaults to MRR. */
export const figureOf = (text: string | undefined): Figure =>
  figures.find((figure) => figure === text) ?? 'mrr';

/** Period and its comparison period, as inclusive dates. */
export type Spans = {
  readonly from: string;
  readonly to: string;
  readonly beforeFrom: string;
  readonly beforeTo: string;
  /** Interval between the points of the chart. */
  readonly interval: 'day' | 'week';
};

const day = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Number of days in each period. The year consists of complete weeks, so that all of its points have the same length. */
const lengths = { days7: 7, days30: 30, year: 364 } as const;

/** Returns a date in a UTC month, or the last day if the month is shorter. `month` starts at 0; values outside 0–11 select another year. */
function dayOf(year: number, month: number, date: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, last)));
}

/** Returns the first and last dates of a period and of the previous period. */
function daysOf(span: Span, now: Date): readonly [from: Date, to: Date, beforeFrom: Date, beforeTo: Date] {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (span === 'quarter') {
    const first = month - (month % 3);
    const to = new Date(Date.UTC(year, month, date));
    return [
      new Date(Date.UTC(year, first, 1)),
      to,
      new Date(Date.UTC(year, first - 3, 1)),
      dayOf(year, month - 3, date),
    ];
  }
  const ago = (days: number) => new Date(Date.UTC(year, month, date - days));
  const length = lengths[span];
  return [ago(length - 1), ago(0), ago(2 * length - 1), ago(length)];
}

/**
 * Returns the range of a period up to a time: the last 7 days, 30 days or 52 weeks, or this quarter. Also returns the comparison range of the same
 * length before it, or the previous quarter up to the same day.
 */
export function spansOf(span: Span, instant: Date): Spans {
  const [from, to, beforeFrom, beforeTo] = daysOf(span, instant);
  return {
    from: day(from),
    to: day(to),
    beforeFrom: day(beforeFrom),
    beforeTo: day(beforeTo),
    interval: span === 'year' ? 'week' : 'day',
  };
}

type MrrValues = {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly churn: number | null;
  readonly contraction: number | null;
  readonly payingCustomers: number;
};

type CashValues = { readonly netCash: number | null };

type Summary = {
  readonly mrr: number | null;
  readonly cash: number | null;
  readonly subscribers: number | null;
  /** Share of the MRR at the start of the period that was lost. */
  readonly churn: number | null;
};

/** Returns the revenue that a point lost to cancellations and downgrades, as a positive number. */
export const lostIn = ({ churn, contraction }: Pick<MrrValues, 'churn' | 'contraction'>): number | null =>
  churn === null || contraction === null ? null : Math.abs(churn) + Math.abs(contraction);

/** Returns the values of the metrics for a period. */
export function summaryOf(mrr: readonly MrrValues[], cash: readonly CashValues[]): Summary {
  const [first, last] = [mrr[0], mrr.at(-1)];
  const lost = sumOf(mrr.map(lostIn));
  const opening = first?.opening ?? null;
  return {
    mrr: last?.closing ?? null,
    cash: sumOf(cash.map(({ netCash }) => netCash)),
    subscribers: last?.payingCustomers ?? null,
    churn: lost === null || opening === null || opening === 0 ? null : lost / opening,
  };
}
