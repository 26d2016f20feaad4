import type { Context } from '../../context.ts';
import { mostGroups, otherGroup } from '../../domain/metrics/groups.ts';
import {
  type Bucket,
  bucketsOf,
  type DayRange,
  isClosedDay,
  isOfMonths,
  type MetricInterval,
  spansOfSums,
} from '../../domain/metrics/range.ts';
import type { Group } from '../metric-ranges/types.ts';
import { readIsUsageComplete, readUsageSums, type UsageColumn, type UsageSum } from './store.ts';

type Amounts = Pick<UsageSum, 'events' | 'units' | 'lateUnits' | 'credits'>;

/** Usage of one span of days. */
export type UsagePoint = Bucket & Amounts & { readonly isClosed: boolean };

/** Usage of one group. */
export type UsageSeries = {
  readonly group: Group;
  readonly isComplete: boolean;
  readonly points: readonly UsagePoint[];
};

const nothing: Amounts = { events: 0n, units: 0n, lateUnits: 0n, credits: 0n };

const added = (a: Amounts, b: Amounts): Amounts => ({
  events: a.events + b.events,
  units: a.units + b.units,
  lateUnits: a.lateUnits + b.lateUnits,
  credits: a.credits + b.credits,
});

/** Usage by bucket: a series for each feature, model, plan or customer, the 50 with the most units and the others as one. */
export async function computeUsage(
  ctx: Context,
  input: DayRange & {
    readonly interval?: MetricInterval | null | undefined;
    readonly featureCode?: string | null | undefined;
    readonly groupBy?: UsageColumn | null | undefined;
  },
): Promise<UsageSeries[]> {
  const { from, to } = input;
  const interval = input.interval ?? 'day';
  const buckets = bucketsOf({ from, to }, interval);
  const starts = buckets.map(({ start }) => start);
  const [sums, isComplete] = await Promise.all([
    readUsageSums(ctx.sql, starts, spansOfSums({ from, to }, isOfMonths(interval, false)), {
      groupBy: input.groupBy ?? 'feature',
      most: mostGroups,
      featureCode: input.featureCode ?? null,
    }),
    readIsUsageComplete(ctx.sql),
  ]);
  const grouped = sums.map((sum) => ({
    ...sum,
    key: sum.key ?? otherGroup,
    name: sum.key === null ? 'Other' : (sum.name ?? sum.key),
  }));
  const byKey = Map.groupBy(grouped, ({ key }) => key);
  return [...byKey]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, of]) => ({
      group: { key, name: of[0]?.name ?? key },
      isComplete,
      points: buckets.map((bucket, span) => ({
        ...bucket,
        isClosed: isClosedDay(bucket.end, ctx.clock.now()),
        ...of.filter((sum) => sum.span === span).reduce(added, nothing),
      })),
    }));
}
