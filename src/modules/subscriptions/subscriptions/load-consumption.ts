import DataLoader from 'dataloader';
import { type Account, accountWith } from '../../../domain/lots/account.ts';
import { grantRaise } from '../../../domain/lots/movements.ts';
import { holdsLevel } from '../../../domain/meters/meter.ts';
import type { FeatureRow } from '../../../domain/pricing/catalog.ts';
import { poolsOf } from '../../../domain/pricing/pools.ts';
import { rolloverEnds } from '../../../domain/pricing/rollover.ts';
import type { CustomerLevelRow } from '../../../domain/rows/level-row.ts';
import type { MeasuredEventRow, UsageCounterRow } from '../../../domain/rows/usage-rows.ts';
import { spansOf } from '../../../domain/subscription/schedule/periods.ts';
import type { AccessDetails } from '../../../domain/usage/access.ts';
import { countedIn, counterId, counterIn } from '../../../domain/usage/counter.ts';
import { noCount } from '../../../domain/usage/counts.ts';
import { withMeterOf } from '../../../domain/usage/metered-terms.ts';
import { type LevelNames, readLevels } from '../../../engine/load/levels.ts';
import { readMeasured } from '../../../engine/load/measured.ts';
import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { hasAccess, loadHeldFeatures, loadIncluded } from './load-terms.ts';
import type { SubscriptionRow } from './store.ts';

// Usage and remaining allowances of subscriptions. All reads are batched, so a page runs a constant number of SQL statements.

/**
 * Returns the balances of a subscription. Includes amounts that were added to the price after the usage window started. These amounts are
 * stored with the next deduction (CAT-49).
 */
export async function loadAccount(ctx: Context, subscription: SubscriptionRow): Promise<Account> {
  const { windowStart, windowEnd, currency } = subscription;
  const [plan, row, lots, included] = await Promise.all([
    loadExistingRow(ctx, 'Plan', subscription.planId),
    loadExistingRow(ctx, 'ConsumptionAccount', subscription.id),
    loadRowsBy(ctx, 'Lot', 'subscriptionId', subscription.id, 'seq', { isOpen: true }),
    loadIncluded(ctx, subscription),
  ]);
  const context = {
    now: ctx.clock.now(),
    windowStart,
    windowEnd,
    currency,
    newId,
    rolloverEnds: rolloverEnds(plan, subscription),
  };
  const account = accountWith(row, lots, context);
  return hasAccess(subscription) ? grantRaise(account, poolsOf(plan), included).account : account;
}

/**
 * Returns the events of a subscription's counters whose totals are known only at the end of their windows. Batched, but not cached: the events of
 * several subscriptions are read with one SQL statement.
 */
function loadMeasured(ctx: Context, counters: readonly UsageCounterRow[]): Promise<MeasuredEventRow[]> {
  const loader = ctx.once('usage:measured', () => {
    return new DataLoader<readonly UsageCounterRow[], MeasuredEventRow[]>(
      async (lists) => {
        const events = Map.groupBy(
          await readMeasured(ctx.sql, lists.flat()),
          ({ subscriptionId }) => subscriptionId,
        );
        return lists.map(([first]) => events.get(first?.subscriptionId ?? '') ?? []);
      },
      { cache: false },
    );
  });
  return loader.load(counters);
}

/** Returns the levels that a customer holds, by feature ID. Reads nothing if no feature holds a level. */
async function loadLevels(
  ctx: Context,
  customerId: string,
  features: readonly Pick<FeatureRow, 'id' | 'meters'>[],
): Promise<ReadonlyMap<string, bigint>> {
  const featureIds = features.filter(({ meters }) => meters.some(holdsLevel)).map(({ id }) => id);
  if (featureIds.length === 0) return new Map();
  const loader = ctx.once('usage:levels', () => {
    return new DataLoader<LevelNames, readonly CustomerLevelRow[]>(
      async (names) => {
        const customerIds = names.flatMap((one) => one.customerIds);
        const all = [...new Set(names.flatMap((one) => one.featureIds))];
        const rows = Map.groupBy(
          await readLevels(ctx.sql, { customerIds, featureIds: all }),
          (row) => row.customerId,
        );
        return names.map((one) => rows.get(one.customerIds[0] ?? '') ?? []);
      },
      { cache: false },
    );
  });
  const rows = await loader.load({ customerIds: [customerId], featureIds });
  return new Map(rows.map(({ featureId, level }) => [featureId, level]));
}

/** Returns the features of a subscription, sorted by code, with the data that determines access (CON-53). */
export async function loadAccess(ctx: Context, subscription: SubscriptionRow): Promise<AccessDetails[]> {
  const { id: subscriptionId, customerId } = subscription;
  const [held, account, counters, counts] = await Promise.all([
    loadHeldFeatures(ctx, subscription),
    loadAccount(ctx, subscription),
    loadRowsBy(ctx, 'UsageCounter', 'subscriptionId', subscriptionId, 'seq'),
    loadRowsBy(ctx, 'FeatureCount', 'customerId', customerId, 'seq'),
  ]);
  const { window, period } = spansOf(subscription);
  const counterById = new Map(counters.map((row) => [row.id, row]));
  const open = counters.filter(({ windowStart }) => windowStart.getTime() === window.start.getTime());
  const [measured, levels] = await Promise.all([
    loadMeasured(ctx, open),
    loadLevels(
      ctx,
      customerId,
      held.map(({ feature }) => feature),
    ),
  ]);
  const soFar = { start: window.start, end: ctx.clock.now() };
  const countByFeature = new Map(counts.map((row) => [row.featureId, row]));
  return held.map(({ feature, terms, base }) => {
    const of = { customerId, subscriptionId, featureId: feature.id };
    const stored = counterById.get(counterId(subscriptionId, feature.id)) ?? null;
    const level = stored?.level ?? levels.get(feature.id) ?? null;
    const opened = counterIn(stored, of, window.start, terms.meter?.document ?? null, level);
    const counter = countedIn(opened, measured, soFar);
    const count = countByFeature.get(feature.id) ?? noCount(customerId, feature.id, ctx.clock.now());
    const shared = { base, subscription, window, period };
    return { feature, terms: withMeterOf(terms, counter), ...shared, meter: { account, counter }, count };
  });
}
