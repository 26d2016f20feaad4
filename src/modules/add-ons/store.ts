import type { Context } from '../../context.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';
import { newId } from '../../platform/ids.ts';
import { nextSeq } from '../../transaction.ts';

export type AddonRow = Row<'Addon'>;

/** The add-on addressed by its id, else by its slug, that was not deleted. Throws `addon_not_found`. */
export async function requireAddon(ctx: Context, reference: string): Promise<AddonRow> {
  const found = await ctx.db.addon.findMany({
    where: { deletedAt: null, OR: [{ id: reference }, { slug: reference }] },
  });
  const addon = found.find(({ id }) => id === reference) ?? found[0];
  if (addon === undefined) throw new QuittanceError('addon_not_found', { param: 'id' });
  return addon;
}

/**
 * Locks the add-on until the transaction ends and answers it as it is at that time, so that a change, a deletion and an activation cannot overtake
 * each other. Throws `addon_not_found`.
 */
export async function requireLockedAddon(ctx: Context, reference: string): Promise<AddonRow> {
  const { id } = await requireAddon(ctx, reference);
  await lockRow(ctx.sql, 'Addon', id);
  return requireAddon(ctx, id);
}

/** The rejection for a feature that another living add-on sells (CAT-42). */
export const featureSold = (): QuittanceError =>
  specificError('feature_already_exists', 'addon_feature', { param: 'featureId' });

/** The rejection for a name whose slug another living add-on has. */
export const slugTaken = (slug: string): QuittanceError =>
  specificError('duplicate', 'addon_slug', { values: { slug }, param: 'name' });

/** Turns the database's word that the feature or the slug was taken meanwhile into its rejection; other errors are answered as they are. */
export function asTaken(error: unknown, slug: string): unknown {
  if (!isUniqueViolation(error)) return error;
  return JSON.stringify(error).includes('Addon_living_slug') ? slugTaken(slug) : featureSold();
}

export const amountOf = (provided: number | null | undefined): bigint | null =>
  provided === undefined || provided === null ? null : BigInt(provided);

type Amounts = Pick<AddonRow, 'basePriceMinor' | 'includedUnits' | 'overageRate'>;

/** Adds the version of the amounts that is valid from an instant on. */
export async function addVersion(
  ctx: Context,
  addonId: string,
  validFrom: Date,
  amounts: Amounts,
): Promise<void> {
  await ctx.db.addonVersion.create({
    data: { id: newId('adv'), seq: await nextSeq(ctx), addonId, validFrom, ...amounts },
  });
}

/** Throws `feature_already_exists` or `duplicate` when a living add-on has the feature or the slug. */
export async function rejectTaken(ctx: Context, featureId: string, slug: string): Promise<void> {
  const others = await ctx.db.addon.findMany({ where: { deletedAt: null, OR: [{ featureId }, { slug }] } });
  if (others.some((addon) => addon.featureId === featureId)) throw featureSold();
  if (others.length > 0) throw slugTaken(slug);
}

/** Whether some subscription has the add-on active. */
export const isAddonActive = async (ctx: Context, addonId: string): Promise<boolean> =>
  (await ctx.db.addonActivation.findFirst({ where: { addonId, status: 'active' } })) !== null;
