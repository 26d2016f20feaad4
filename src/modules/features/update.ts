import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
import { inTransaction } from '../../transaction.ts';
import { asFeatureExists, type FeatureRow, featureNotFound, rejectTaken, requireFeature } from './store.ts';

/** Changes to a feature's texts; what is undefined stays, null empties (CAT-2). */
export type FeatureChanges = {
  readonly code: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly unitName?: string | null | undefined;
};

/**
 * Changes name, description or unit name; code and type never change (CAT-2).
 * Throws `validation_error` when none is given, `feature_not_found`, `feature_already_exists`.
 */
export async function updateFeature(ctx: Context, input: FeatureChanges): Promise<FeatureRow> {
  const { code, description, unitName } = input;
  // A name cannot be emptied, so null says nothing about it.
  const name = input.name ?? undefined;
  if (name === undefined && description === undefined && unitName === undefined) {
    throw validationError([
      { field: 'name', message: 'At least one of name, description and unitName must be given.' },
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
        data: { ...next, updatedAt: tx.clock.now() },
      });
      if (changed === undefined) throw featureNotFound('code');
      return changed;
    });
  } catch (error) {
    throw asFeatureExists(error);
  }
}
