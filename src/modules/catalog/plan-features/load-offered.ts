import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { FeatureRow } from '../features/store.ts';
import type { PlanFeatureRow } from '../plans/store.ts';

/** Feature of a plan, with the plan's terms. */
export type OfferedFeature = { readonly row: PlanFeatureRow; readonly feature: FeatureRow };

/** Returns a plan's features in order of attachment. Batched: runs two statements for any number of plans. */
export async function loadOfferedFeatures(ctx: Context, planId: string): Promise<OfferedFeature[]> {
  const rows = await loadRowsBy(ctx, 'PlanFeature', 'planId', planId, 'seq');
  return Promise.all(
    rows.map(async (row) => ({ row, feature: await loadExistingRow(ctx, 'Feature', row.featureId) })),
  );
}
