import { validationError } from '../../../domain/errors/errors.ts';
import { searchTextOf } from '../../../domain/text/folding.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { asFeatureExists, type FeatureRow, featureNotFound, rejectTaken, requireFeature } from './store.ts';

/** Changes to a feature. `undefined` keeps the current value, and `null` removes the value (CAT-2). */
export type FeatureChanges = {
  readonly code: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly unitName?: string | null | undefined;
};

/**
 * Updates the name, description, or unit name. The code and type are immutable (CAT-2). Throws `feature_not_found` and
 * `feature_already_exists`. Throws `validation_error` if no change is provided.
 */
export async function updateFeature(ctx: Context, input: FeatureChanges): Promise<FeatureRow> {
  const { code, description, unitName } = input;
  // A name can't be removed, so `null` has no effect.
  const name = input.name ?? undefined;
  if (name === undefined && description === undefined && unitName === undefined) {
    throw validationError([
      { field: 'name', message: 'Provide at least one of name, description, and unitName.' },
    ]);
  }
  try {
    return await inTransaction(ctx, async (tx) => {
      const { id } = await requireFeature(tx, code);
      await lockRow(tx.sql, 'Feature', id, 'UPDATE');
      const feature = await requireFeature(tx, code);
      const next = {
        name: name ?? feature.name,
        description: description === undefined ? feature.description : description,
        unitName: unitName === undefined ? feature.unitName : unitName,
      };
      if (
        next.name === feature.name &&
        next.description === feature.description &&
        next.unitName === feature.unitName
      )
        return feature;
      await rejectTaken(tx, { name: next.name }, id);
      const [changed] = await tx.db.feature.update({
        where: { id },
        data: { ...next, searchText: searchTextOf(next.name, feature.code), updatedAt: tx.clock.now() },
      });
      if (changed === undefined) throw featureNotFound('code');
      return changed;
    });
  } catch (error) {
    throw asFeatureExists(error);
  }
}
