import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { searchTextOf } from '../../../domain/text/folding.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type FeatureRow = Row<'Feature'>;

/** Error for a feature that doesn't exist or was deleted. `param` is the input that refers to the feature. */
export const featureNotFound = (param: string): QuittanceError =>
  new QuittanceError('feature_not_found', { param });

/** Error for a code or name that another feature already has (CAT-1). */
const featureExists = (param: 'code' | 'name'): QuittanceError =>
  specificError('feature_already_exists', 'taken', { values: { param }, param });

/** Features. Requests identify a feature by its code. */
export const featureRows = resource('Feature', {
  prefix: 'ftr',
  object: 'feature',
  notFound: featureNotFound,
  references: ['code'],
  unique: { code: () => featureExists('code'), name: () => featureExists('name') },
  defaults: { meters: [] },
  derive: ({ name, code }) => ({ searchText: searchTextOf(name, code) }),
});

/**
 * Returns the feature with this ID and takes a shared lock on it until the transaction ends, which prevents the feature's deletion. Throws
 * `feature_not_found` with `featureId` as the `param`.
 */
export const requireSharedFeature = (tx: Context, id: string): Promise<FeatureRow> =>
  featureRows.lockId(tx, id, 'featureId', 'SHARE');

export const loadFeatureCode = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['code']))).code;

/** Throws `feature_in_use` if a plan or add-on uses the feature (CAT-3). */
export async function rejectInUse(ctx: Context, featureId: string): Promise<void> {
  const attached = await ctx.db.planFeature.findFirst({ where: { featureId, plan: { deletedAt: null } } });
  if (attached !== null) throw specificError('feature_in_use', 'plan', { param: 'code' });
  const extended = await ctx.db.addon.findFirst({ where: { featureId, deletedAt: null } });
  if (extended !== null) throw specificError('feature_in_use', 'addon', { param: 'code' });
}

export const loadFeatureName = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['name']))).name;
