import type { Context } from '../../context.ts';
import { type FieldProblem, validationError } from '../../domain/errors.ts';
import type { Currency } from '../../domain/money.ts';
import { exchangeRateNumber, parseExchangeRate } from '../../domain/pricing/regional.ts';
import { inTransaction } from '../../transaction.ts';
import { featureNotFound } from '../features/service.ts';
import { hasUnitPrice } from './cell.ts';
import { deriveFeature, derivePrice } from './derive.ts';
import {
  currentExchangeRates,
  currentFeatureRates,
  currentOverrides,
  type ExchangeRateRow,
  putExchangeRate,
  putFeatureRate,
} from './overrides.ts';
import { putByHand, refuseVariant, regionalOf, repeated, throwProblems, usdProblem } from './regional.ts';
import { type PlanPriceRow, type PlanRow, priceNotFound, requireLockedPlan } from './service.ts';

/** A currency of a plan: the exchange rate, and what is not derived by it. */
export type PlanCurrencyInput = {
  readonly id: string;
  readonly currency: Currency;
  readonly exchangeRate: number;
  readonly prices?:
    | readonly { readonly priceId: string; readonly price: number; readonly includedBalance?: number | null | undefined }[]
    | null
    | undefined;
  readonly features?: readonly { readonly featureId: string; readonly overageUnitPrice: number }[] | null | undefined;
};

/** A plan's currency with how many selectable prices and how many features then have a value in it. */
export type PlanCurrency = {
  readonly planId: string;
  readonly currency: string;
  readonly exchangeRate: number;
  readonly pricesConfigured: number;
  readonly featuresConfigured: number;
};

/** The exchange rate in hundred-millionths. Throws `validation_error` for all that is wrong with the input by itself. */
function checkedRate(input: PlanCurrencyInput): bigint {
  const rateE8 = parseExchangeRate(input.exchangeRate);
  const problems: FieldProblem[] = [];
  if (input.currency === 'usd') problems.push(usdProblem('currency'));
  if (rateE8 === null) problems.push({ field: 'exchangeRate', message: 'An exchange rate is above 0 and has up to 8 decimals.' });
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

/** Sets the prices named by hand and derives those that are not set by hand (CAT-25). */
async function setPrices(context: Context, input: PlanCurrencyInput, rate: ExchangeRateRow): Promise<PlanPriceRow[]> {
  const all = await context.db.planPrice.findMany({ where: { planId: rate.planId } });
  for (const [index, given] of (input.prices ?? []).entries()) {
    const price = all.find(({ id }) => id === given.priceId);
    if (price === undefined) throw priceNotFound(`prices.${index}.priceId`);
    refuseVariant(price, `prices.${index}.priceId`);
    await putByHand(context, price, { currency: input.currency, price: given.price, includedBalance: given.includedBalance });
  }
  const bases = all.filter(({ inheritsFromPriceId }) => inheritsFromPriceId === null);
  const rows = regionalOf(
    await currentOverrides(
      context,
      bases.map(({ id }) => id),
    ),
  );
  const byHand = new Set(rows.filter((row) => row.currency === input.currency && !row.autoSynced).map(({ priceId }) => priceId));
  for (const price of bases) if (!byHand.has(price.id)) await derivePrice(context, price, rate, 'exchangeRate');
  return bases;
}

/** Sets the unit prices named by hand and derives those that are not set by hand (CAT-25). */
async function setFeatures(context: Context, plan: PlanRow, input: PlanCurrencyInput, rate: ExchangeRateRow): Promise<void> {
  const { currency } = input;
  const attached = await context.db.planFeature.findMany({ where: { planId: plan.id }, include: { feature: true } });
  for (const [index, { featureId, overageUnitPrice }] of (input.features ?? []).entries()) {
    const field = `features.${index}.featureId`;
    const row = attached.find((one) => one.featureId === featureId);
    if (row === undefined) throw featureNotFound(field);
    if (!hasUnitPrice({ ...plan, type: row.feature.type }, row.pricingMode)) {
      throw validationError([{ field, message: 'The feature has no unit price in this plan.' }]);
    }
    const unitPriceRate = BigInt(overageUnitPrice);
    await putFeatureRate(context, { planId: plan.id, featureId, currency, unitPriceRate, autoSynced: false });
  }
  const byHand = new Set(
    (await currentFeatureRates(context, plan.id)).filter((one) => one.currency === currency && !one.autoSynced).map((one) => one.featureId),
  );
  for (const row of attached) if (!byHand.has(row.featureId)) await deriveFeature(context, row, rate, 'exchangeRate');
}

/**
 * Sets the exchange rate of a plan for a currency. Prices and features named get what is given; all others that were not set by hand
 * before are derived by the rate and follow it from then on (CAT-25, CAT-26). Throws `plan_not_found`, `price_not_found`,
 * `feature_not_found` also for one the plan does not have, `validation_error`.
 */
export const setPlanCurrency = (context: Context, input: PlanCurrencyInput): Promise<PlanCurrency> =>
  inTransaction(context, async (inner) => {
    const plan = await requireLockedPlan(inner, input.id);
    const { currency } = input;
    await putExchangeRate(inner, plan.id, currency, checkedRate(input));
    const rate = (await currentExchangeRates(inner, plan.id)).find((row) => row.currency === currency);
    if (rate === undefined) throw new Error(`The plan ${plan.id} did not keep its exchange rate for ${currency}.`);
    const bases = await setPrices(inner, input, rate);
    await setFeatures(inner, plan, input, rate);
    return summary(inner, rate, bases);
  });

async function summary(context: Context, rate: ExchangeRateRow, bases: readonly PlanPriceRow[]): Promise<PlanCurrency> {
  const { planId, currency, rateE8 } = rate;
  const selectable = bases.filter(({ archivedAt }) => archivedAt === null).map(({ id }) => id);
  const prices = regionalOf(await currentOverrides(context, selectable)).filter((row) => row.currency === currency);
  const attached = new Set((await context.db.planFeature.findMany({ where: { planId } })).map(({ featureId }) => featureId));
  const features = (await currentFeatureRates(context, planId)).filter((row) => row.currency === currency && attached.has(row.featureId));
  return {
    planId,
    currency,
    exchangeRate: exchangeRateNumber(rateE8),
    pricesConfigured: prices.length,
    featuresConfigured: features.length,
  };
}
