import { maxGroups, otherGroup } from '../../../domain/metrics/groups.ts';
import {
  type Bucket,
  bucketsOf,
  type DayRange,
  isClosedDay,
  isOfMonths,
  type MetricInterval,
  spansOfSums,
} from '../../../domain/metrics/range.ts';
import type { Context } from '../../../request/context.ts';
import { readIsComplete, type Spans } from '../day-sums/store.ts';
import type { Group } from '../ranges/types.ts';
import {
  readCustomerUsage,
  readUsageGroups,
  readUsageSums,
  type UsageChoice,
  type UsageColumn,
  type UsageSum,
  usageSource,
} from './store.ts';

type Amounts = Pick<UsageSum, 'events' | 'units' | 'lateUnits' | 'credits'>;

export type UsagePoint = Bucket & Amounts & { readonly isClosed: boolean };

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

/** Returns the groups with the most units. Ties are broken by ID. */
function largestOf(sums: readonly UsageSum[]): ReadonlySet<string | null> {
  const units = new Map<string | null, bigint>();
  for (const { id, units: some } of sums) units.set(id, (units.get(id) ?? 0n) + some);
  const sorted = [...units].sort(([a, x], [b, y]) =>
    x === y ? ((a ?? '') < (b ?? '') ? -1 : 1) : x > y ? -1 : 1,
  );
  return new Set(sorted.slice(0, maxGroups).map(([id]) => id));
}

/** Returns a function that looks up a group's key and name by ID. For AI models, the key and the name equal the ID. */
export async function groupsOf(
  ctx: Context,
  groupBy: UsageColumn,
  sums: readonly Pick<UsageSum, 'id'>[],
): Promise<(id: string | null) => Group> {
  const ids = [...new Set(sums.map(({ id }) => id))].filter((id) => id !== null);
  const rows =
    groupBy === 'model'
      ? ids.map((id) => ({ id, key: id, name: id }))
      : await readUsageGroups(ctx.reads, groupBy, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (id) => {
    if (id === null) return { key: otherGroup, name: 'Other' };
    const { key, name } = byId.get(id) ?? { key: id, name: id };
    return { key, name: name ?? key };
  };
}

/** Returns usage by bucket and group. The 50 groups with the most units are separate; all other groups are combined. */
async function sumsOf(ctx: Context, spans: Spans, choice: UsageChoice): Promise<UsageSum[]> {
  if (choice.groupBy === 'customer')
    return readCustomerUsage(ctx.reads, spans, choice.featureCode, maxGroups);
  const sums = await readUsageSums(ctx.reads, spans, choice);
  const largest = largestOf(sums);
  return sums.map((sum) => (largest.has(sum.id) ? sum : { ...sum, id: null }));
}

/**
 * Calculates usage by bucket, with one series per feature, AI model, plan, or customer. The 50 groups with the most units are separate; all
 * other groups are combined.
 */
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
  const groupBy = input.groupBy ?? 'feature';
  const buckets = bucketsOf({ from, to }, interval);
  const starts = buckets.map(({ start }) => start);
  const spans = spansOfSums({ from, to }, isOfMonths(interval, false));
  const [sums, isComplete] = await Promise.all([
    sumsOf(ctx, { starts, spans }, { groupBy, featureCode: input.featureCode ?? null }),
    readIsComplete(ctx.reads, usageSource),
  ]);
  const toGroup = await groupsOf(ctx, groupBy, sums);
  return [...Map.groupBy(sums, ({ id }) => id)]
    .map(([id, own]) => ({ group: toGroup(id), bySpan: Map.groupBy(own, ({ span }) => span) }))
    .sort((a, b) => (a.group.key < b.group.key ? -1 : 1))
    .map(({ group, bySpan }) => ({
      group,
      isComplete,
      points: buckets.map((bucket, span) => ({
        ...bucket,
        isClosed: isClosedDay(bucket.end, ctx.clock.now()),
        ...(bySpan.get(span) ?? []).reduce(added, nothing),
      })),
    }));
}
