import { isDeepStrictEqual } from 'node:util';
import { validationError } from '../../../domain/errors/errors.ts';
import { metadataViolation } from '../../../domain/text/json.ts';
import type { Context } from '../../../request/context.ts';
import type { Changes } from '../../../request/resource.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanPriceRow, planRows, priceNotFound, requirePrice } from '../plans/store.ts';
import { followPrice } from '../regional-pricing/derive.ts';
import { throwProblems } from '../regional-pricing/set-amounts.ts';
import {
  foreignMarketProblems,
  noAmountProblems,
  requireMarkets,
  setMarketPrices,
} from '../regional-pricing/set-market-prices.ts';
import { inheritedProblems, minimumProblems, type PriceOptions } from './check.ts';
import { addVersion, amountsOf, clearDefault, priceRows } from './store.ts';

/** Changes to a price. `undefined` keeps the current value, and `null` removes an included amount (CAT-18). */
export type PriceChanges = PriceOptions & { readonly planId: string; readonly priceId: string };

/** Throws `price_not_found` if the new default price is archived. Throws `validation_error` if the price is a variant. */
function checkCanBeDefault(price: PlanPriceRow, param: string): void {
  if (price.archivedAt !== null) throw priceNotFound('priceId');
  if (price.inheritsFromPriceId !== null)
    throw validationError([
      { field: param, message: "A variant can't be the default price. Use its base price instead." },
    ]);
}

/** Merges metadata key by key (CAT-18). Throws `validation_error` if the result exceeds the metadata limits (PLT-20b). */
function mergedMetadata(price: PlanPriceRow, { metadata }: PriceChanges): PlanPriceRow['metadata'] {
  if (!metadata) return price.metadata;
  const merged = { ...(price.metadata as object), ...metadata };
  const violation = metadataViolation(merged);
  if (violation !== null)
    throw validationError([
      {
        field: 'metadata',
        message: `metadata ${violation} after the new keys are merged with the stored keys.`,
      },
    ]);
  return merged as PlanPriceRow['metadata'];
}

/** Returns the changes to the price's row (CAT-18). Throws `validation_error` if the merged metadata is too large. */
const changesOf = (price: PlanPriceRow, input: PriceChanges): Changes<'PlanPrice'> => ({
  priceMinor: input.price,
  trialDays: input.trialDays,
  isDefault: input.isDefault,
  includedBalanceRate: input.includedBalance,
  includedCredits: input.includedCredits,
  includedUnits: input.includedUnits,
  minimumMinor: input.minimumSpend,
  metadata: mergedMetadata(price, input),
});

/** Throws `validation_error` if a change isn't allowed for a variant: it sets an inherited field or removes all amounts (CAT-16). */
function checkVariant(price: PlanPriceRow, input: PriceChanges): void {
  if (price.inheritsFromPriceId === null) return;
  throwProblems([
    ...inheritedProblems(input),
    ...(input.marketPrices ? noAmountProblems(input.marketPrices) : []),
  ]);
}

/**
 * Replaces the market amounts if the request contains market amounts. Returns `true` if an amount changed. Throws `market_not_found`,
 * `price_in_use`, and `validation_error`.
 */
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

/** Stores changed amounts as a new version, and updates the derived amounts (CAT-26). */
async function followAmounts(ctx: Context, before: PlanPriceRow, after: PlanPriceRow): Promise<void> {
  if (isDeepStrictEqual(amountsOf(after), amountsOf(before))) return;
  await addVersion(ctx, after, ctx.clock.now());
  await followPrice(ctx, after);
}

/**
 * Updates a price, which can be archived. Subscriptions with the price pay the new amount from their next renewal (CAT-18, CAT-49). Derived
 * amounts in other currencies are updated. Throws `plan_not_found`, `price_not_found`, and `market_not_found`. Throws `price_in_use` if a
 * variant overrides a market to be removed (CAT-19). Throws `validation_error` if the change removes the default flag or sets an inherited
 * field.
 */
export const updatePlanPrice = (ctx: Context, input: PriceChanges): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, input.planId, 'planId');
    const price = await requirePrice(tx, plan.id, input.priceId);
    checkVariant(price, input);
    throwProblems(minimumProblems(input, price.billingInterval));
    const isMarketChange = await changeMarkets(tx, price, input);
    const changes = changesOf(price, input);
    const next = priceRows.changed(price, changes);
    if (price.isDefault && !next.isDefault) {
      throw validationError([
        {
          field: 'isDefault',
          message: 'A plan needs a default price. Make another price the default instead.',
        },
      ]);
    }
    if (!isMarketChange && next === price) return price;
    if (next.isDefault && !price.isDefault) {
      checkCanBeDefault(price, 'isDefault');
      await clearDefault(tx, plan.id);
    }
    const stored = await priceRows.patch(tx, price, { ...changes, updatedAt: tx.clock.now() });
    await followAmounts(tx, price, stored);
    return stored;
  });

/**
 * Makes a price the default price of its plan (CAT-17). Throws `plan_not_found`. Throws `price_not_found` if the price doesn't exist or is
 * archived. Throws `validation_error` if the price is a variant.
 */
export const setDefaultPrice = (
  ctx: Context,
  reference: { readonly planId: string; readonly priceId: string },
): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, reference.planId, 'planId');
    const price = await requirePrice(tx, plan.id, reference.priceId);
    checkCanBeDefault(price, 'priceId');
    return updatePlanPrice(tx, { planId: plan.id, priceId: price.id, isDefault: true });
  });
