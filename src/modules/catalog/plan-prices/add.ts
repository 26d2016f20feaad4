import { specificError, validationError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { beginningOfTime, type PlanPriceRow, planRows, priceNotFound } from '../plans/store.ts';
import { deriveNewPrice } from '../regional-pricing/derive.ts';
import { throwProblems } from '../regional-pricing/set-amounts.ts';
import {
  foreignMarketProblems,
  noAmountProblems,
  requireMarkets,
  setMarketPrices,
} from '../regional-pricing/set-market-prices.ts';
import { inheritedProblems, minimumProblems, type PriceOptions } from './check.ts';
import { addVersion, clearDefault, findSelectablePrices, priceRows } from './store.ts';

/** Parameters for adding a price to a plan: a base price with its amount, or a variant that inherits from a base price (CAT-14, CAT-16). */
export type NewPriceInput = PriceOptions & {
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly inheritsFromPriceId?: string | null | undefined;
};

/**
 * Returns the base price for a new variant (CAT-16). Throws `validation_error` if the variant sets an inherited field, has no amounts, or
 * has a different interval. Throws `price_not_found` if the base price isn't selectable.
 */
async function requireBase(
  ctx: Context,
  planId: string,
  baseId: string,
  input: NewPriceInput,
): Promise<PlanPriceRow> {
  throwProblems([...inheritedProblems(input), ...noAmountProblems(input.marketPrices ?? [])]);
  const base = (await findSelectablePrices(ctx, planId)).find(({ id }) => id === baseId);
  if (base === undefined || base.inheritsFromPriceId !== null) throw priceNotFound('inheritsFromPriceId');
  if (base.billingInterval !== input.billingInterval) {
    throw validationError([
      {
        field: 'billingInterval',
        message: 'A variant must have the billing interval of the price that it inherits from.',
      },
    ]);
  }
  return base;
}

/** Throws `validation_error` if a base price has no amount. Throws `duplicate` if the interval already has a base price (CAT-14). */
function checkBase(input: NewPriceInput, selectable: readonly PlanPriceRow[]): void {
  if (input.price === undefined || input.price === null) {
    throw validationError([
      {
        field: 'price',
        message: 'A base price requires an amount. Set price, or set inheritsFromPriceId to add a variant.',
      },
    ]);
  }
  if (
    selectable.some(
      (price) => price.billingInterval === input.billingInterval && price.inheritsFromPriceId === null,
    )
  ) {
    throw specificError('duplicate', 'base_price_interval', {
      param: 'billingInterval',
    });
  }
}

/**
 * Stores the price. The price becomes the default if requested or if the plan has no default price (CAT-17). A variant's amount columns
 * stay empty; its amounts are read from the base price.
 */
async function storePrice(
  ctx: Context,
  planId: string,
  input: NewPriceInput,
  selectable: readonly PlanPriceRow[],
): Promise<PlanPriceRow> {
  const inheritsFromPriceId = input.inheritsFromPriceId ?? null;
  const isDefault =
    inheritsFromPriceId === null &&
    (input.isDefault === true || !selectable.some((price) => price.isDefault));
  if (isDefault) await clearDefault(ctx, planId);
  const { billingInterval, price, trialDays, includedBalance, includedCredits, minimumSpend, metadata } =
    input;
  return priceRows.create(ctx, {
    planId,
    billingInterval,
    priceMinor: price,
    isDefault,
    trialDays,
    includedBalanceRate: includedBalance,
    includedCredits,
    minimumMinor: minimumSpend,
    inheritsFromPriceId,
    metadata,
  });
}

/**
 * Adds a price to a plan. For a base price, also adds the derived amounts in other currencies. The first selectable base price becomes the
 * default (CAT-17). Throws `plan_not_found`, `price_not_found`, and `market_not_found`. Throws `duplicate` if the interval already has a
 * base price (CAT-14). Throws `validation_error` if the plan is free (CAT-8) or the fields can't be combined.
 */
export const addPlanPrice = (ctx: Context, input: NewPriceInput): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, input.planId, 'planId');
    if (plan.isFree)
      throw validationError([
        { field: 'planId', message: "A free plan can't have prices. Choose a plan that isn't free." },
      ]);
    throwProblems(minimumProblems(input, input.billingInterval));
    const marketPrices = input.marketPrices ?? [];
    const base = input.inheritsFromPriceId
      ? await requireBase(tx, plan.id, input.inheritsFromPriceId, input)
      : null;
    await requireMarkets(tx, marketPrices);
    const selectable = await findSelectablePrices(tx, plan.id);
    if (base === null) checkBase(input, selectable);
    else throwProblems(await foreignMarketProblems(tx, base.id, marketPrices));
    const price = await storePrice(tx, plan.id, input, selectable);
    await setMarketPrices(tx, price.id, marketPrices);
    if (price.inheritsFromPriceId !== null) return price;
    await addVersion(tx, price, beginningOfTime);
    await deriveNewPrice(tx, price);
    return price;
  });
