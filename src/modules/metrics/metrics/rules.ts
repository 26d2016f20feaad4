import type { RollupChange } from '../../../domain/metrics/fold.ts';
import { type Dimension, dimensions, type MrrScope, partOf } from '../../../domain/metrics/movements.ts';
import { firstDayNeeded, type SeriesRow } from '../../../domain/metrics/mrr-series.ts';
import {
  addToDay,
  type Day,
  type DayRange,
  dayAfter,
  intervalStart,
  isOfMonths,
  type MetricInterval,
  monthOf,
  type SpanOfSums,
  spansOfSums,
} from '../../../domain/metrics/range.ts';

/**
 * Dimension for grouping a series. Currency isn't a dimension of the stored sums, because each sum has a single
 * currency.
 */
export type SeriesDimension = Dimension | 'currency';

/** Selection of stored MRR sums for a series. */
export type RollupChoice = {
  readonly groupBy: Dimension | null;
  /** Values to include, by dimension. `null` includes all values of the dimension. */
  readonly values: { readonly [D in Dimension]: readonly string[] | null };
  readonly currencies: readonly string[] | null;
};

/** Stored MRR sum with its group. The group is empty if the series isn't grouped. */
export type GroupedRow = SeriesRow & { readonly group: string };

/** Returns the scope of the MRR sums to read: the dimension of the grouping or filter, or `group` if a series uses several dimensions. */
export function scopeOf({ groupBy, values }: RollupChoice): MrrScope {
  const used = dimensions.filter((name) => name === groupBy || values[name] !== null);
  return used.length > 1 ? 'group' : (used[0] ?? 'currency');
}

/**
 * Spans for reading an MRR series. Before the day `first`, only MRR levels are read. `spans` are consecutive spans of daily or monthly
 * sums.
 */
export type RollupSpans = { readonly first: Day; readonly spans: readonly SpanOfSums[] };

const earlier = (a: Day, b: Day): Day => (a < b ? a : b);

/**
 * Returns the spans for reading a series. Uses monthly sums for points that consist of whole months. Converted series
 * require daily sums, because exchange rates differ by day. For months before the range, only customers are counted.
 */
export function spansOf({ from, to }: DayRange, interval: MetricInterval, isConverted: boolean): RollupSpans {
  const first = firstDayNeeded(from);
  // The customer churn that determines the lifetime value always covers whole months.
  const month = intervalStart(from, 'month');
  const firstDays = from === month ? month : dayAfter(monthOf(month));
  const spans: SpanOfSums[] = [
    { span: 'month', from: first, to: addToDay(month, -1) },
    { span: 'day', from: month, to: earlier(addToDay(firstDays, -1), to) },
    ...(firstDays <= to ? spansOfSums({ from: firstDays, to }, isOfMonths(interval, isConverted)) : []),
  ];
  return { first, spans: spans.filter((span) => span.from <= span.to) };
}

/** Selects the sums for a series from pending sums in the same way as `readRollups` selects them from stored sums. */
export function chooseRollups(
  changes: readonly RollupChange[],
  { first, spans }: RollupSpans,
  choice: RollupChoice,
): GroupedRow[] {
  const scope = scopeOf(choice);
  const part = (key: string, name: Dimension): string => (scope === 'group' ? partOf(key, name) : key);
  const isChosen = (key: string): boolean =>
    dimensions.every((name) => choice.values[name]?.includes(part(key, name)) ?? true);
  const groupIn = (key: string): string => (choice.groupBy === null ? '' : part(key, choice.groupBy));
  const isEarlier = ({ span, day, kind }: RollupChange): boolean =>
    span === 'month' && day < first && kind === 'level';
  return changes
    .filter(
      (row) =>
        row.scope === scope &&
        (isEarlier(row) ||
          spans.some(({ span, from, to }) => row.span === span && row.day >= from && row.day <= to)) &&
        (choice.currencies?.includes(row.currency) ?? true) &&
        isChosen(row.groupKey) &&
        !(row.otherKey !== '' && groupIn(row.groupKey) === groupIn(row.otherKey) && isChosen(row.otherKey)),
    )
    .map((row) => ({ ...row, day: row.day < first ? '' : row.day, group: groupIn(row.groupKey) }));
}

/** Supported distances between the two months that retention compares, in months. */
export const retentionMonths = [1, 3, 6, 12, 24] as const;
