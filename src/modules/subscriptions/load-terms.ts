import type { Context } from '../../context.ts';
import { type Catalog, type CatalogRows, catalogOf, noCatalogRows } from '../../domain/pricing/catalog.ts';
import { amountsAt, priceAt, type ResolvedPrice } from '../../domain/pricing/resolve.ts';
import { accessStatuses } from '../../domain/subscription/state/transitions.ts';
import { heldIncluded } from '../../domain/usage/included.ts';
import type { Included } from '../../domain/usage/pools.ts';
import { type HeldUsage, heldUsageFeatures } from '../../domain/usage/terms.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { SubscriptionRow } from './store.ts';

// What a subscription is held at. Everything goes through batched loaders, so that a page costs a constant number of statements.

/** Whether the customer may use the product, and so holds allowances. */
export const hasAccess = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  accessStatuses.includes(status);

/** Where the catalog is looked at for a subscription: now, or its end when it has ended. */
const heldAt = (ctx: Context, subscription: Pick<SubscriptionRow, 'status' | 'endDate'>): Date =>
  subscription.status === 'canceled' && subscription.endDate !== null
    ? subscription.endDate
    : ctx.clock.now();

/**
 * What the price a subscription is bound to costs now in the subscription's market and currency (SUB-80); null on free plans. A currency the price is
 * no longer sold in shows what the running period was charged.
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
  const { trialDays, includedBalanceRate, includedCredits } = amountsAt(catalog, price, now);
  return { price, currency, market, amountMinor, trialDays, includedBalanceRate, includedCredits };
}

/** A price with all that was ever in force of it. */
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

/** What a window of the subscription holds: what it began with, and raises since (CAT-49). Before the first window, what it would begin with. */
export async function loadIncluded(ctx: Context, subscription: SubscriptionRow): Promise<Included> {
  if (subscription.priceId === null) return { credits: 0n, balanceRate: 0n };
  const { catalog } = await loadPrice(ctx, subscription, subscription.priceId);
  return heldIncluded(catalog, subscription, heldAt(ctx, subscription));
}

type LocalAmounts = Pick<CatalogRows, 'priceOverrides' | 'exchangeRates'>;

/** What else than its US dollar value can count for a price: nothing, and no statement, for a subscription in USD and in no market. */
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
 * What the subscription holds, by code, on the terms that count (CAT-48, CAT-49, CON-3), unit prices in its currency; before the first
 * period on the terms of now. The one place that knows where features come from.
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
  const sold = await loadAddons(ctx, subscription, addons);
  const ids = [...new Set([...versions, ...sold.addons].map((row) => row.featureId))];
  const features: Row<'Feature'>[] = await Promise.all(ids.map((id) => loadExistingRow(ctx, 'Feature', id)));
  const { currency } = subscription;
  const featureRates =
    currency === 'usd'
      ? []
      : await loadRowsBy(ctx, 'PlanFeatureRate', 'planId', plan.id, 'seq', { currency });
  const catalog = catalogOf({
    ...noCatalogRows,
    ...sold,
    features,
    planFeatureVersions: versions,
    featureRates,
  });
  return heldUsageFeatures(catalog, { plan, subscription, addons }, heldAt(ctx, subscription));
}

/** The add-ons behind activations with all their amounts, and the rates those need in another currency than USD; no statement without any. */
async function loadAddons(
  ctx: Context,
  { currency, planId }: SubscriptionRow,
  activations: readonly Row<'AddonActivation'>[],
): Promise<Pick<CatalogRows, 'addons' | 'addonVersions' | 'exchangeRates'>> {
  if (activations.length === 0) return { addons: [], addonVersions: [], exchangeRates: [] };
  const [addons, versions, exchangeRates] = await Promise.all([
    Promise.all(activations.map(({ addonId }) => loadExistingRow(ctx, 'Addon', addonId))),
    Promise.all(activations.map(({ addonId }) => loadRowsBy(ctx, 'AddonVersion', 'addonId', addonId, 'seq'))),
    currency === 'usd' ? [] : loadRowsBy(ctx, 'PlanExchangeRate', 'planId', planId, 'seq'),
  ]);
  return { addons, addonVersions: versions.flat(), exchangeRates };
}
