import { type Pool, poolOf } from '../../../domain/pricing/pools.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanFeatureRow } from '../plans/store.ts';

/** Terms of a plan's feature that determine its price, and the pool from which usage is deducted. */
export type PricedTerms = Pick<PlanFeatureRow, 'overageEnabled' | 'rate'> & { readonly pool: Pool | null };

/** Returns the pool from which usage of a plan's feature is deducted. `null` if the units are invoiced. Batched. */
export async function loadPool(
  ctx: Context,
  { planId, featureId, settle }: Pick<PlanFeatureRow, 'planId' | 'featureId' | 'settle'>,
): Promise<Pool | null> {
  const [plan, { type }] = await Promise.all([
    loadExistingRow(ctx, 'Plan', planId, new Set(['consumptionModel'])),
    loadExistingRow(ctx, 'Feature', featureId, new Set(['type'])),
  ]);
  return poolOf({ type, settle }, plan);
}
