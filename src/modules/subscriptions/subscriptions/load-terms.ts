import type { Included } from '../../../domain/lots/movements.ts';
import { type Catalog, type CatalogRows, catalogOf, noCatalogRows } from '../../../domain/pricing/catalog.ts';
import { amountsAt, priceAt, type ResolvedPrice } from '../../../domain/pricing/resolve.ts';
import type { FeatureTerms } from '../../../domain/pricing/terms.ts';
import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';
import { termsByAddon } from '../../../domain/usage/addon-terms.ts';
import { heldIncluded } from '../../../domain/usage/included.ts';
import { type HeldUsage, heldUsageFeatures } from '../../../domain/usage/terms.ts';
import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import type { SubscriptionRow } from './store.ts';

// Prices and features of subscriptions. All reads are batched, so a page runs a constant number of SQL statements.

/** True if the subscription gives access to the product and its allowances. */
export const hasAccess = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  accessStatuses.includes(status);

/**
 * Returns the time that determines the catalog version for a subscription: the end time if the subscription is canceled, otherwise the current
 * time.
 */
const heldAt = (ctx: Context, subscription: Pick<SubscriptionRow, 'status' | 'endDate'>): Date =>
  subscription.status === 'canceled' && subscription.endDate !== null
    ? subscription.endDate
    : ctx.clock.now();

/**
 * Returns the current amount of a subscription's price in the subscription's market and currency (SUB-80). `null` if the plan is free. If
 * the price is no longer sold in the currency, returns the amount charged for the current period.
 */
export async function loadBoundPrice(
  ctx: Context,
  subscription: SubscriptionRow,
): Promise<ResolvedPrice | null> {
  if (subscription.priceId === null) return null;
  const { price, catalog } = await loadPrice(ctx, subscription, subscription.priceId);
  const now = ctx.clock.now();
  const { currency, marketId: market, effectiveBaseMinor: amountMinor } = subscription;
  const resolved = priceAt(catalog, price, now, { currency, market });
  if (!('failure' in resolved)) return resolved;
  const { trialDays, includedBalanceRate, includedCredits, includedUnits } = amountsAt(catalog, price, now);
  const included = { includedBalanceRate, includedCredits, includedUnits, minimumMinor: null };
  return { price, currency, market, amountMinor, trialDays, ...included };
}

/** Returns a price with all its versions. */
async function loadPrice(
  ctx: Context,
  subscription: SubscriptionRow,
  priceId: string,
): Promise<{ readonly price: Row<'PlanPrice'>; readonly catalog: Catalog }> {
  const price = await loadExistingRow(ctx, 'PlanPrice', priceId);
  const [priceVersions, local] = await Promise.all([
    loadRowsBy(ctx, 'PlanPriceVersion', 'priceId', price.inheritsFromPriceId ?? price.id, 'seq'),
    loadLocalAmounts(ctx, subscription, price),
  ]);
  return { price, catalog: catalogOf({ ...noCatalogRows, prices: [price], priceVersions, ...local }) };
}

/**
 * Returns the amounts included in the current usage window: the amounts at the start of the window plus later increases (CAT-49). Before the
 * first window, returns the amounts that the window would start with.
 */
export async function loadIncluded(ctx: Context, subscription: SubscriptionRow): Promise<Included> {
  if (subscription.priceId === null) return {};
  const { catalog } = await loadPrice(ctx, subscription, subscription.priceId);
  return heldIncluded(catalog, subscription, heldAt(ctx, subscription));
}

type LocalAmounts = Pick<CatalogRows, 'priceOverrides' | 'exchangeRates'>;

/**
 * Returns the overrides and exchange rates that can apply to a price. For subscriptions in USD without a market, returns an empty result
 * without running an SQL statement.
 */
async function loadLocalAmounts(
  ctx: Context,
  subscription: SubscriptionRow,
  price: Row<'PlanPrice'>,
): Promise<LocalAmounts> {
  if (subscription.currency === 'usd' && subscription.marketId === null)
    return { priceOverrides: [], exchangeRates: [] };
  const ids = price.inheritsFromPriceId === null ? [price.id] : [price.id, price.inheritsFromPriceId];
  const [overrides, exchangeRates] = await Promise.all([
    Promise.all(ids.map((id) => loadRowsBy(ctx, 'PlanPriceOverride', 'priceId', id, 'seq'))),
    loadRowsBy(ctx, 'PlanExchangeRate', 'planId', price.planId, 'seq'),
  ]);
  return { priceOverrides: overrides.flat(), exchangeRates };
}

/**
 * Returns the features of a subscription by code, with the applicable terms (CAT-48, CAT-49, CON-3) and unit prices in the subscription's
 * currency. Before the first period, the current terms apply. All code that reads features must use this function.
 */
export async function loadHeldFeatures(ctx: Context, subscription: SubscriptionRow): Promise<HeldUsage[]> {
  const { grantedPlanId } = subscription;
  const [plan, own, granted, addons] = await Promise.all([
    loadExistingRow(ctx, 'Plan', subscription.planId),
    loadRowsBy(ctx, 'PlanFeatureVersion', 'planId', subscription.planId, 'seq'),
    grantedPlanId === null ? [] : loadRowsBy(ctx, 'PlanFeatureVersion', 'planId', grantedPlanId, 'seq'),
    loadRowsBy(ctx, 'AddonActivation', 'subscriptionId', subscription.id, 'seq', { status: 'active' }),
  ]);
  const versions = [...own, ...granted];
  const [sold, exchangeRates] = await Promise.all([
    loadAddons(ctx, addons),
    loadExchangeRates(ctx, subscription),
  ]);
  const ids = [...new Set([...versions, ...sold.addons].map((row) => row.featureId))];
  const features: Row<'Feature'>[] = await Promise.all(ids.map((id) => loadExistingRow(ctx, 'Feature', id)));
  const catalog = catalogOf({
    ...noCatalogRows,
    ...sold,
    plans: [plan],
    features,
    planFeatureVersions: versions,
    exchangeRates,
  });
  return heldUsageFeatures(catalog, { plan, subscription, addons }, heldAt(ctx, subscription));
}

/** Returns the exchange rates of a subscription's plan. Runs no SQL statement for US dollars. */
const loadExchangeRates = async (
  ctx: Context,
  { currency, planId }: Pick<SubscriptionRow, 'currency' | 'planId'>,
): Promise<CatalogRows['exchangeRates']> =>
  currency === 'usd' ? [] : loadRowsBy(ctx, 'PlanExchangeRate', 'planId', planId, 'seq');

/** Returns the activated add-ons with all versions of their amounts. Runs no SQL statement if there are no activations. */
async function loadAddons(
  ctx: Context,
  activations: readonly Pick<Row<'AddonActivation'>, 'addonId'>[],
): Promise<Pick<CatalogRows, 'addons' | 'addonVersions'>> {
  const [addons, versions] = await Promise.all([
    Promise.all(activations.map(({ addonId }) => loadExistingRow(ctx, 'Addon', addonId))),
    Promise.all(activations.map(({ addonId }) => loadRowsBy(ctx, 'AddonVersion', 'addonId', addonId, 'seq'))),
  ]);
  return { addons, addonVersions: versions.flat() };
}

/**
 * Returns the terms of the feature that an activated add-on provides, with the rates in the subscription's currency or in credits. For an
 * add-on that can be added, `activation` starts now.
 */
export async function loadAddonTerms(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'currency' | 'marketId' | 'planId' | 'termsFrom'>,
  activation: Pick<Row<'AddonActivation'>, 'addonId' | 'createdAt' | 'deactivatedAt'>,
): Promise<FeatureTerms> {
  const [sold, exchangeRates] = await Promise.all([
    loadAddons(ctx, [activation]),
    loadExchangeRates(ctx, subscription),
  ]);
  const catalog = catalogOf({ ...noCatalogRows, ...sold, exchangeRates });
  return termsByAddon(catalog, subscription, activation, ctx.clock.now()).terms;
}
