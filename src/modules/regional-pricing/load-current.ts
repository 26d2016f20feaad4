import type { Context } from '../../context.ts';
import { loadRowsBy } from '../../graphql/loaders.ts';
import { regionalOf } from './set-amounts.ts';
import type { ExchangeRateRow, FeatureRateRow, PriceOverrideRow } from './store.ts';

const current = { validTo: null } as const;

/** The amounts in force of a price, those of markets and those of currencies, in the order they were given. Batched. */
const loadOverrides = (ctx: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  loadRowsBy(ctx, 'PlanPriceOverride', 'priceId', priceId, 'seq', current);

/** The amounts of markets in force of a price. Batched. */
export const loadMarketPrices = async (ctx: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  (await loadOverrides(ctx, priceId)).filter(({ marketId }) => marketId !== null);

/** The amounts in force of a price in other currencies, by currency. Batched. */
export const loadRegionalPrices = async (ctx: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  regionalOf(await loadOverrides(ctx, priceId));

/** The unit prices in force of a plan's feature in other currencies, by currency. Batched. */
export const loadFeatureRates = async (
  ctx: Context,
  planId: string,
  featureId: string,
): Promise<FeatureRateRow[]> =>
  (await loadRowsBy(ctx, 'PlanFeatureRate', 'planId', planId, 'currency', current)).filter(
    (row) => row.featureId === featureId,
  );

/** The exchange rates in force of a plan, by currency. Batched. */
export const loadExchangeRates = (ctx: Context, planId: string): Promise<ExchangeRateRow[]> =>
  loadRowsBy(ctx, 'PlanExchangeRate', 'planId', planId, 'currency', current);
