import { type FieldProblem, validationError } from '../../../domain/errors/errors.ts';
import type { Currency } from '../../../domain/money/money.ts';
import { hasUnitPrice } from '../../../domain/pricing/feature-cell.ts';
import { isCardRate, overrideFor, withOverride } from '../../../domain/pricing/local-rates.ts';
import { isCustom, poolOf } from '../../../domain/pricing/pools.ts';
import { exchangeRateNumber, parseExchangeRate } from '../../../domain/pricing/regional.ts';
import { ownList } from '../../../domain/rates/derived.ts';
import { perUnitRate } from '../../../domain/rates/held.ts';
import { rateDocument } from '../../../domain/rates/rate.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { featureNotFound } from '../features/store.ts';
import {
  findFeaturesOfPlan,
  findPricesOfPlan,
  type PlanFeatureRow,
  type PlanPriceRow,
  type PlanRow,
  planRows,
  priceNotFound,
} from '../plans/store.ts';
import { derivePrice, requireDerivable } from '../regional-pricing/derive.ts';
import {
  putManual,
  regionalOf,
  rejectVariant,
  repeated,
  throwProblems,
  usdProblem,
} from '../regional-pricing/set-amounts.ts';
import {
  currentExchangeRates,
  currentOverrides,
  type ExchangeRateRow,
  type PlanCurrency,
  putExchangeRate,
} from '../regional-pricing/store.ts';
import { storeTerms } from './attach.ts';

/** Exchange rate of a plan for a currency, and the amounts to set manually instead of deriving them from the rate. */
export type PlanCurrencyInput = {
  readonly planId: string;
  readonly currency: Currency;
  readonly exchangeRate: number;
  readonly prices?:
    | readonly {
        readonly priceId: string;
        readonly price: number;
        readonly includedBalance?: number | null | undefined;
      }[]
    | null
    | undefined;
  readonly features?:
    | readonly { readonly featureId: string; readonly overageUnitPrice: number }[]
    | null
    | undefined;
};

/** Returns the exchange rate in hundred-millionths. Throws `validation_error` with all problems that can be found without stored data. */
function checkedRate(input: PlanCurrencyInput): bigint {
  const rateE8 = parseExchangeRate(input.exchangeRate);
  const problems: FieldProblem[] = [];
  if (input.currency === 'usd') problems.push(usdProblem('currency'));
  if (rateE8 === null)
    problems.push({
      field: 'exchangeRate',
      message: 'An exchange rate must be greater than 0 and can have up to 8 decimal places.',
    });
  problems.push(
    ...repeated(
      'prices',
      'priceId',
      (input.prices ?? []).map(({ priceId }) => priceId),
    ),
  );
  problems.push(
    ...repeated(
      'features',
      'featureId',
      (input.features ?? []).map(({ featureId }) => featureId),
    ),
  );
  throwProblems(problems);
  return rateE8 ?? 0n;
}

/** Sets the given prices, and derives the prices that aren't set manually (CAT-25). */
async function setPrices(
  ctx: Context,
  input: PlanCurrencyInput,
  rate: ExchangeRateRow,
): Promise<PlanPriceRow[]> {
  const all = await findPricesOfPlan(ctx, rate.planId);
  for (const [index, provided] of (input.prices ?? []).entries()) {
    const price = all.find(({ id }) => id === provided.priceId);
    if (price === undefined) throw priceNotFound(`prices.${index}.priceId`);
    rejectVariant(price, `prices.${index}.priceId`);
    await putManual(ctx, price, {
      currency: input.currency,
      price: provided.price,
      includedBalance: provided.includedBalance,
    });
  }
  const bases = all.filter(({ inheritsFromPriceId }) => inheritsFromPriceId === null);
  const rows = regionalOf(
    await currentOverrides(
      ctx,
      bases.map(({ id }) => id),
    ),
  );
  const manual = new Set(
    rows.filter((row) => row.currency === input.currency && !row.autoSynced).map(({ priceId }) => priceId),
  );
  for (const price of bases) if (!manual.has(price.id)) await derivePrice(ctx, price, rate, 'exchangeRate');
  return bases;
}

/**
 * Sets the given unit prices as overrides in the currency (CAT-25). Throws `validation_error` if the amounts that are derived for other features are
 * too large.
 */
async function setFeatures(
  ctx: Context,
  plan: PlanRow,
  { currency, features }: PlanCurrencyInput,
): Promise<void> {
  const attached = await findFeaturesOfPlan(ctx, plan.id);
  const changed = new Map<string, PlanFeatureRow>();
  for (const [index, { featureId, overageUnitPrice }] of (features ?? []).entries()) {
    const field = `features.${index}.featureId`;
    const row = attached.find((one) => one.featureId === featureId);
    if (row === undefined) throw featureNotFound(field);
    const { feature } = row;
    const pool = poolOf({ type: feature.type, settle: row.settle }, plan);
    if (isCardRate(row.rate) || !hasUnitPrice({ ...plan, type: feature.type, pool }, row.rate))
      throw validationError([{ field, message: "This feature can't have a unit price in this plan." }]);
    const rate = rateDocument(perUnitRate(BigInt(overageUnitPrice)));
    const overrides = withOverride(row.overrides, { marketId: null, currency, rate });
    changed.set(row.id, await storeTerms(ctx, plan, { feature, row }, { ...row, overrides }));
  }
  for (const row of attached)
    await requireDerivable(
      ctx,
      plan,
      { feature: row.feature, row: changed.get(row.id) ?? row },
      'exchangeRate',
    );
}

/**
 * Sets a plan's exchange rate for a currency, with manual amounts for the given prices and features. Amounts for other prices and features
 * are derived from the rate and change with it, unless they were set manually before (CAT-25, CAT-26). Throws `plan_not_found`,
 * `price_not_found`, `feature_not_found` if the feature doesn't exist or isn't in the plan, and `validation_error`.
 */
export const setPlanCurrency = (ctx: Context, input: PlanCurrencyInput): Promise<PlanCurrency> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, input.planId, 'planId');
    const { currency } = input;
    await putExchangeRate(tx, plan.id, currency, checkedRate(input));
    const rate = (await currentExchangeRates(tx, plan.id)).find((row) => row.currency === currency);
    if (rate === undefined)
      throw new Error(`The exchange rate of the plan ${plan.id} for ${currency} wasn't stored.`);
    const bases = await setPrices(tx, input, rate);
    await setFeatures(tx, plan, input);
    return summary(tx, plan, rate, bases);
  });

async function summary(
  ctx: Context,
  plan: PlanRow,
  rate: ExchangeRateRow,
  bases: readonly PlanPriceRow[],
): Promise<PlanCurrency> {
  const { planId, currency, rateE8 } = rate;
  const selectable = bases.filter(({ archivedAt }) => archivedAt === null).map(({ id }) => id);
  const prices = regionalOf(await currentOverrides(ctx, selectable)).filter(
    (row) => row.currency === currency,
  );
  const features = (await findFeaturesOfPlan(ctx, planId)).filter(
    ({ feature: { type }, settle, rate: price, overrides }) =>
      !isCustom(poolOf({ type, settle }, plan)) &&
      (ownList(price) !== null || overrideFor(overrides, { currency, marketId: null }) !== null),
  );
  return {
    planId,
    currency,
    exchangeRate: exchangeRateNumber(rateE8),
    pricesConfigured: prices.length,
    featuresConfigured: features.length,
  };
}
