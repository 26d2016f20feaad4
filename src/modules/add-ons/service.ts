import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockAddonRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';
import { isUniqueViolation } from '../../infra/unique.ts';

export type AddonRow = Row<'Addon'>;

/** The add-on addressed by its id, else by its slug, that was not deleted. Throws `addon_not_found`. */
export async function requireAddon(context: Context, reference: string): Promise<AddonRow> {
  const found = await context.db.addon.findMany({ where: { deletedAt: null, OR: [{ id: reference }, { slug: reference }] } });
  const addon = found.find(({ id }) => id === reference) ?? found[0];
  if (addon === undefined) throw new QuittanceError('addon_not_found', 'No such add-on.', { param: 'id' });
  return addon;
}

/**
 * Locks the add-on until the transaction ends and answers it as it then is, so that a change, a deletion and an activation cannot overtake
 * each other. Throws `addon_not_found`.
 */
export async function requireLockedAddon(context: Context, reference: string): Promise<AddonRow> {
  const { id } = await requireAddon(context, reference);
  await lockAddonRow(context.sql, id);
  return requireAddon(context, id);
}

/** The refusal for a feature that another living add-on sells (CAT-42). */
export const featureSold = (): QuittanceError =>
  new QuittanceError('feature_already_exists', 'Another add-on sells this feature.', { param: 'featureId' });

/** The refusal for a name whose slug another living add-on has. */
export const slugTaken = (slug: string): QuittanceError =>
  new QuittanceError('duplicate', `The name gives the slug ${slug}, which another add-on has.`, { param: 'name' });

/** Turns the database's word that the feature or the slug was taken meanwhile into its refusal; other errors are answered as they are. */
export function asTaken(error: unknown, slug: string): unknown {
  if (!isUniqueViolation(error)) return error;
  return JSON.stringify(error).includes('Addon_living_slug') ? slugTaken(slug) : featureSold();
}
