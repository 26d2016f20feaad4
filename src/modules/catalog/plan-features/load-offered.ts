import { poolOf } from '../../../domain/pricing/pools.ts';
import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { FeatureRow } from '../features/store.ts';
import type { PlanFeatureRow, PlanRow } from '../plans/store.ts';
import type { PricedTerms } from './load-pool.ts';

/** Feature of a plan, with the plan's terms. */
export type OfferedFeature = {
  readonly row: PlanFeatureRow;
  readonly feature: FeatureRow;
  readonly terms: PricedTerms;
};

/** Returns a plan's features in order of attachment. Batched: runs two statements for any number of plans. */
export async function loadOfferedFeatures(
  ctx: Context,
  plan: Pick<PlanRow, 'id' | 'consumptionModel'>,
): Promise<OfferedFeature[]> {
  const rows = await loadRowsBy(ctx, 'PlanFeature', 'planId', plan.id, 'seq');
  return Promise.all(
    rows.map(async (row) => {
      const feature = await loadExistingRow(ctx, 'Feature', row.featureId);
      const pool = poolOf({ type: feature.type, settle: row.settle }, plan);
      return { row, feature, terms: { overageEnabled: row.overageEnabled, rate: row.rate, pool } };
    }),
  );
}
