import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { nextSeq } from '../../../request/transaction.ts';
import { type PlanPriceRow, priceNotFound } from '../plans/store.ts';

/** Prices of plans. The caller must have locked the plan. */
export const priceRows = resource('PlanPrice', {
  prefix: 'pp',
  object: 'plan_price',
  notFound: priceNotFound,
  defaults: { priceMinor: 0n, isDefault: false, trialDays: 0, metadata: {} },
});

export const amountsOf = ({ priceMinor, trialDays, includedBalanceRate, includedCredits }: PlanPriceRow) => ({
  priceMinor,
  trialDays,
  includedBalanceRate,
  includedCredits,
});

/**
 * Returns a price's value in a column. For a variant, returns the value of its base price (CAT-16). Lookups are
 * batched.
 */
export const loadOfBase = async <Column extends keyof PlanPriceRow>(
  ctx: Context,
  price: Pick<PlanPriceRow, Column | 'inheritsFromPriceId'>,
  column: Column,
): Promise<PlanPriceRow[Column]> => {
  const { inheritsFromPriceId } = price;
  const base =
    inheritsFromPriceId === null
      ? price
      : await loadExistingRow(ctx, 'PlanPrice', inheritsFromPriceId, new Set([column]));
  return base[column];
};

/** Returns the archived prices of a plan, oldest first. Lookups are batched. */
export const loadArchivedPrices = async (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  (await loadRowsBy(ctx, 'PlanPrice', 'planId', planId, 'seq')).filter(
    ({ archivedAt }) => archivedAt !== null,
  );

/** Adds a version of the amounts that applies from `validFrom` (CAT-52). */
export async function addVersion(ctx: Context, price: PlanPriceRow, validFrom: Date): Promise<void> {
  await ctx.db.planPriceVersion.create({
    data: { id: newId('ppv'), seq: await nextSeq(ctx), priceId: price.id, validFrom, ...amountsOf(price) },
  });
}

/** Removes the default flag from the plan's default price. The caller must have locked the plan. */
export async function clearDefault(ctx: Context, planId: string): Promise<void> {
  await ctx.db.planPrice.update({
    where: { planId, isDefault: true },
    data: { isDefault: false, updatedAt: ctx.clock.now() },
  });
}

/** Returns a plan's prices that aren't archived. */
export const findSelectablePrices = (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  ctx.db.planPrice.findMany({ where: { planId, archivedAt: null } });
