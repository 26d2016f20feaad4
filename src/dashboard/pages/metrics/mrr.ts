import type { WaterfallStep } from '../../kit/charts/geometry.ts';
import { sumOf } from '../../parts/metrics/rates.ts';
import type { MrrFiguresFragment, MrrRetentionQuery } from './mrr.graphql';

// What the charts of recurring revenue show, from the points of the service. Amounts are rates, of which 10 000 are 1.00.

export type MrrPoint = MrrFiguresFragment['points'][number];
type Movement = MrrPoint['movements'][number];

/** The kinds that move revenue over all groups, gains first. */
export const movedKinds = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const;

export type MovedKind = (typeof movedKinds)[number];

/** What moved in a point, for one kind. */
export const movedIn = ({ movements }: MrrPoint, kind: MovedKind): number | null =>
  sumOf(movements.filter((one) => one.kind === kind).map(({ amount }) => amount));

/** The latest point that is over, else the latest one: rates of a point that has just begun say little. */
export const ratedPoint = (points: readonly MrrPoint[]): MrrPoint | undefined =>
  points.findLast(({ isClosed }) => isClosed) ?? points.at(-1);

type StepLabels = Readonly<Record<MovedKind | 'opening' | 'closing' | 'fxImpact', string>>;

/** From the revenue before the first point to that after the last, by the kinds that moved it; null where an amount is not known. */
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

/** What moved over all points, by kind and reason, the largest amounts of a kind first. */
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

/** What the cells of cohorts count. */
export const cohortValues = ['customers', 'mrr'] as const;

export type CohortValue = (typeof cohortValues)[number];

const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/**
 * The first value of a cohort, and what of it was left after each month, as shares of one. A month up to `lastMonth` without a cell has nothing left.
 */
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

/** The latest month any cohort has a cell of. */
export const lastMonthOf = (cohorts: readonly Cohort[]): string =>
  cohorts
    .flatMap(({ cells }) => cells.map(({ month }) => month))
    .reduce((last, month) => (month > last ? month : last), '');
