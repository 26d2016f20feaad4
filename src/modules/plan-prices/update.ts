import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { inTransaction } from '../../transaction.ts';
import { type PlanPriceRow, priceNotFound, requireLockedPlan, requirePrice } from '../plans/store.ts';
import { followPrice } from '../regional-pricing/derive.ts';
import { big, throwProblems } from '../regional-pricing/set-amounts.ts';
import {
  foreignMarketProblems,
  noAmountProblems,
  requireMarkets,
  setMarketPrices,
} from '../regional-pricing/set-market-prices.ts';
import { inheritedProblems, type PriceOptions } from './check.ts';
import { addVersion, amountsOf, clearDefault } from './store.ts';

/** Changes to a price; what is undefined stays, null takes an included amount away (CAT-18). */
export type PriceChanges = PriceOptions & { readonly planId: string; readonly priceId: string };

/** Rejects to make a price the default one that cannot be selected or is a variant. Throws `price_not_found`, `validation_error`. */
function checkCanBeDefault(price: PlanPriceRow, param: string): void {
  if (price.archivedAt !== null) throw priceNotFound('priceId');
  if (price.inheritsFromPriceId !== null)
    throw validationError([{ field: param, message: 'A variant cannot be the default price.' }]);
}

/** The stored price with the changes laid over it; metadata is merged key by key (CAT-18). */
function changed(price: PlanPriceRow, input: PriceChanges): PlanPriceRow {
  return {
    ...price,
    priceMinor: BigInt(input.price ?? price.priceMinor),
    trialDays: input.trialDays ?? price.trialDays,
    isDefault: input.isDefault ?? price.isDefault,
    includedBalanceRate:
      input.includedBalance === undefined ? price.includedBalanceRate : big(input.includedBalance),
    includedCredits: input.includedCredits === undefined ? price.includedCredits : big(input.includedCredits),
    metadata: { ...(price.metadata as object), ...input.metadata } as PlanPriceRow['metadata'],
  };
}

/** Throws `validation_error` for changes a variant cannot have: to what it inherits, and to no amounts at all (CAT-16). */
function checkVariant(price: PlanPriceRow, input: PriceChanges): void {
  if (price.inheritsFromPriceId === null) return;
  throwProblems([
    ...inheritedProblems(input),
    ...(input.marketPrices ? noAmountProblems(input.marketPrices) : []),
  ]);
}

/** Replaces the amounts of markets when they are given; answers whether that changed anything. Throws `market_not_found`, `price_in_use`, `validation_error`. */
async function changeMarkets(
  ctx: Context,
  price: PlanPriceRow,
  { marketPrices }: PriceChanges,
): Promise<boolean> {
  if (!marketPrices) return false;
  await requireMarkets(ctx, marketPrices);
  if (price.inheritsFromPriceId !== null)
    throwProblems(await foreignMarketProblems(ctx, price.inheritsFromPriceId, marketPrices));
  return setMarketPrices(ctx, price.id, marketPrices);
}

/** Stores changed amounts as a new version, and what is derived of them (CAT-26). */
async function followAmounts(ctx: Context, before: PlanPriceRow, after: PlanPriceRow): Promise<void> {
  if (isDeepStrictEqual(amountsOf(after), amountsOf(before))) return;
  await addVersion(ctx, after, ctx.clock.now());
  await followPrice(ctx, after);
}

/**
 * Changes a price, archived or not: subscriptions bound to it pay the new amount from their next renewal on (CAT-18, CAT-49). Amounts
 * derived of it in other currencies follow. Throws `plan_not_found`, `price_not_found`, `market_not_found`, `price_in_use` for a market a
 * variant overrides (CAT-19), `validation_error` for taking the default mark from the default price and for what a variant inherits.
 */
export const updatePlanPrice = (ctx: Context, input: PriceChanges): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, input.planId, 'planId');
    const price = await requirePrice(tx, plan.id, input.priceId);
    checkVariant(price, input);
    const isMarketChange = await changeMarkets(tx, price, input);
    const next = changed(price, input);
    if (price.isDefault && !next.isDefault) {
      throw validationError([
        {
          field: 'isDefault',
          message: 'A plan has one default price; make another one the default instead.',
        },
      ]);
    }
    if (!isMarketChange && isDeepStrictEqual(next, price)) return price;
    if (next.isDefault && !price.isDefault) {
      checkCanBeDefault(price, 'isDefault');
      await clearDefault(tx, plan.id);
    }
    const changes = {
      ...amountsOf(next),
      isDefault: next.isDefault,
      metadata: next.metadata,
      updatedAt: tx.clock.now(),
    };
    await tx.db.planPrice.update({ where: { id: price.id }, data: changes });
    await followAmounts(tx, price, next);
    return { ...next, ...changes };
  });

/** Makes a price the default one of its plan (CAT-17). Throws `plan_not_found`, `price_not_found` also for an archived one, `validation_error` for a variant. */
export const setDefaultPrice = (
  ctx: Context,
  reference: { readonly planId: string; readonly priceId: string },
): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, reference.planId, 'planId');
    const price = await requirePrice(tx, plan.id, reference.priceId);
    checkCanBeDefault(price, 'priceId');
    return updatePlanPrice(tx, { planId: plan.id, priceId: price.id, isDefault: true });
  });
