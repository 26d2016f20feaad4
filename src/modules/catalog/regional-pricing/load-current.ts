import { localRates } from '../../../domain/pricing/local-rates.ts';
import { isCustom, type Pool } from '../../../domain/pricing/pools.ts';
import { byCurrency } from '../../../domain/rates/card.ts';
import { type HeldRate, storedRate } from '../../../domain/rates/held.ts';
import { loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanFeatureRow } from '../plans/store.ts';
import { regionalOf } from './set-amounts.ts';
import type { ExchangeRateRow, PriceOverrideRow } from './store.ts';

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

/** Returns a plan's current exchange rates, sorted by currency. Batched. */
export const loadExchangeRates = (ctx: Context, planId: string): Promise<ExchangeRateRow[]> =>
  loadRowsBy(ctx, 'PlanExchangeRate', 'planId', planId, 'currency', current);

/** Rate of a plan's feature in a currency. `autoSynced` is true if the rate is derived by the exchange rate. */
export type CurrencyRate = {
  readonly currency: string;
  readonly rates: HeldRate;
  readonly autoSynced: boolean;
};

/**
 * Returns the rates of a plan's feature in currencies other than USD, sorted by currency. Empty if the rate is in a custom unit. Batched.
 */
export async function loadCurrencyRates(
  ctx: Context,
  { planId, rate, overrides }: Pick<PlanFeatureRow, 'planId' | 'rate' | 'overrides'>,
  pool: Pool | null,
): Promise<readonly CurrencyRate[]> {
  if (isCustom(pool)) return [];
  const own = overrides.filter(({ marketId }) => marketId === null);
  const derived = (await loadExchangeRates(ctx, planId)).flatMap((exchangeRate): CurrencyRate[] => {
    const { currency, validFrom } = exchangeRate;
    const place = { currency, marketId: null, exchangeRates: [exchangeRate] };
    const rates = localRates({ rate, overrides: [] }, place, validFrom, validFrom);
    return rates === null || own.some((one) => one.currency === currency)
      ? []
      : [{ currency, rates, autoSynced: true }];
  });
  const manual = own.map((one) => ({
    currency: one.currency,
    rates: storedRate(one.rate),
    autoSynced: false,
  }));
  return [...manual, ...derived].toSorted(byCurrency);
}
