import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { localMinor, localRate } from '../../domain/pricing/regional.ts';
import type { PlanFeatureRow, PlanPriceRow } from '../plans/store.ts';
import {
  currentExchangeRates,
  currentFeatureRates,
  currentOverrides,
  type ExchangeRateRow,
  putFeatureRate,
  putOverride,
} from './store.ts';

// Amounts derived from the US dollar values by a plan's exchange rates (CAT-25, CAT-26). They follow both; amounts set manually do not.

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** The amount, if the wire can carry it. Throws `validation_error` on `param`, the input that made it so large. */
function carried(amount: bigint, currency: string, param: string): bigint {
  if (amount <= largest) return amount;
  throw validationError([{ field: param, message: `The amount derived for ${currency} is too large.` }]);
}

/** Puts the amount derived for a price by a rate in force. Throws `validation_error` for one that is too large. */
export async function derivePrice(
  ctx: Context,
  price: PlanPriceRow,
  rate: ExchangeRateRow,
  param: string,
): Promise<void> {
  const { currency, rateE8 } = rate;
  const { includedBalanceRate: usd } = price;
  await putOverride(ctx, {
    priceId: price.id,
    marketId: null,
    currency,
    amountMinor: carried(localMinor(price.priceMinor, rateE8, currency), currency, param),
    includedBalanceRate: usd === null ? null : carried(localRate(usd, rateE8), currency, param),
    autoSynced: true,
  });
}

/** Puts the unit price derived for a feature by a rate in force; nothing for a feature without one. Throws `validation_error` for one too large. */
export async function deriveFeature(
  ctx: Context,
  feature: PlanFeatureRow,
  rate: ExchangeRateRow,
  param: string,
): Promise<void> {
  const { planId, featureId, unitPriceRate: usd } = feature;
  if (usd === null) return;
  const unitPriceRate = carried(localRate(usd, rate.rateE8), rate.currency, param);
  await putFeatureRate(ctx, { planId, featureId, currency: rate.currency, unitPriceRate, autoSynced: true });
}

/** Derives the amounts of a new price in all currencies of its plan's exchange rates. */
export async function deriveNewPrice(ctx: Context, price: PlanPriceRow): Promise<void> {
  for (const rate of await currentExchangeRates(ctx, price.planId))
    await derivePrice(ctx, price, rate, 'price');
}

/** Derives again what is derived of a price whose US dollar values changed. */
export async function followPrice(ctx: Context, price: PlanPriceRow): Promise<void> {
  const derived = new Set(
    (await currentOverrides(ctx, [price.id]))
      .filter((row) => row.autoSynced && row.marketId === null)
      .map((row) => row.currency),
  );
  for (const rate of await currentExchangeRates(ctx, price.planId)) {
    if (derived.has(rate.currency)) await derivePrice(ctx, price, rate, 'price');
  }
}

/** Derives the unit prices of a feature whose US dollar one is new or changed, in every currency without one that was set manually. */
export async function followFeature(ctx: Context, feature: PlanFeatureRow): Promise<void> {
  const provided = new Set(
    (await currentFeatureRates(ctx, feature.planId))
      .filter((row) => row.featureId === feature.featureId && !row.autoSynced)
      .map((row) => row.currency),
  );
  for (const rate of await currentExchangeRates(ctx, feature.planId)) {
    if (!provided.has(rate.currency)) await deriveFeature(ctx, feature, rate, 'overage.unitPrice');
  }
}
