import type { Context } from '../../context.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { FeatureRow } from '../features/store.ts';
import type { PlanFeatureRow } from '../plans/store.ts';

/** A feature with the terms a plan offers it on. */
export type OfferedFeature = { readonly row: PlanFeatureRow; readonly feature: FeatureRow };

/** The features of a plan in the order they were attached. Two batched statements, however many plans ask. */
export async function loadOfferedFeatures(ctx: Context, planId: string): Promise<OfferedFeature[]> {
  const rows = await loadRowsBy(ctx, 'PlanFeature', 'planId', planId, 'seq');
  return Promise.all(
    rows.map(async (row) => ({ row, feature: await loadExistingRow(ctx, 'Feature', row.featureId) })),
  );
}
