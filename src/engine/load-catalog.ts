import type { Context } from '../context.ts';
import type {
  AddonRow,
  CatalogRows,
  CreditPackRow,
  ExchangeRateRow,
  FeatureRateRow,
  FeatureRow,
  MarketCountryRow,
  PlanFeatureVersionRow,
  PlanPriceRow,
  PlanPriceVersionRow,
  PlanRow,
  PriceOverrideRow,
  StoredAddonVersionRow,
} from '../domain/pricing/catalog.ts';
import type { SubscriptionRow } from '../domain/subscription/state/rows.ts';
import { currencyOfCountry } from '../platform/countries.ts';
import { columnList } from '../platform/db/bulk.ts';
import { together } from '../platform/together.ts';

/**
 * Plans to read, by id, by the code of one that is not deleted, or by one of their prices; features named by code, in those plans or not;
 * and countries whose markets matter.
 */
export type CatalogNeeds = {
  readonly planIds: readonly string[];
  readonly planCodes: readonly string[];
  readonly priceIds: readonly string[];
  readonly featureCodes: readonly string[];
  readonly countries: readonly string[];
  /** Add-ons to read by id, with their features. */
  readonly addonIds: readonly string[];
};

/** The plans that say what subscriptions hold: their own, and those plan grants give access to. */
export const plansOf = (
  subscriptions: readonly Pick<SubscriptionRow, 'planId' | 'grantedPlanId'>[],
): string[] => [
  ...new Set(
    subscriptions.flatMap(({ planId, grantedPlanId }) =>
      grantedPlanId === null ? [planId] : [planId, grantedPlanId],
    ),
  ),
];

const loadOverrides = (ctx: Context, priceIds: readonly string[]): Promise<PriceOverrideRow[]> =>
  ctx.sql<PriceOverrideRow>(
    `SELECT ${columnList('PlanPriceOverride', 't')} FROM "PlanPriceOverride" t WHERE t."environmentId" = $1 AND t."priceId" = ANY($2)`,
    [priceIds],
  );

const loadFeatureRates = (ctx: Context, planIds: readonly string[]): Promise<FeatureRateRow[]> =>
  ctx.sql<FeatureRateRow>(
    `SELECT ${columnList('PlanFeatureRate', 't')} FROM "PlanFeatureRate" t WHERE t."environmentId" = $1 AND t."planId" = ANY($2)`,
    [planIds],
  );

const loadExchangeRates = (ctx: Context, planIds: readonly string[]): Promise<ExchangeRateRow[]> =>
  ctx.sql<ExchangeRateRow>(
    `SELECT ${columnList('PlanExchangeRate', 't')} FROM "PlanExchangeRate" t WHERE t."environmentId" = $1 AND t."planId" = ANY($2)`,
    [planIds],
  );

/** The markets of the countries; no statement without countries, since renewals have their market. */
const loadMarketCountries = async (
  ctx: Context,
  countries: readonly string[],
): Promise<MarketCountryRow[]> =>
  countries.length === 0
    ? []
    : ctx.sql<MarketCountryRow>(
        `SELECT t."countryCode", t."marketId" FROM "MarketCountry" t WHERE t."environmentId" = $1 AND t."countryCode" = ANY($2)`,
        [countries],
      );

/**
 * Credit packs that are bought, locked against a change or deletion until the purchase is written; no statement where none is bought. They
 * come after the customers in the order of locks.
 */
export const loadCreditPacks = async (ctx: Context, ids: readonly string[]): Promise<CreditPackRow[]> =>
  ids.length === 0
    ? []
    : ctx.sql<CreditPackRow>(
        `SELECT ${columnList('CreditPack', 't')} FROM "CreditPack" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR SHARE`,
        [ids],
      );

/** Add-ons and all their amounts; no statement without ids. */
async function loadAddons(
  ctx: Context,
  ids: readonly string[],
): Promise<Pick<CatalogRows, 'addons' | 'addonVersions'>> {
  if (ids.length === 0) return { addons: [], addonVersions: [] };
  const [addons, addonVersions] = await together([
    ctx.sql<AddonRow>(
      `SELECT ${columnList('Addon', 't')} FROM "Addon" t WHERE t."environmentId" = $1 AND t.id = ANY($2)`,
      [ids],
    ),
    ctx.sql<StoredAddonVersionRow>(
      `SELECT ${columnList('AddonVersion', 't')} FROM "AddonVersion" t WHERE t."environmentId" = $1 AND t."addonId" = ANY($2)`,
      [ids],
    ),
  ]);
  return { addons, addonVersions };
}

/** The prices of plans and all that was ever in force of them. */
async function loadPrices(
  ctx: Context,
  planIds: readonly string[],
): Promise<Pick<CatalogRows, 'prices' | 'priceVersions' | 'priceOverrides'>> {
  const prices = await ctx.sql<PlanPriceRow>(
    `SELECT ${columnList('PlanPrice', 't')} FROM "PlanPrice" t WHERE t."environmentId" = $1 AND t."planId" = ANY($2)`,
    [planIds],
  );
  const priceIds = prices.map(({ id }) => id);
  const [priceVersions, priceOverrides] = await together([
    ctx.sql<PlanPriceVersionRow>(
      `SELECT ${columnList('PlanPriceVersion', 't')} FROM "PlanPriceVersion" t WHERE t."environmentId" = $1 AND t."priceId" = ANY($2)`,
      [priceIds],
    ),
    loadOverrides(ctx, priceIds),
  ]);
  return { prices, priceVersions, priceOverrides };
}

/** The features of plans and add-ons, and those named by code. */
async function loadFeatures(
  ctx: Context,
  planIds: readonly string[],
  { addonIds, featureCodes }: CatalogNeeds,
): Promise<Pick<CatalogRows, 'addons' | 'addonVersions' | 'planFeatureVersions' | 'features'>> {
  const [planFeatureVersions, addons] = await together([
    ctx.sql<PlanFeatureVersionRow>(
      `SELECT ${columnList('PlanFeatureVersion', 't')} FROM "PlanFeatureVersion" t WHERE t."environmentId" = $1 AND t."planId" = ANY($2)`,
      [planIds],
    ),
    loadAddons(ctx, addonIds),
  ]);
  const named = [...planFeatureVersions, ...addons.addons].map(({ featureId }) => featureId);
  const features = await ctx.sql<FeatureRow>(
    `SELECT ${columnList('Feature', 't')} FROM "Feature" t WHERE t."environmentId" = $1 AND (t.id = ANY($2) OR (t.code = ANY($3) AND t."deletedAt" IS NULL))`,
    [[...new Set(named)], featureCodes],
  );
  return { planFeatureVersions, ...addons, features };
}

/**
 * Reads the plans, their prices and features, and all that was ever in force of both, in eight statements, one more for countries, two for add-ons. Those
 * that do not need each other's answers go out together: there are three answers to wait for.
 */
export async function loadCatalogRows(ctx: Context, needs: CatalogNeeds): Promise<CatalogRows> {
  const plans = await ctx.sql<PlanRow>(
    `SELECT ${columnList('Plan', 't')} FROM "Plan" t WHERE t."environmentId" = $1 AND (t.id = ANY($2)
       OR (t.code = ANY($3) AND t."deletedAt" IS NULL)
       OR t.id IN (SELECT "planId" FROM "PlanPrice" WHERE "environmentId" = $1 AND id = ANY($4)))`,
    [needs.planIds, needs.planCodes, needs.priceIds],
  );
  const planIds = plans.map(({ id }) => id);
  const [prices, features, featureRates, exchangeRates, marketCountries] = await together([
    loadPrices(ctx, planIds),
    loadFeatures(ctx, planIds, needs),
    loadFeatureRates(ctx, planIds),
    loadExchangeRates(ctx, planIds),
    loadMarketCountries(ctx, needs.countries),
  ]);
  return { plans, ...prices, ...features, featureRates, exchangeRates, marketCountries, currencyOfCountry };
}
