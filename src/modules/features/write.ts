import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { FeatureType } from '../../domain/words.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { lockFeatureRow } from '../../infra/locks.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { asFeatureExists, type FeatureRow, featureExists, featureNotFound, requireFeature } from './service.ts';

/** What a creating call says of a feature. */
export type NewFeatureInput = {
  readonly name: string;
  readonly code: string;
  readonly type: FeatureType;
  readonly description?: string | null | undefined;
  readonly unitName?: string | null | undefined;
};

/** Changes to a feature's texts; what is undefined stays, null empties (CAT-2). */
export type FeatureChanges = {
  readonly code: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly unitName?: string | null | undefined;
};

/** Throws `feature_already_exists` when another living feature has the code or the name. */
async function refuseTaken(context: Context, wanted: { code?: string; name: string }, ownId?: string): Promise<void> {
  const others = await context.db.feature.findMany({
    where: { deletedAt: null, OR: [{ name: wanted.name }, ...(wanted.code === undefined ? [] : [{ code: wanted.code }])] },
  });
  const other = others.find((feature) => feature.id !== ownId && feature.code === wanted.code);
  if (other !== undefined) throw featureExists('code');
  if (others.some((feature) => feature.id !== ownId)) throw featureExists('name');
}

/** Creates a feature. Throws `feature_already_exists` with `param` `code` or `name`, also for a rival at the same moment (CAT-1). */
export async function createFeature(context: Context, input: NewFeatureInput): Promise<FeatureRow> {
  try {
    return await inTransaction(context, async (inner) => {
      await refuseTaken(inner, input);
      const now = inner.clock.now();
      const { name, code, type, description = null, unitName = null } = input;
      const data = { id: newId('ftr'), seq: await nextSeq(inner), code, name, type, description, unitName };
      return inner.db.feature.create({ data: { ...data, createdAt: now, updatedAt: now, deletedAt: null } });
    });
  } catch (error) {
    throw asFeatureExists(error);
  }
}

/**
 * Changes name, description or unit name; code and type never change (CAT-2).
 * Throws `validation_error` when none is given, `feature_not_found`, `feature_already_exists`.
 */
export async function updateFeature(context: Context, input: FeatureChanges): Promise<FeatureRow> {
  const { code, description, unitName } = input;
  // A name cannot be emptied, so null says nothing about it.
  const name = input.name ?? undefined;
  if (name === undefined && description === undefined && unitName === undefined) {
    throw validationError([{ field: 'name', message: 'At least one of name, description and unitName must be given.' }]);
  }
  try {
    return await inTransaction(context, async (inner) => {
      const { id } = await requireFeature(inner, code);
      await lockFeatureRow(inner.sql, id, 'UPDATE');
      const feature = await requireFeature(inner, code);
      const next = {
        name: name ?? feature.name,
        description: description === undefined ? feature.description : description,
        unitName: unitName === undefined ? feature.unitName : unitName,
      };
      if (next.name === feature.name && next.description === feature.description && next.unitName === feature.unitName) return feature;
      await refuseTaken(inner, { name: next.name }, id);
      const [changed] = await inner.db.feature.update({ where: { id }, data: { ...next, updatedAt: inner.clock.now() } });
      if (changed === undefined) throw featureNotFound('code');
      return changed;
    });
  } catch (error) {
    throw asFeatureExists(error);
  }
}

/** Throws `feature_in_use` while a living plan or add-on holds the feature (CAT-3). */
async function refuseInUse(context: Context, featureId: string): Promise<void> {
  const attached = await context.db.planFeature.findFirst({ where: { featureId, plan: { deletedAt: null } } });
  if (attached !== null) throw new QuittanceError('feature_in_use', 'A plan contains this feature.', { param: 'code' });
  const extended = await context.db.addon.findFirst({ where: { featureId, deletedAt: null } });
  if (extended !== null) throw new QuittanceError('feature_in_use', 'An add-on sells this feature.', { param: 'code' });
}

/** Deletes a feature; its code and name are free again. Throws `feature_not_found`, and `feature_in_use` while a living plan or add-on holds it (CAT-3). */
export const deleteFeature = (context: Context, code: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    const { id } = await requireFeature(inner, code);
    // Whoever attaches the feature or makes an add-on of it holds its row shared, so either this sees that or that sees the deletion.
    await lockFeatureRow(inner.sql, id, 'UPDATE');
    await requireFeature(inner, code);
    await refuseInUse(inner, id);
    const now = inner.clock.now();
    await inner.db.feature.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'feature' };
  });
