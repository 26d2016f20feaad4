import { rowSets } from '../../infra/row-sets.ts';

// What decides about the use of features beside the subscriptions that hold them, by one statement: $2 subscriptions, $3 their plans, $4 codes
// of features, $5 the callers' event ids, $6 customers.

const models = {
  counters: 'UsageCounter',
  events: 'UsageEvent',
  counts: 'FeatureCount',
  activations: 'AddonActivation',
  addons: 'Addon',
  addonVersions: 'AddonVersion',
  plans: 'Plan',
  prices: 'PlanPrice',
  priceVersions: 'PlanPriceVersion',
  priceOverrides: 'PlanPriceOverride',
  planFeatureVersions: 'PlanFeatureVersion',
  featureRates: 'PlanFeatureRate',
  exchangeRates: 'PlanExchangeRate',
  features: 'Feature',
} as const;

// Parts join what they belong to, so that each row is found by its key, whatever the server believes about the sizes of tables.
const common = `
  activation AS MATERIALIZED (
    SELECT t.* FROM "Subscription" s JOIN "AddonActivation" t ON t."environmentId" = $1 AND t."subscriptionId" = s.id
      AND (t.status = 'active' OR t."deactivatedAt" >= s."periodStart")
    WHERE s."environmentId" = $1 AND s.id = ANY($2)
      AND EXISTS (SELECT 1 FROM "AddonActivation" a WHERE a."environmentId" = $1)),
  addon AS MATERIALIZED (
    SELECT t.* FROM "Addon" t WHERE t."environmentId" = $1 AND t.id = ANY(ARRAY(SELECT "addonId" FROM activation))),
  price AS MATERIALIZED (SELECT t.* FROM "PlanPrice" t WHERE t."environmentId" = $1 AND t."planId" = ANY($3)),
  held AS MATERIALIZED (SELECT t.* FROM "PlanFeatureVersion" t WHERE t."environmentId" = $1 AND t."planId" = ANY($3)),
  feature AS MATERIALIZED (
    SELECT t.* FROM "Feature" t WHERE t."environmentId" = $1
      AND (t.id = ANY(ARRAY(SELECT "featureId" FROM held UNION SELECT "featureId" FROM addon)) OR (t.code = ANY($4) AND t."deletedAt" IS NULL)))`;

const ofPlans = (table: string): string => `"${table}" t WHERE t."environmentId" = $1 AND t."planId" = ANY($3)`;
const ofPrices = (table: string): string => `"${table}" t WHERE t."environmentId" = $1 AND t."priceId" = ANY(ARRAY(SELECT id FROM price))`;

/** Reads the rows. A caller that locks does so before, so that this sees what the locks protect. */
export const readUsageRows = rowSets(models, common, {
  counters: `feature f CROSS JOIN unnest($2::text[]) AS named(id) JOIN "UsageCounter" t ON t."environmentId" = $1 AND t.id = named.id || ':' || f.id
    WHERE f.code = ANY($4) AND f."deletedAt" IS NULL`,
  events: `unnest($5::text[]) AS named(id) JOIN "UsageEvent" t ON t."environmentId" = $1 AND t."eventId" = named.id`,
  counts: `feature f CROSS JOIN unnest($6::text[]) AS named(id) JOIN "FeatureCount" t ON t."environmentId" = $1 AND t.id = named.id || ':' || f.id
    WHERE f.code = ANY($4) AND f."deletedAt" IS NULL AND f.type IN ('seats', 'quota')`,
  activations: 'activation t ORDER BY t.seq',
  addons: 'addon t',
  addonVersions: `"AddonVersion" t WHERE t."environmentId" = $1 AND t."addonId" = ANY(ARRAY(SELECT id FROM addon))`,
  plans: '"Plan" t WHERE t."environmentId" = $1 AND t.id = ANY($3)',
  prices: 'price t',
  priceVersions: ofPrices('PlanPriceVersion'),
  priceOverrides: ofPrices('PlanPriceOverride'),
  planFeatureVersions: 'held t',
  featureRates: ofPlans('PlanFeatureRate'),
  exchangeRates: ofPlans('PlanExchangeRate'),
  features: 'feature t',
});
