import { isCardDocument } from '../../../domain/rates/card.ts';
import { loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { StoredOverride } from '../rates/read-feature-rate.ts';
import { regionalOf } from './set-amounts.ts';
import type { ExchangeRateRow, FeatureRateRow, PriceOverrideRow } from './store.ts';

const current = { validTo: null } as const;

/** Returns the current market and currency amounts for a price, oldest first. Batched. */
const loadOverrides = (ctx: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  loadRowsBy(ctx, 'PlanPriceOverride', 'priceId', priceId, 'seq', current);

/** Returns the current market amounts for a price. Batched. */
export const loadMarketPrices = async (ctx: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  (await loadOverrides(ctx, priceId)).filter(({ marketId }) => marketId !== null);

/** Returns the current amounts for a price in other currencies, sorted by currency. Batched. */
export const loadRegionalPrices = async (ctx: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  regionalOf(await loadOverrides(ctx, priceId));

/** Returns the current unit prices for a plan feature in other currencies, sorted by currency. Batched. */
export const loadFeatureRates = async (
  ctx: Context,
  planId: string,
  featureId: string,
): Promise<FeatureRateRow[]> =>
  (await loadLocalRates(ctx, planId, featureId)).filter(({ marketId }) => marketId === null);

/** Returns the current rates of a plan's feature in markets and other currencies, sorted by currency. Batched. */
export const loadLocalRates = async (
  ctx: Context,
  planId: string,
  featureId: string,
): Promise<FeatureRateRow[]> =>
  (await loadRowsBy(ctx, 'PlanFeatureRate', 'planId', planId, 'currency', current)).filter(
    (row) => row.featureId === featureId,
  );

/**
 * Returns the rates of a plan's feature that were set manually for markets and currencies, sorted by currency. Omits rates
 * by dimension. Batched.
 */
export const loadOverrideRates = async (
  ctx: Context,
  { planId, featureId }: { readonly planId: string; readonly featureId: string },
): Promise<StoredOverride[]> =>
  (await loadLocalRates(ctx, planId, featureId)).flatMap(({ autoSynced, rate, marketId, currency }) =>
    autoSynced || isCardDocument(rate) ? [] : [{ marketId, currency, rate }],
  );

/** Returns a plan's current exchange rates, sorted by currency. Batched. */
export const loadExchangeRates = (ctx: Context, planId: string): Promise<ExchangeRateRow[]> =>
  loadRowsBy(ctx, 'PlanExchangeRate', 'planId', planId, 'currency', current);
