import { catalogOf, type FeatureRow } from '../domain/pricing/catalog.ts';
import type { FeatureCountRow } from '../domain/rows/usage-rows.ts';
import type { CountChange, CountType } from '../domain/subscription/commands/counts-change.ts';
import type { SubscriptionRow } from '../domain/subscription/state/aggregate.ts';
import { heldUsageTerms, type UsageTerms } from '../domain/usage/terms.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { Row } from '../platform/db/rows.ts';
import { newId } from '../platform/ids.ts';
import type { Context } from '../request/context.ts';
import { loadActivations } from './load/addons.ts';
import { loadCatalogRows, plansOf } from './load/catalog.ts';
import { readAccessSubscriptions } from './usage/load.ts';

/** Seats or quota feature with its terms for the subscription. */
type CountTerms = { readonly feature: FeatureRow; readonly terms: UsageTerms };

export type HeldCounts = {
  /** Subscription that gives access. `null` if the customer has no such subscription. */
  readonly subscription: SubscriptionRow | null;
  /** Features of the plan, sorted by code. */
  readonly features: readonly CountTerms[];
  /** Counts by feature ID, including features that aren't in the plan (CON-34). */
  readonly counts: ReadonlyMap<string, FeatureCountRow>;
};

/**
 * Reads the customers' seats and quota counts without locking them. The number of SQL statements doesn't depend on the
 * number of customers.
 */
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
 * Returns the command that changes several seats or quota counts of a customer. If one of the changes is rejected,
 * the command changes none of them (CON-35, CON-46).
 */
export const countsCommand = (type: CountType, wanted: readonly Omit<CountChange, 'eventId'>[]) =>
  ({
    kind: 'counts.change',
    type,
    changes: wanted.map((change) => ({ ...change, eventId: newId(eventPrefix[type]) })),
  }) as const;

/** Returns one event for each change that an executed command made, in order. */
export async function readCountEvents(
  ctx: Context,
  changes: readonly Pick<CountChange, 'eventId'>[],
): Promise<Row<'CountEvent'>[]> {
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

/** Returns the event of an executed command with a single change. */
export async function readCountEvent(
  ctx: Context,
  { command }: { readonly command: { readonly changes: readonly Pick<CountChange, 'eventId'>[] } },
): Promise<Row<'CountEvent'>> {
  const [event] = await readCountEvents(ctx, command.changes);
  if (event === undefined) throw new Error('A change has no event.');
  return event;
}
