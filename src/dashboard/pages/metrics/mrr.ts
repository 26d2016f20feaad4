import type { WaterfallStep } from '../../kit/charts/geometry.ts';
import { sumOf } from '../../parts/metrics/rates.ts';
import type { MrrFiguresFragment, MrrRetentionQuery } from './mrr.graphql';

// Converts MRR series of the API to chart data. Amounts are in ten-thousandths of the currency unit (10,000 = 1.00).

export type MrrPoint = MrrFiguresFragment['points'][number];
type Movement = MrrPoint['movements'][number];

/** Types of MRR movements across all groups, increases first. */
export const movedKinds = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const;

export type MovedKind = (typeof movedKinds)[number];

/** Returns the amount of a movement type in a point. `null` if the amount is unknown. */
export const movedIn = ({ movements }: MrrPoint, kind: MovedKind): number | null =>
  sumOf(movements.filter((one) => one.kind === kind).map(({ amount }) => amount));

/** Returns the latest completed point, or the latest point if none is complete. The rates of an incomplete interval aren't meaningful. */
export const ratedPoint = (points: readonly MrrPoint[]): MrrPoint | undefined =>
  points.findLast(({ isClosed }) => isClosed) ?? points.at(-1);

type StepLabels = Readonly<Record<MovedKind | 'opening' | 'closing' | 'fxImpact', string>>;

/**
 * Returns the waterfall chart from the MRR before the first point to the MRR after the last point, by movement type. `null` if an amount is unknown.
 */
export function stepsOf(points: readonly MrrPoint[], labels: StepLabels): WaterfallStep[] | null {
  const [first, last] = [points[0], points.at(-1)];
  const impact = sumOf(points.map(({ fxImpact }) => fxImpact));
  const moved = movedKinds.map((kind) => ({
    id: kind,
    value: sumOf(points.map((point) => movedIn(point, kind))),
  }));
  const steps = [
    { id: 'opening', value: first?.opening ?? null, isTotal: true },
    ...[...moved, { id: 'fxImpact', value: impact }].filter(({ value }) => value !== 0),
    { id: 'closing', value: last?.closing ?? null, isTotal: true },
  ];
  const known = steps.flatMap(({ value, ...step }) =>
    value === null ? [] : [{ ...step, label: labels[step.id as keyof StepLabels], value }],
  );
  return known.length === steps.length ? known : null;
}

const kinds: readonly Movement['kind'][] = movedKinds;

/** Sums up the movements of all points by type and reason. The largest amounts of each type come first. */
export function reasonsOf(points: readonly MrrPoint[]): (Movement & { readonly id: string })[] {
  const all = Map.groupBy(
    points.flatMap(({ movements }) => movements),
    ({ kind, reason }) => `${kind} ${reason}`,
  );
  const sums = [...all].flatMap(([id, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const customers = own.reduce((sum, one) => sum + one.customers, 0);
    return [{ ...first, id, amount: sumOf(own.map(({ amount }) => amount)), customers }];
  });
  const place = ({ kind }: Movement) => kinds.indexOf(kind);
  const size = ({ amount }: Movement) => Math.abs(amount ?? 0);
  return sums.toSorted((a, b) => place(a) - place(b) || size(b) - size(a));
}

type Cohort = MrrRetentionQuery['metricsCohorts'][number];

export const cohortValues = ['customers', 'mrr'] as const;

export type CohortValue = (typeof cohortValues)[number];

const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** Returns the initial value of a cohort, and the remaining share after each month. A month without a cell has a share of 0, up to `lastMonth`. */
export function cohortShares(
  { month, cells }: Cohort,
  value: CohortValue,
  lastMonth: string,
): { readonly size: number; readonly shares: (number | null)[] } {
  const start = monthNumber(month);
  const values = new Map(cells.map((cell) => [monthNumber(cell.month) - start, cell[value]]));
  const size = values.get(0) ?? 0;
  const count = Math.max(0, monthNumber(lastMonth) - start + 1);
  const shares = Array.from({ length: count }, (_, index) =>
    size === 0 ? null : (values.get(index) ?? 0) / size,
  );
  return { size, shares };
}

/** Returns the latest month that has a cell in any cohort. */
export const lastMonthOf = (cohorts: readonly Cohort[]): string =>
  cohorts
    .flatMap(({ cells }) => cells.map(({ month }) => month))
    .reduce((last, month) => (month > last ? month : last), '');
