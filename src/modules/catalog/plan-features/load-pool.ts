import { type Pool, poolOf, shownModel } from '../../../domain/pricing/pools.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanFeatureRow } from '../plans/store.ts';
import { settledAsset } from './read-settlement.ts';

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

/**
 * Returns the settlement of a plan's feature. `null` if the consumption model that the API shows for the plan determines it.
 * Batched.
 */
export async function loadSettlement(
  ctx: Context,
  { planId, featureId, settle }: Pick<PlanFeatureRow, 'planId' | 'featureId' | 'settle'>,
): Promise<{ readonly pool: string | null } | null> {
  if (settle !== null) return { pool: settledAsset(settle) };
  const [plan, { type }] = await Promise.all([
    loadExistingRow(ctx, 'Plan', planId, new Set(['consumptionModel', 'pools'])),
    loadExistingRow(ctx, 'Feature', featureId, new Set(['type'])),
  ]);
  // Metered plans with pools have the consumption model of their first pool, but invoice these features.
  return type === 'usage' && shownModel(plan) !== plan.consumptionModel ? { pool: null } : null;
}
