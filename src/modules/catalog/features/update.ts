import { validationError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import type { Changes } from '../../../request/resource.ts';
import { type FeatureRow, featureRows } from './store.ts';

/**
 * Updates the name, description, or unit name. The code and type are immutable (CAT-2). Throws `feature_not_found` and
 * `feature_already_exists`. Throws `validation_error` if no change is provided.
 */
export async function updateFeature(
  ctx: Context,
  {
    code,
    ...changes
  }: Pick<Changes<'Feature'>, 'name' | 'description' | 'unitName'> & { readonly code: string },
): Promise<FeatureRow> {
  const { name, description, unitName } = changes;
  // A name can't be removed, so `null` has no effect.
  if (name == null && description === undefined && unitName === undefined) {
    throw validationError([
      { field: 'name', message: 'Provide at least one of name, description, and unitName.' },
    ]);
  }
  return featureRows.update(ctx, code, changes);
}
