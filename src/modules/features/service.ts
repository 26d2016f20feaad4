import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockFeatureRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';
import { isUniqueViolation } from '../../infra/unique.ts';

export type FeatureRow = Row<'Feature'>;

/** The feature with this code that was not deleted. Throws `feature_not_found`. */
export async function requireFeature(context: Context, code: string): Promise<FeatureRow> {
  const feature = await context.db.feature.findFirst({ where: { code, deletedAt: null } });
  if (feature === null) throw featureNotFound('code');
  return feature;
}

/**
 * The living feature with this id, its row held shared until the transaction ends, so that it is not deleted meanwhile.
 * Throws `feature_not_found` on `featureId`.
 */
export async function requireSharedFeature(context: Context, id: string): Promise<FeatureRow> {
  await lockFeatureRow(context.sql, id, 'SHARE');
  const feature = await context.db.feature.findFirst({ where: { id, deletedAt: null } });
  if (feature === null) throw featureNotFound('featureId');
  return feature;
}

/** The refusal for a feature that does not exist or was deleted; `param` is the input that named it. */
export const featureNotFound = (param: string): QuittanceError => new QuittanceError('feature_not_found', 'No such feature.', { param });

/** The refusal for a code or name that another living feature has (CAT-1). */
export const featureExists = (param: 'code' | 'name'): QuittanceError =>
  new QuittanceError('feature_already_exists', `Another feature has this ${param}.`, { param });

/** Turns the database's word that a code or name was taken meanwhile into its refusal; other errors are answered as they are. */
export function asFeatureExists(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return featureExists(JSON.stringify(error).includes('Feature_living_name') ? 'name' : 'code');
}
