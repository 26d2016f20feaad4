import type { Context } from '../context.ts';
import { catalogOf, type FeatureRow } from '../domain/pricing/catalog.ts';
import type { CountChange, CountType } from '../domain/subscription/commands/counts-change.ts';
import type { SubscriptionRow } from '../domain/subscription/state/aggregate.ts';
import type { FeatureCountRow } from '../domain/usage/rows.ts';
import { heldUsageTerms, type UsageTerms } from '../domain/usage/terms.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { Row } from '../platform/db/rows.ts';
import { newId } from '../platform/ids.ts';
import { executeOne } from './execute.ts';
import { loadActivations } from './load-addons.ts';
import { loadCatalogRows, plansOf } from './load-catalog.ts';
import { readAccessSubscriptions } from './usage/load.ts';

/** A countable feature of the plan a customer is on, and the terms it is held at. */
export type CountTerms = { readonly feature: FeatureRow; readonly terms: UsageTerms };

/** What a customer may hold and holds. */
export type HeldCounts = {
  /** The subscription that gives access; null without one. */
  readonly subscription: SubscriptionRow | null;
  /** The seats and quota features of its plan, in order of their codes. */
  readonly features: readonly CountTerms[];
  /** The counts of the customer by feature id, those of other plans included (CON-34). */
  readonly counts: ReadonlyMap<string, FeatureCountRow>;
};

/** Reads the counts of customers without locks, in the same number of statements for one as for a hundred. */
export async function readHeldCounts(
  ctx: Context,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, HeldCounts>> {
  const now = ctx.clock.now();
  const subscriptions = await readAccessSubscriptions(ctx, customerIds);
  const planIds = plansOf(subscriptions);
  const activations = await loadActivations(
    ctx,
    subscriptions.map(({ id }) => id),
  );
  const addonIds = activations.map(({ addonId }) => addonId);
  const catalog = catalogOf(
    await loadCatalogRows(ctx, {
      planIds,
      addonIds,
      planCodes: [],
      priceIds: [],
      featureCodes: [],
      countries: [],
    }),
  );
  const addonsOf = Map.groupBy(activations, ({ subscriptionId }) => subscriptionId);
  const counts = await ctx.sql<FeatureCountRow>(
    `SELECT ${columnList('FeatureCount', 't')} FROM "FeatureCount" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) ORDER BY t.seq`,
    [customerIds],
  );
  const countable = [...catalog.features.values()]
    .filter(({ type }) => type === 'seats' || type === 'quota')
    .sort((a, b) => (a.code < b.code ? -1 : 1));
  const termsOf = (subscription: SubscriptionRow): CountTerms[] => {
    const plan = catalog.plans.get(subscription.planId);
    if (plan === undefined) throw new Error(`The plan ${subscription.planId} is not in the catalog.`);
    return countable.flatMap((feature) => {
      const terms = heldUsageTerms(
        catalog,
        { plan, subscription, addons: addonsOf.get(subscription.id) ?? [] },
        feature,
        now,
      );
      return terms === null ? [] : [{ feature, terms }];
    });
  };
  const bySubscriber = new Map(subscriptions.map((row) => [row.customerId, row]));
  const byCustomer = Map.groupBy(counts, ({ customerId }) => customerId);
  return new Map(
    customerIds.map((id) => {
      const subscription = bySubscriber.get(id) ?? null;
      const held = new Map((byCustomer.get(id) ?? []).map((row) => [row.featureId, row]));
      return [
        id,
        { subscription, features: subscription === null ? [] : termsOf(subscription), counts: held },
      ];
    }),
  );
}

const eventPrefix = { seats: 'sev', quota: 'qev' } as const;

/**
 * Changes counts of a customer, all or none, and answers an event for each change in their order. Throws the first rejection, after which
 * nothing has changed (CON-35, CON-46).
 */
export async function changeCounts(
  ctx: Context,
  customerId: string,
  type: CountType,
  wanted: readonly Omit<CountChange, 'eventId'>[],
): Promise<Row<'CountEvent'>[]> {
  const changes = wanted.map((change) => ({ ...change, eventId: newId(eventPrefix[type]) }));
  await executeOne(ctx, customerId, { kind: 'counts.change', type, changes });
  const rows = await ctx.db.countEvent.findMany({
    where: { id: { in: changes.map(({ eventId }) => eventId) } },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return changes.map(({ eventId }) => {
    const event = byId.get(eventId);
    if (event === undefined) throw new Error(`The event ${eventId} was not written.`);
    return event;
  });
}
