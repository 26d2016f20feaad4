import type { Context } from '../../context.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';

export type FeatureRow = Row<'Feature'>;

/** The feature with this code that was not deleted; null when there is none. */
export const findFeature = (ctx: Context, code: string): Promise<FeatureRow | null> =>
  ctx.db.feature.findFirst({ where: { code, deletedAt: null } });

/** The same. Throws `feature_not_found`. */
export async function requireFeature(ctx: Context, code: string): Promise<FeatureRow> {
  const feature = await findFeature(ctx, code);
  if (feature === null) throw featureNotFound('code');
  return feature;
}

/**
 * The living feature with this id, its row held shared until the transaction ends, so that it is not deleted meanwhile.
 * Throws `feature_not_found` on `featureId`.
 */
export async function requireSharedFeature(ctx: Context, id: string): Promise<FeatureRow> {
  await lockRow(ctx.sql, 'Feature', id, 'SHARE');
  const feature = await ctx.db.feature.findFirst({ where: { id, deletedAt: null } });
  if (feature === null) throw featureNotFound('featureId');
  return feature;
}

/** The code of a feature. Batched. */
export const loadFeatureCode = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['code']))).code;

/** The rejection for a feature that does not exist or was deleted; `param` is the input that named it. */
export const featureNotFound = (param: string): QuittanceError =>
  new QuittanceError('feature_not_found', { param });

/** The rejection for a code or name that another living feature has (CAT-1). */
export const featureExists = (param: 'code' | 'name'): QuittanceError =>
  specificError('feature_already_exists', 'taken', { values: { param }, param });

/** Turns the database's word that a code or name was taken meanwhile into its rejection; other errors are answered as they are. */
export function asFeatureExists(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return featureExists(JSON.stringify(error).includes('Feature_living_name') ? 'name' : 'code');
}

/** Throws `feature_already_exists` when another living feature has the code or the name. */
export async function rejectTaken(
  ctx: Context,
  wanted: { code?: string; name: string },
  ownId?: string,
): Promise<void> {
  const others = await ctx.db.feature.findMany({
    where: {
      deletedAt: null,
      OR: [{ name: wanted.name }, ...(wanted.code === undefined ? [] : [{ code: wanted.code }])],
    },
  });
  const other = others.find((feature) => feature.id !== ownId && feature.code === wanted.code);
  if (other !== undefined) throw featureExists('code');
  if (others.some((feature) => feature.id !== ownId)) throw featureExists('name');
}

/** Throws `feature_in_use` while a living plan or add-on holds the feature (CAT-3). */
export async function rejectInUse(ctx: Context, featureId: string): Promise<void> {
  const attached = await ctx.db.planFeature.findFirst({ where: { featureId, plan: { deletedAt: null } } });
  if (attached !== null) throw specificError('feature_in_use', 'plan', { param: 'code' });
  const extended = await ctx.db.addon.findFirst({ where: { featureId, deletedAt: null } });
  if (extended !== null) throw specificError('feature_in_use', 'addon', { param: 'code' });
}

/** The name of a feature. Batched. */
export const loadFeatureName = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['name']))).name;
