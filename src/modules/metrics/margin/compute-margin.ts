import { largestGroups, maxGroups } from '../../../domain/metrics/groups.ts';
import { bucketsOf, type DayRange, spansOfSums } from '../../../domain/metrics/range.ts';
import { exactText, ratio } from '../../../domain/rates/exact.ts';
import type { Context } from '../../../request/context.ts';
import { readIsComplete, type Spans } from '../day-sums/store.ts';
import type { Group } from '../ranges/types.ts';
import { groupsOf } from '../usage-days/compute-usage.ts';
import { usageSource } from '../usage-days/store.ts';
import {
  type MarginAmounts,
  type MarginSum,
  marginSource,
  readCustomerMargins,
  readMarginSums,
} from './store.ts';

export type MarginGrouping = 'feature' | 'model' | 'plan' | 'customer' | 'day' | 'month';

/** Price, cost, and margin of a group in one currency, as decimals. `null` if an exchange rate is missing. */
export type Margin = {
  readonly group: Group;
  readonly currency: string;
  readonly price: string;
  readonly cost: string | null;
  readonly margin: string | null;
  readonly priceUsd: string | null;
  readonly costUsd: string;
  readonly marginUsd: string | null;
  readonly isBelowCost: boolean;
  readonly isComplete: boolean;
};

const decimal = (fine: bigint): string => exactText(ratio(fine, 10n ** 18n));

/** Returns the amounts of a group. */
function marginOf([
  price = 0n,
  cost = 0n,
  priceUsd = 0n,
  costUsd = 0n,
  missingCost = 0n,
  missingUsd = 0n,
]: MarginAmounts) {
  const isCostKnown = missingCost === 0n;
  const isUsdKnown = missingUsd === 0n;
  return {
    price: decimal(price),
    cost: isCostKnown ? decimal(cost) : null,
    margin: isCostKnown ? decimal(price - cost) : null,
    priceUsd: isUsdKnown ? decimal(priceUsd) : null,
    costUsd: decimal(costUsd),
    marginUsd: isUsdKnown ? decimal(priceUsd - costUsd) : null,
    isBelowCost: (isCostKnown && price < cost) || (isUsdKnown && priceUsd < costUsd),
  };
}

const sizeOf = ([, , priceUsd = 0n, costUsd = 0n]: MarginAmounts): bigint =>
  (priceUsd < 0n ? -priceUsd : priceUsd) + costUsd;

/** Combines all groups except the 50 with the largest amounts. */
function withOther(sums: readonly MarginSum[]): readonly MarginSum[] {
  const largest = largestGroups(sums.map(({ id, amounts }) => ({ key: id ?? '', amount: sizeOf(amounts) })));
  return sums.map((sum) => (largest.has(sum.id ?? '') ? sum : { ...sum, id: null }));
}

/** Returns the sums by group, with the group's key and name. */
async function groupedSums(
  ctx: Context,
  range: DayRange,
  groupBy: MarginGrouping,
): Promise<readonly (MarginSum & { readonly group: Group })[]> {
  const isByTime = groupBy === 'day' || groupBy === 'month';
  const buckets = bucketsOf(range, isByTime ? groupBy : 'month');
  const spans: Spans = {
    starts: isByTime ? buckets.map(({ start }) => start) : [range.from],
    spans: spansOfSums(range, groupBy !== 'day'),
  };
  if (isByTime) {
    const sums = await readMarginSums(ctx.reads, spans, 'feature');
    return sums.map((sum) => {
      const key = buckets[sum.span]?.start ?? '';
      return { ...sum, id: key, group: { key, name: key } };
    });
  }
  const sums =
    groupBy === 'customer'
      ? await readCustomerMargins(ctx.reads, spans, maxGroups)
      : withOther(await readMarginSums(ctx.reads, spans, groupBy));
  const toGroup = await groupsOf(ctx, groupBy, sums);
  return sums.map((sum) => ({ ...sum, group: toGroup(sum.id) }));
}

/**
 * Calculates the price, cost, and margin of usage in a date range by group and currency (PRM-119). The 50 groups with the
 * largest amounts are separate; all other groups are combined.
 */
export async function computeMargin(
  ctx: Context,
  { from, to, groupBy }: DayRange & { readonly groupBy?: MarginGrouping | null | undefined },
): Promise<Margin[]> {
  const [sums, ...complete] = await Promise.all([
    groupedSums(ctx, { from, to }, groupBy ?? 'feature'),
    readIsComplete(ctx.reads, usageSource),
    readIsComplete(ctx.reads, marginSource),
  ]);
  const isComplete = complete.every(Boolean);
  return [...Map.groupBy(sums, ({ group, currency }) => JSON.stringify([group.key, currency]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => {
      const [first] = own;
      if (first === undefined) return [];
      const amounts = own
        .map((sum) => sum.amounts)
        .reduce((a, b) => a.map((amount, index) => amount + (b[index] ?? 0n)));
      return [{ group: first.group, currency: first.currency, ...marginOf(amounts), isComplete }];
    });
}
