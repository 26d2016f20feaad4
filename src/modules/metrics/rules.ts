import type { RollupChange } from '../../domain/metrics/fold.ts';
import type { MrrScope } from '../../domain/metrics/movements.ts';
import type { SeriesRow } from '../../domain/metrics/mrr-series.ts';
import type { Day } from '../../domain/metrics/range.ts';

/** What combinations of plan, interval, country and provider are grouped by, in the order of their key. */
export const dimensions = ['plan', 'interval', 'country', 'provider'] as const;
export type Dimension = (typeof dimensions)[number];

/** Which rows of sums a series is made of. */
export type RollupChoice = {
  readonly groupBy: Dimension | null;
  /** The values that count, by dimension; null where all do. */
  readonly values: { readonly [D in Dimension]: readonly string[] | null };
  readonly currencies: readonly string[] | null;
};

/** A row of sums with the group it is in; empty where nothing is grouped. */
export type GroupedRow = SeriesRow & { readonly group: string };

/** Sums of combinations are only read where they are grouped or chosen from. */
export const scopeOf = ({ groupBy, values }: RollupChoice): MrrScope =>
  groupBy === null && dimensions.every((name) => values[name] === null) ? 'currency' : 'group';

/** The rows of a series among sums that are not stored yet, as `readRollups` would answer them. */
export function chooseRollups(
  changes: readonly RollupChange[],
  { from, to }: { readonly from: Day; readonly to: Day },
  choice: RollupChoice,
): GroupedRow[] {
  const scope = scopeOf(choice);
  const partOf = (key: string, name: Dimension): string => key.split('|')[dimensions.indexOf(name)] ?? '';
  const isChosen = (key: string): boolean =>
    dimensions.every((name) => choice.values[name]?.includes(partOf(key, name)) ?? true);
  const groupIn = (key: string): string => (choice.groupBy === null ? '' : partOf(key, choice.groupBy));
  return changes
    .filter(
      (row) =>
        row.scope === scope &&
        row.day <= to &&
        (row.day >= from || row.kind === 'level') &&
        (choice.currencies?.includes(row.currency) ?? true) &&
        isChosen(row.groupKey) &&
        !(row.otherKey !== '' && groupIn(row.groupKey) === groupIn(row.otherKey) && isChosen(row.otherKey)),
    )
    .map((row) => ({ ...row, day: row.day < from ? '' : row.day, group: groupIn(row.groupKey) }));
}

/** How many months may lie between the two ends that retention compares. */
export const retentionMonths = [1, 3, 6, 12, 24] as const;
