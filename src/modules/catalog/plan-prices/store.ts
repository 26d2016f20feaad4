import { creditsAsset } from '../../../domain/lots/account.ts';
import type { Rollover } from '../../../domain/pricing/catalog.ts';
import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { nextSeq } from '../../../request/transaction.ts';
import { type PlanPriceRow, type PlanRow, priceNotFound } from '../plans/store.ts';

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

/** Effect of usage that exceeds the credits or balance. */
export type OnEmpty = 'reject' | 'overdraw';

/** Credits or balance that a plan includes, with the terms of the pool. */
export type PlanPool = {
  /** `credits`, or `usd`. */
  readonly asset: string;
  /** Included amount of the default price per usage window. `null` if the plan has no price. */
  readonly includedPerWindow: bigint | null;
  readonly onEmpty: OnEmpty;
  readonly rollover: Rollover | null;
};

type PooledPlan = Pick<PlanRow, 'id' | 'consumptionModel' | 'blockOnExhaustion' | 'rollover'>;

/** Returns the default price of a plan. `null` if the plan has no default price. */
export const findDefaultPrice = (ctx: Context, planId: string): Promise<PlanPriceRow | null> =>
  ctx.db.planPrice.findFirst({ where: { planId, isDefault: true } });

/** Returns the asset of a plan's pool: credits, or US dollars. `null` if the plan only counts units. */
export function assetOf({ consumptionModel }: PooledPlan): string | null {
  if (consumptionModel === 'metered') return null;
  return consumptionModel === 'credits' ? creditsAsset : 'usd';
}

/** Returns the pool of a plan with its default price. */
export function poolWith(plan: PooledPlan, asset: string, price: PlanPriceRow | null): PlanPool {
  const isCredits = asset === creditsAsset;
  const included = isCredits ? price?.includedCredits : price?.includedBalanceRate;
  return {
    asset,
    includedPerWindow: price === null ? null : (included ?? 0n),
    onEmpty: isCredits || plan.blockOnExhaustion ? 'reject' : 'overdraw',
    rollover: plan.rollover,
  };
}

/** Returns the pools of a plan: one, or none if the plan only counts units. Batched. */
export async function loadPools(ctx: Context, plan: PooledPlan): Promise<PlanPool[]> {
  const asset = assetOf(plan);
  if (asset === null) return [];
  const prices = await loadRowsBy(ctx, 'PlanPrice', 'planId', plan.id, 'seq');
  return [poolWith(plan, asset, prices.find(({ isDefault }) => isDefault) ?? null)];
}
