import { validationError } from '../../../domain/errors/errors.ts';
import { largestAmount, rateScale } from '../../../domain/money/money.ts';
import { overrideFor } from '../../../domain/pricing/local-rates.ts';
import { isCustom, poolOf } from '../../../domain/pricing/pools.ts';
import { localMinor, localRate } from '../../../domain/pricing/regional.ts';
import { derivedList, listAmounts } from '../../../domain/rates/card.ts';
import { exactOf } from '../../../domain/rates/decimal.ts';
import { ownList } from '../../../domain/rates/derived.ts';
import { roundedTo } from '../../../domain/rates/exact.ts';
import { storedRate } from '../../../domain/rates/held.ts';
import type { Context } from '../../../request/context.ts';
import type { FeatureRow } from '../features/store.ts';
import type { PlanFeatureRow, PlanPriceRow, PlanRow } from '../plans/store.ts';
import { currentExchangeRates, currentOverrides, type ExchangeRateRow, putOverride } from './store.ts';

// Amounts derived from US dollars with a plan's exchange rates (CAT-25, CAT-26). Derived amounts are updated when the US dollar amounts or
// the rates change. Manually set amounts aren't updated.

const largestRate = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the amount if it isn't too large (GLO-14a). Otherwise, throws `validation_error` on `param`, the input from which the amount is
 * derived.
 */
function withinLimit(amount: bigint, currency: string, param: string, largest = largestRate): bigint {
  if (amount <= largest) return amount;
  throw validationError([{ field: param, message: `The amount derived for ${currency} is too large.` }]);
}

/** Stores the amount of a price, derived with an exchange rate. Throws `validation_error` if the amount is too large. */
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
    amountMinor: withinLimit(localMinor(price.priceMinor, rateE8, currency), currency, param, largestAmount),
    includedBalanceRate: usd === null ? null : withinLimit(localRate(usd, rateE8), currency, param),
    autoSynced: true,
  });
}

/** Derives the amounts for a new price in all currencies for which the plan has an exchange rate. */
export async function deriveNewPrice(ctx: Context, price: PlanPriceRow): Promise<void> {
  for (const rate of await currentExchangeRates(ctx, price.planId))
    await derivePrice(ctx, price, rate, 'price');
}

/** Updates the derived amounts for a price after its US dollar amounts have changed. */
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

/**
 * Throws `validation_error` if an amount of a feature's rate is too large in a currency for which the plan has an exchange rate. Rates that were
 * set for a currency aren't derived, and rates in custom units are the same in all currencies (PRM-110). `param` is the input from which the
 * amounts are derived.
 */
export async function requireDerivable(
  ctx: Context,
  plan: PlanRow,
  { feature, row }: { readonly feature: Pick<FeatureRow, 'type'>; readonly row: PlanFeatureRow },
  param = 'overage.unitPrice',
): Promise<void> {
  if (isCustom(poolOf({ type: feature.type, settle: row.settle }, plan))) return;
  const own = ownList(row.rate);
  if (own === null) return;
  for (const { currency, rateE8 } of await currentExchangeRates(ctx, row.planId)) {
    if (overrideFor(row.overrides, { currency, marketId: null }) !== null) continue;
    for (const amount of storedRate(own).flatMap((usd) => listAmounts(derivedList(usd, rateE8))))
      withinLimit(roundedTo(exactOf(amount), rateScale), currency, param);
  }
}
