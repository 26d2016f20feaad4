import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { beginningOfTime, type PlanPriceRow, priceNotFound, requireLockedPlan } from '../plans/store.ts';
import { deriveNewPrice } from '../regional-pricing/derive.ts';
import { big, throwProblems } from '../regional-pricing/set-amounts.ts';
import {
  foreignMarketProblems,
  noAmountProblems,
  requireMarkets,
  setMarketPrices,
} from '../regional-pricing/set-market-prices.ts';
import { inheritedProblems, type PriceOptions } from './check.ts';
import { addVersion, clearDefault, findSelectablePrices } from './store.ts';

/** A new price of the plan `planId`: a base price with its amount, or a variant that inherits from one (CAT-14, CAT-16). */
export type NewPriceInput = PriceOptions & {
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly inheritsFromPriceId?: string | null | undefined;
};

/**
 * The base price of a new variant (CAT-16). Throws `validation_error` for fields it would inherit, no amounts at all and another interval,
 * `price_not_found` for a base price that cannot be selected.
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
      { field: 'billingInterval', message: 'A variant has the interval of the price it inherits from.' },
    ]);
  }
  return base;
}

/** Throws `validation_error` for a base price without an amount, `duplicate` for a second one of its interval (CAT-14). */
function checkBase(input: NewPriceInput, selectable: readonly PlanPriceRow[]): void {
  if (input.price === undefined || input.price === null) {
    throw validationError([{ field: 'price', message: 'A base price needs a price.' }]);
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
 * Stores the price, as the default one when requested or when there is none yet (CAT-17). A variant has no amounts of its own: its columns for
 * them are empty, and reads take those of its base.
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
  const now = ctx.clock.now();
  return ctx.db.planPrice.create({
    data: {
      id: newId('pp'),
      seq: await nextSeq(ctx),
      planId,
      billingInterval: input.billingInterval,
      priceMinor: big(input.price) ?? 0n,
      isDefault,
      trialDays: input.trialDays ?? 0,
      includedBalanceRate: big(input.includedBalance),
      includedCredits: big(input.includedCredits),
      inheritsFromPriceId,
      introductoryOfferId: null,
      metadata: (input.metadata ?? {}) as PlanPriceRow['metadata'],
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    },
  });
}

/**
 * Adds a price to a plan, a base price with what is derived of it in other currencies. The first base price that can be selected becomes
 * the default one (CAT-17). Throws `plan_not_found`, `price_not_found`, `market_not_found`, `duplicate` for a second base price of an
 * interval (CAT-14), `validation_error` for a free plan (CAT-8) and for fields that do not fit together.
 */
export const addPlanPrice = (ctx: Context, input: NewPriceInput): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, input.planId, 'planId');
    if (plan.isFree) throw validationError([{ field: 'planId', message: 'A free plan has no prices.' }]);
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
