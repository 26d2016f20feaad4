import type {
  AddonRow,
  CatalogRows,
  CreditPackRow,
  ExchangeRateRow,
  FeatureRow,
  MarketCountryRow,
  PlanFeatureVersionRow,
  PlanPriceRow,
  PlanPriceVersionRow,
  PlanRow,
  PriceOverrideRow,
  StoredAddonVersionRow,
} from '../../domain/pricing/catalog.ts';
import type { SubscriptionRow } from '../../domain/rows/rows.ts';
import { currencyOfCountry } from '../../platform/countries.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { together } from '../../platform/together.ts';
import type { Context } from '../../request/context.ts';

/**
 * Catalog rows to load. Plans are identified by ID, by code (except deleted plans), or by one of their
 * prices; features are identified by code. `countries` are the countries whose markets are loaded.
 */
export type CatalogNeeds = {
  readonly planIds: readonly string[];
  readonly planCodes: readonly string[];
  readonly priceIds: readonly string[];
  readonly featureCodes: readonly string[];
  readonly countries: readonly string[];
  /** Add-ons to load together with their features. */
  readonly addonIds: readonly string[];
};

/**
 * Returns the IDs of the plans that determine the subscriptions' features: the subscribed plans and the
 * granted plans.
 */
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

const loadExchangeRates = (ctx: Context, planIds: readonly string[]): Promise<ExchangeRateRow[]> =>
  ctx.sql<ExchangeRateRow>(
    `SELECT ${columnList('PlanExchangeRate', 't')} FROM "PlanExchangeRate" t WHERE t."environmentId" = $1 AND t."planId" = ANY($2)`,
    [planIds],
  );

/**
 * Loads the markets for countries. Executes no SQL statement if the list is empty, which is common because
 * subscriptions that renew already have a market.
 */
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
 * Loads credit packs for a purchase and locks them against changes. Customers must be locked first. Executes no SQL
 * statement if `ids` is empty.
 */
export const loadCreditPacks = async (ctx: Context, ids: readonly string[]): Promise<CreditPackRow[]> =>
  ids.length === 0
    ? []
    : ctx.sql<CreditPackRow>(
        `SELECT ${columnList('CreditPack', 't')} FROM "CreditPack" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR SHARE`,
        [ids],
      );

/** Loads add-ons with all versions. Executes no SQL statement if there are no IDs. */
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

/** Loads plan prices with all versions and overrides. */
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

/** Loads the features of plans and add-ons, and the features that commands reference by code. */
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
 * Loads plans with all versions of their prices and features. Executes 7 SQL statements in 3 round trips, plus 1 for
 * countries and 2 for add-ons.
 */
export async function loadCatalogRows(ctx: Context, needs: CatalogNeeds): Promise<CatalogRows> {
  const plans = await ctx.sql<PlanRow>(
    `SELECT ${columnList('Plan', 't')} FROM "Plan" t WHERE t."environmentId" = $1 AND (t.id = ANY($2)
       OR (t.code = ANY($3) AND t."deletedAt" IS NULL)
       OR t.id IN (SELECT "planId" FROM "PlanPrice" WHERE "environmentId" = $1 AND id = ANY($4)))`,
    [needs.planIds, needs.planCodes, needs.priceIds],
  );
  const planIds = plans.map(({ id }) => id);
  const [prices, features, exchangeRates, marketCountries] = await together([
    loadPrices(ctx, planIds),
    loadFeatures(ctx, planIds, needs),
    loadExchangeRates(ctx, planIds),
    loadMarketCountries(ctx, needs.countries),
  ]);
  return { plans, ...prices, ...features, exchangeRates, marketCountries, currencyOfCountry };
}
