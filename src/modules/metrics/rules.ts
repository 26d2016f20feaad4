import type { RollupChange } from '../../domain/metrics/fold.ts';
import { type Dimension, dimensions, type MrrScope, partOf } from '../../domain/metrics/movements.ts';
import { firstDayNeeded, type SeriesRow } from '../../domain/metrics/mrr-series.ts';
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
} from '../../domain/metrics/range.ts';

/** What a series can be grouped by. All sums are those of one currency, so that it is no dimension of theirs. */
export type SeriesDimension = Dimension | 'currency';

/** Which rows of sums a series is made of. */
export type RollupChoice = {
  readonly groupBy: Dimension | null;
  /** The values that count, by dimension; null where all do. */
  readonly values: { readonly [D in Dimension]: readonly string[] | null };
  readonly currencies: readonly string[] | null;
};

/** A row of sums with the group it is in; empty where nothing is grouped. */
export type GroupedRow = SeriesRow & { readonly group: string };

/** The sums to read: those of the dimension that is grouped by or chosen from, or of combinations where there are several. */
export function scopeOf({ groupBy, values }: RollupChoice): MrrScope {
  const used = dimensions.filter((name) => name === groupBy || values[name] !== null);
  return used.length > 1 ? 'group' : (used[0] ?? 'currency');
}

/** The rows of a series: the levels of all days before the first, and the sums of days or months that follow each other. */
export type RollupSpans = { readonly first: Day; readonly spans: readonly SpanOfSums[] };

const earlier = (a: Day, b: Day): Day => (a < b ? a : b);

/**
 * The rows of a series, months where its points are made of months. What is converted needs days, each of which has a rate of its own; of the months
 * before the range only people are counted.
 */
export function spansOf({ from, to }: DayRange, interval: MetricInterval, isConverted: boolean): RollupSpans {
  const first = firstDayNeeded(from);
  // Churn is that of whole months.
  const month = intervalStart(from, 'month');
  const firstDays = from === month ? month : dayAfter(monthOf(month));
  const spans: SpanOfSums[] = [
    { span: 'month', from: first, to: addToDay(month, -1) },
    { span: 'day', from: month, to: earlier(addToDay(firstDays, -1), to) },
    ...(firstDays <= to ? spansOfSums({ from: firstDays, to }, isOfMonths(interval, isConverted)) : []),
  ];
  return { first, spans: spans.filter((span) => span.from <= span.to) };
}

/** The rows of a series among sums that are not stored yet, as `readRollups` would answer them. */
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

/** How many months may lie between the two ends that retention compares. */
export const retentionMonths = [1, 3, 6, 12, 24] as const;
