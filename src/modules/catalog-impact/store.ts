import { accessStatuses } from '../../domain/subscription/state/transitions.ts';
import type { Query } from '../../platform/db/pool.ts';

/** Subscriptions that are counted at most. */
export const mostSubscribers = 10_000;
/** Ids that are read of those concerned. */
export const mostSamples = 25;

/** Subscriptions to the same price, in the same market and currency: how many, when their periods end, and the first of them. */
export type SubscriberGroup = {
  readonly priceId: string | null;
  readonly marketId: string | null;
  readonly currency: string;
  readonly count: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly sample: readonly { readonly id: string; readonly at: Date | null }[];
};

/** Which subscriptions: those to one of these prices, to a plan, or with an add-on. */
export type Subscribers =
  | { readonly priceIds: readonly string[] }
  | { readonly planId: string }
  | { readonly addonId: string };

const isMeant = (subscribers: Subscribers): { readonly where: string; readonly value: unknown } => {
  if ('priceIds' in subscribers) return { where: 't."priceId" = ANY($3)', value: subscribers.priceIds };
  if ('planId' in subscribers) return { where: 't."planId" = $3', value: subscribers.planId };
  const active = `SELECT a."subscriptionId" FROM "AddonActivation" a WHERE a."environmentId" = $1 AND a."addonId" = $3 AND a.status = 'active'`;
  return { where: `t.id IN (${active})`, value: subscribers.addonId };
};

/**
 * The subscriptions with access that are meant, in groups. `isStaying` leaves out those that end or change with their running period. One
 * statement, which reads up to one more than `mostSubscribers` rows.
 */
export function readSubscribers(
  sql: Query,
  subscribers: Subscribers,
  isStaying: boolean,
): Promise<SubscriberGroup[]> {
  const { where, value } = isMeant(subscribers);
  const staying = isStaying ? `AND NOT t."cancelAtPeriodEnd" AND t."scheduledChange" IS NULL` : '';
  return sql<SubscriberGroup>(
    `SELECT "priceId", "marketId", currency, count(*)::int AS count, min(at) AS "firstAt", max(at) AS "lastAt",
       to_json((array_agg(json_build_object('id', id, 'at', at) ORDER BY at, id))[1:${mostSamples}]) AS sample
     FROM (SELECT t.id, t."priceId", t."marketId", t.currency, coalesce(t."periodEnd", t."windowEnd") AS at FROM "Subscription" t
       WHERE t."environmentId" = $1 AND t.status::text = ANY($2) AND ${where} ${staying} LIMIT ${mostSubscribers + 1}) AS concerned
     GROUP BY "priceId", "marketId", currency ORDER BY "priceId", "marketId", currency`,
    [accessStatuses, value],
  );
}
