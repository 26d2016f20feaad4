import type { Context } from '../../context.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import { newId } from '../../platform/ids.ts';
import { nextSeq } from '../../transaction.ts';
import type { PlanPriceRow } from '../plans/store.ts';

/** What of a price its versions keep. */
export const amountsOf = ({ priceMinor, trialDays, includedBalanceRate, includedCredits }: PlanPriceRow) => ({
  priceMinor,
  trialDays,
  includedBalanceRate,
  includedCredits,
});

/** The value that counts for a price: its own, or that of the base of a variant (CAT-16). Batched. */
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

/** The prices of a plan that can no longer be selected, in the order they were added. Batched. */
export const loadArchivedPrices = async (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  (await loadRowsBy(ctx, 'PlanPrice', 'planId', planId, 'seq')).filter(
    ({ archivedAt }) => archivedAt !== null,
  );

/** Adds the version of the amounts that is valid from `validFrom` on (CAT-52). */
export async function addVersion(ctx: Context, price: PlanPriceRow, validFrom: Date): Promise<void> {
  await ctx.db.planPriceVersion.create({
    data: { id: newId('ppv'), seq: await nextSeq(ctx), priceId: price.id, validFrom, ...amountsOf(price) },
  });
}

/** Takes the default mark from whichever price of the plan has it. The plan is locked. */
export async function clearDefault(ctx: Context, planId: string): Promise<void> {
  await ctx.db.planPrice.update({
    where: { planId, isDefault: true },
    data: { isDefault: false, updatedAt: ctx.clock.now() },
  });
}

/** The prices of a plan that can be selected: those that are not archived. */
export const findSelectablePrices = (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  ctx.db.planPrice.findMany({ where: { planId, archivedAt: null } });
