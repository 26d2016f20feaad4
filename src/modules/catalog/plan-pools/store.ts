import { creditsAsset } from '../../../domain/lots/account.ts';
import type { Rollover } from '../../../domain/pricing/rollover.ts';
import { loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanPriceRow, PlanRow } from '../plans/store.ts';

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
