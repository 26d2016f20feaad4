import type { Context } from '../../context.ts';
import { type CatalogRows, catalogOf, noCatalogRows } from '../../domain/pricing/catalog.ts';
import { amountsAt, priceAt, type ResolvedPrice } from '../../domain/pricing/resolve.ts';
import { type HeldFeature, heldFeatures, inCurrency } from '../../domain/pricing/terms.ts';
import { accessStatuses } from '../../domain/subscription/state.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import type { SubscriptionRow } from './find.ts';

// What a subscription is held at. Everything goes through batched loaders, so that a page costs a constant number of statements.

/** Whether the customer may use the product, and so holds allowances. */
export const hasAccess = ({ status }: Pick<SubscriptionRow, 'status'>): boolean => accessStatuses.includes(status);

/** Where the catalogue is looked at for a subscription: now, or its end when it has ended. */
const heldAt = (context: Context, subscription: Pick<SubscriptionRow, 'status' | 'endDate'>): Date =>
  subscription.status === 'canceled' && subscription.endDate !== null ? subscription.endDate : context.clock.now();

/**
 * What the price a subscription is bound to costs now in the subscription's market and currency (SUB-80); null on free plans. A currency the price is
 * no longer sold in shows what the running period was charged.
 */
export async function loadBoundPrice(context: Context, subscription: SubscriptionRow): Promise<ResolvedPrice | null> {
  if (subscription.priceId === null) return null;
  const price = await loadExistingRow(context, 'PlanPrice', subscription.priceId);
  const [priceVersions, local] = await Promise.all([
    loadRowsBy(context, 'PlanPriceVersion', 'priceId', price.inheritsFromPriceId ?? price.id, 'seq'),
    loadLocalAmounts(context, subscription, price),
  ]);
  const catalog = catalogOf({ ...noCatalogRows, prices: [price], priceVersions, ...local });
  const now = context.clock.now();
  const { currency, marketId: market, effectiveBaseMinor: amountMinor } = subscription;
  const resolved = priceAt(catalog, price, now, { currency, market });
  if (!('failure' in resolved)) return resolved;
  const { trialDays, includedBalanceRate, includedCredits } = amountsAt(catalog, price, now);
  return { price, currency, market, amountMinor, trialDays, includedBalanceRate, includedCredits };
}

type LocalAmounts = Pick<CatalogRows, 'priceOverrides' | 'exchangeRates'>;

/** What else than its US dollar value can count for a price: nothing, and no statement, for a subscription in USD and in no market. */
async function loadLocalAmounts(context: Context, subscription: SubscriptionRow, price: Row<'PlanPrice'>): Promise<LocalAmounts> {
  if (subscription.currency === 'usd' && subscription.marketId === null) return { priceOverrides: [], exchangeRates: [] };
  const ids = price.inheritsFromPriceId === null ? [price.id] : [price.id, price.inheritsFromPriceId];
  const [overrides, exchangeRates] = await Promise.all([
    Promise.all(ids.map((id) => loadRowsBy(context, 'PlanPriceOverride', 'priceId', id, 'seq', { validTo: null }))),
    loadRowsBy(context, 'PlanExchangeRate', 'planId', price.planId, 'seq', { validTo: null }),
  ]);
  return { priceOverrides: overrides.flat(), exchangeRates };
}

/**
 * The features of the subscription's plan on the terms held (CAT-48, CAT-49), by code, unit prices in the subscription's currency; before
 * the first period on the terms of now.
 */
export async function loadHeldFeatures(context: Context, subscription: SubscriptionRow): Promise<HeldFeature[]> {
  const versions = await loadRowsBy(context, 'PlanFeatureVersion', 'planId', subscription.planId, 'seq');
  const ids = [...new Set(versions.map((version) => version.featureId))];
  const features: Row<'Feature'>[] = await Promise.all(ids.map((id) => loadExistingRow(context, 'Feature', id)));
  const { planId, currency } = subscription;
  const featureRates = currency === 'usd' ? [] : await loadRowsBy(context, 'PlanFeatureRate', 'planId', planId, 'seq', { currency });
  const catalog = catalogOf({ ...noCatalogRows, features, planFeatureVersions: versions, featureRates });
  const at = heldAt(context, subscription);
  const termsFrom = subscription.termsFrom ?? at;
  return inCurrency(catalog, heldFeatures(catalog, planId, termsFrom, at), { planId, currency, termsFrom, at });
}

/** The count in force of a seats feature: the seats chosen at creation, from activation on (SUB-13); nothing else counts yet. */
export function seatCount(subscription: Pick<SubscriptionRow, 'status' | 'initialSeats'>, code: string): bigint {
  if (!hasAccess(subscription)) return 0n;
  const counts = subscription.initialSeats as Readonly<Record<string, number>>;
  return BigInt(Object.hasOwn(counts, code) ? (counts[code] ?? 0) : 0);
}
