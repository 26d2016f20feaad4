import type { Context } from '../../context.ts';
import type { AccessFacts } from '../../domain/consumption/access.ts';
import { counterId, counterIn } from '../../domain/consumption/counter.ts';
import { noCount } from '../../domain/consumption/counts.ts';
import { grantRaise } from '../../domain/consumption/pools.ts';
import type { ConsumptionAccountRow, FeatureCountRow, UsageCounterRow } from '../../domain/consumption/rows.ts';
import { spansOf } from '../../domain/subscription/periods.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import type { SubscriptionRow } from './find.ts';
import { hasAccess, loadHeldFeatures, loadIncluded } from './terms.ts';

// What a subscription has left and has used. Everything goes through batched loaders, so that a page costs a constant number of statements.

/** The pools of a subscription, with what was included since the window opened and will be granted with the next draw (CAT-49). */
export async function loadAccount(context: Context, subscription: SubscriptionRow): Promise<ConsumptionAccountRow> {
  const [plan, account, included] = await Promise.all([
    loadExistingRow(context, 'Plan', subscription.planId),
    loadExistingRow(context, 'ConsumptionAccount', subscription.id),
    loadIncluded(context, subscription),
  ]);
  return hasAccess(subscription) ? grantRaise(account, plan.consumptionModel, included).account : account;
}

/** A stored counter; the engine writes no other levels of alerts. */
const counterOf = (row: Row<'UsageCounter'>): UsageCounterRow => row as UsageCounterRow;

/** A stored count; the engine writes its steps in this shape. */
const countOf = (row: Row<'FeatureCount'>): FeatureCountRow => row as unknown as FeatureCountRow;

/** Every feature a subscription with access holds, in order of the codes, with what decides about its use (CON-53). */
export async function loadAccess(context: Context, subscription: SubscriptionRow): Promise<AccessFacts[]> {
  const { id: subscriptionId, customerId } = subscription;
  const [held, account, counters, counts] = await Promise.all([
    loadHeldFeatures(context, subscription),
    loadAccount(context, subscription),
    loadRowsBy(context, 'UsageCounter', 'subscriptionId', subscriptionId, 'seq'),
    loadRowsBy(context, 'FeatureCount', 'customerId', customerId, 'seq'),
  ]);
  const { window, period } = spansOf(subscription);
  const counterById = new Map(counters.map((row) => [row.id, counterOf(row)]));
  const countByFeature = new Map(counts.map((row) => [row.featureId, countOf(row)]));
  return held.map(({ feature, terms, base }) => {
    const of = { customerId, subscriptionId, featureId: feature.id };
    const counter = counterIn(counterById.get(counterId(subscriptionId, feature.id)) ?? null, of, window.start);
    const count = countByFeature.get(feature.id) ?? noCount(customerId, feature.id, context.clock.now());
    return { feature, terms, base, subscription, window, period, meter: { account, counter }, count };
  });
}
