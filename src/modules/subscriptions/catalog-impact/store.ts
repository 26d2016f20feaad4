import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';
import type { Query } from '../../../platform/db/pool.ts';

/** Maximum number of subscriptions to count. */
export const maxSubscribers = 10_000;
/** Maximum number of sample subscription IDs. */
export const maxSamples = 25;

/** Subscriptions with the same price, market, and currency: count, first and last period end, and sample IDs. */
export type SubscriberGroup = {
  readonly priceId: string | null;
  readonly marketId: string | null;
  readonly currency: string;
  readonly count: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly sample: readonly { readonly id: string; readonly at: Date | null }[];
};

export type Subscribers =
  | { readonly priceIds: readonly string[] }
  | { readonly planId: string }
  | { readonly addonId: string }
  | { readonly planIds: readonly string[]; readonly addonIds: readonly string[] };

const active = `SELECT a."subscriptionId" FROM "AddonActivation" a WHERE a."environmentId" = $1 AND a.status = 'active' AND a."addonId"`;

const conditionOf = (
  subscribers: Subscribers,
): { readonly where: string; readonly values: readonly unknown[] } => {
  if ('priceIds' in subscribers) return { where: 't."priceId" = ANY($3)', values: [subscribers.priceIds] };
  if ('planId' in subscribers) return { where: 't."planId" = $3', values: [subscribers.planId] };
  if ('addonId' in subscribers) return { where: `t.id IN (${active} = $3)`, values: [subscribers.addonId] };
  const { planIds, addonIds } = subscribers;
  return { where: `(t."planId" = ANY($3) OR t.id IN (${active} = ANY($4)))`, values: [planIds, addonIds] };
};

/**
 * Returns the selected subscriptions that give access, grouped by price, market, and currency. `isStaying` excludes subscriptions that end
 * or change after their current period. Runs one SQL statement that reads at most `maxSubscribers` + 1 rows.
 */
export function readSubscribers(
  sql: Query,
  subscribers: Subscribers,
  isStaying: boolean,
): Promise<SubscriberGroup[]> {
  const { where, values } = conditionOf(subscribers);
  const staying = isStaying ? `AND NOT t."cancelAtPeriodEnd" AND t."scheduledChange" IS NULL` : '';
  return sql<SubscriberGroup>(
    `SELECT "priceId", "marketId", currency, count(*)::int AS count, min(at) AS "firstAt", max(at) AS "lastAt",
       to_json((array_agg(json_build_object('id', id, 'at', at) ORDER BY at, id))[1:${maxSamples}]) AS sample
     FROM (SELECT t.id, t."priceId", t."marketId", t.currency, coalesce(t."periodEnd", t."windowEnd") AS at FROM "Subscription" t
       WHERE t."environmentId" = $1 AND t.status::text = ANY($2) AND ${where} ${staying} LIMIT ${maxSubscribers + 1}) AS concerned
     GROUP BY "priceId", "marketId", currency ORDER BY "priceId", "marketId", currency`,
    [accessStatuses, ...values],
  );
}
