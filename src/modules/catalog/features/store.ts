import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import type { Context } from '../../../request/context.ts';

export type FeatureRow = Row<'Feature'>;

/** Returns the feature with this code. `null` if it doesn't exist or was deleted. */
export const findFeature = (ctx: Context, code: string): Promise<FeatureRow | null> =>
  ctx.db.feature.findFirst({ where: { code, deletedAt: null } });

/** Returns the feature with this code. Throws `feature_not_found` if it doesn't exist or was deleted. */
export async function requireFeature(ctx: Context, code: string): Promise<FeatureRow> {
  const feature = await findFeature(ctx, code);
  if (feature === null) throw featureNotFound('code');
  return feature;
}

/**
 * Returns the feature with this ID and takes a shared lock on it until the transaction ends, which prevents the feature's deletion. Throws
 * `feature_not_found` with `featureId` as the `param`.
 */
export async function requireSharedFeature(ctx: Context, id: string): Promise<FeatureRow> {
  await lockRow(ctx.sql, 'Feature', id, 'SHARE');
  const feature = await ctx.db.feature.findFirst({ where: { id, deletedAt: null } });
  if (feature === null) throw featureNotFound('featureId');
  return feature;
}

export const loadFeatureCode = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['code']))).code;

/** Error for a feature that doesn't exist or was deleted. `param` is the input that refers to the feature. */
export const featureNotFound = (param: string): QuittanceError =>
  new QuittanceError('feature_not_found', { param });

/** Error for a code or name that another feature already has (CAT-1). */
const featureExists = (param: 'code' | 'name'): QuittanceError =>
  specificError('feature_already_exists', 'taken', { values: { param }, param });

/** Converts a unique violation on the code or name to `feature_already_exists`. Returns other errors unchanged. */
export function asFeatureExists(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return featureExists(JSON.stringify(error).includes('Feature_living_name') ? 'name' : 'code');
}

/** Throws `feature_already_exists` if another feature has the code or name. */
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

/** Throws `feature_in_use` if a plan or add-on uses the feature (CAT-3). */
export async function rejectInUse(ctx: Context, featureId: string): Promise<void> {
  const attached = await ctx.db.planFeature.findFirst({ where: { featureId, plan: { deletedAt: null } } });
  if (attached !== null) throw specificError('feature_in_use', 'plan', { param: 'code' });
  const extended = await ctx.db.addon.findFirst({ where: { featureId, deletedAt: null } });
  if (extended !== null) throw specificError('feature_in_use', 'addon', { param: 'code' });
}

export const loadFeatureName = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['name']))).name;
