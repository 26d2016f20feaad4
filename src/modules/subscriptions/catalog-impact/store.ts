import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';

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

/** Features of plans and add-ons whose price changes. */
export type PricedFeatures = {
  readonly plans: readonly { readonly planId: string; readonly featureId: string }[];
  readonly addons: readonly { readonly addonId: string; readonly featureId: string }[];
};

/** Ended usage window with the currency and the market of its subscription. */
export type LastWindow = Row<'EndedUsage'> & { readonly currency: string; readonly marketId: string | null };

/** Number of windows per read. Limited because price lists can be large. */
const windowsAtOnce = 200;

/**
 * Returns the last ended usage windows of features, in batches. Reads at most `maxSubscribers` subscriptions that give access.
 * `isStaying` excludes subscriptions that end or change after their current period.
 */
export async function* readLastWindows(
  sql: Query,
  { plans, addons }: PricedFeatures,
  isStaying: boolean,
): AsyncGenerator<readonly LastWindow[]> {
  const staying = isStaying ? `AND NOT t."cancelAtPeriodEnd" AND t."scheduledChange" IS NULL` : '';
  const found = await sql<{ readonly id: string }>(
    `WITH priced AS (
       SELECT t.id, t."windowStart", u.feature FROM unnest($3::text[], $4::text[]) AS u(plan, feature)
       JOIN "Subscription" t ON t."environmentId" = $1 AND t."planId" = u.plan AND t.status::text = ANY($2) ${staying}
       UNION
       SELECT t.id, t."windowStart", u.feature FROM unnest($5::text[], $6::text[]) AS u(addon, feature)
       JOIN "AddonActivation" a ON a."environmentId" = $1 AND a."addonId" = u.addon AND a.status = 'active'
       JOIN "Subscription" t ON t."environmentId" = $1 AND t.id = a."subscriptionId" AND t.status::text = ANY($2) ${staying}
       LIMIT ${maxSubscribers})
     SELECT DISTINCT ON (e."subscriptionId", e."featureId") e.id FROM priced p
     JOIN "EndedUsage" e ON e."environmentId" = $1 AND e."subscriptionId" = p.id AND e."featureId" = p.feature
       AND e."windowEnd" = p."windowStart"
     ORDER BY e."subscriptionId", e."featureId", e.seq DESC`,
    [
      accessStatuses,
      plans.map(({ planId }) => planId),
      plans.map(({ featureId }) => featureId),
      addons.map(({ addonId }) => addonId),
      addons.map(({ featureId }) => featureId),
    ],
  );
  for (let first = 0; first < found.length; first += windowsAtOnce)
    yield await sql<LastWindow>(
      `SELECT ${columnList('EndedUsage', 'e')}, s.currency, s."marketId" FROM "EndedUsage" e
       JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = e."subscriptionId"
       WHERE e."environmentId" = $1 AND e.id = ANY($2)`,
      [found.slice(first, first + windowsAtOnce).map(({ id }) => id)],
    );
}
