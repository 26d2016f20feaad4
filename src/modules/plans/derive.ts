import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { localMinor, localRate } from '../../domain/pricing/regional.ts';
import {
  currentExchangeRates,
  currentFeatureRates,
  currentOverrides,
  type ExchangeRateRow,
  putFeatureRate,
  putOverride,
} from './overrides.ts';
import type { PlanFeatureRow, PlanPriceRow } from './service.ts';

// Amounts derived from the US dollar values by a plan's exchange rates (CAT-25, CAT-26). They follow both; amounts given by hand do not.

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** The amount, if the wire can carry it (protocols B9). Throws `validation_error` on `param`, the input that made it so large. */
function carried(amount: bigint, currency: string, param: string): bigint {
  if (amount <= largest) return amount;
  throw validationError([{ field: param, message: `The amount derived for ${currency} is too large.` }]);
}

/** Puts the amount derived for a price by a rate in force. Throws `validation_error` for one that is too large. */
export async function derivePrice(context: Context, price: PlanPriceRow, rate: ExchangeRateRow, param: string): Promise<void> {
  const { currency, rateE8 } = rate;
  const { includedBalanceRate: usd } = price;
  await putOverride(context, {
    priceId: price.id,
    marketId: null,
    currency,
    amountMinor: carried(localMinor(price.priceMinor, rateE8, currency), currency, param),
    includedBalanceRate: usd === null ? null : carried(localRate(usd, rateE8), currency, param),
    autoSynced: true,
  });
}

/** Puts the unit price derived for a feature by a rate in force; nothing for a feature without one. Throws `validation_error` for one too large. */
export async function deriveFeature(context: Context, feature: PlanFeatureRow, rate: ExchangeRateRow, param: string): Promise<void> {
  const { planId, featureId, unitPriceRate: usd } = feature;
  if (usd === null) return;
  const unitPriceRate = carried(localRate(usd, rate.rateE8), rate.currency, param);
  await putFeatureRate(context, { planId, featureId, currency: rate.currency, unitPriceRate, autoSynced: true });
}

/** Derives the amounts of a new price in all currencies of its plan's exchange rates. */
export async function deriveNewPrice(context: Context, price: PlanPriceRow): Promise<void> {
  for (const rate of await currentExchangeRates(context, price.planId)) await derivePrice(context, price, rate, 'price');
}

/** Derives anew what is derived of a price whose US dollar values changed. */
export async function followPrice(context: Context, price: PlanPriceRow): Promise<void> {
  const derived = new Set(
    (await currentOverrides(context, [price.id])).filter((row) => row.autoSynced && row.marketId === null).map((row) => row.currency),
  );
  for (const rate of await currentExchangeRates(context, price.planId)) {
    if (derived.has(rate.currency)) await derivePrice(context, price, rate, 'price');
  }
}

/** Derives the unit prices of a feature whose US dollar one is new or changed, in every currency it has none given by hand. */
export async function followFeature(context: Context, feature: PlanFeatureRow): Promise<void> {
  const given = new Set(
    (await currentFeatureRates(context, feature.planId))
      .filter((row) => row.featureId === feature.featureId && !row.autoSynced)
      .map((row) => row.currency),
  );
  for (const rate of await currentExchangeRates(context, feature.planId)) {
    if (!given.has(rate.currency)) await deriveFeature(context, feature, rate, 'overage.unitPrice');
  }
}
