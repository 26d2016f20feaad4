import { isDeepStrictEqual } from 'node:util';
import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { perUnitRate } from '../../../domain/rates/held.ts';
import { type RateDocument, rateDocument } from '../../../domain/rates/rate.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { nextSeq } from '../../../request/transaction.ts';
import type { ProvidedTerms } from './rules.ts';

export type AddonRow = Row<'Addon'>;

/** Returns the add-on with this ID or slug. IDs take precedence over slugs. Throws `addon_not_found`. */
export async function requireAddon(ctx: Context, reference: string): Promise<AddonRow> {
  const found = await ctx.db.addon.findMany({
    where: { deletedAt: null, OR: [{ id: reference }, { slug: reference }] },
  });
  const addon = found.find(({ id }) => id === reference) ?? found[0];
  if (addon === undefined) throw new QuittanceError('addon_not_found', { param: 'id' });
  return addon;
}

/**
 * Locks the add-on until the transaction ends and returns its current state. The lock serializes changes, deletions, and activations.
 * Throws `addon_not_found`.
 */
export async function requireLockedAddon(ctx: Context, reference: string): Promise<AddonRow> {
  const { id } = await requireAddon(ctx, reference);
  await lockRow(ctx.sql, 'Addon', id);
  return requireAddon(ctx, id);
}

/** Error for a feature that another add-on already sells (CAT-42). */
const featureSold = (): QuittanceError =>
  specificError('feature_already_exists', 'addon_feature', { param: 'featureId' });

/** Error for a slug that another add-on already uses. */
const slugTaken = (slug: string): QuittanceError =>
  specificError('duplicate', 'addon_slug', { values: { slug }, param: 'name' });

/** Converts a unique violation on the feature or slug to its API error. Returns other errors unchanged. */
export function asTaken(error: unknown, slug: string): unknown {
  if (!isUniqueViolation(error)) return error;
  return JSON.stringify(error).includes('Addon_living_slug') ? slugTaken(slug) : featureSold();
}

export const amountOf = (provided: number | null | undefined): bigint | null =>
  provided === undefined || provided === null ? null : BigInt(provided);

/** Returns the rate of a provided price or credit cost per unit. `null` if neither is provided. */
export function rateOf({ overageRate, creditCost }: ProvidedTerms): RateDocument | null {
  const [price, credits] = [amountOf(overageRate), amountOf(creditCost)];
  if (price !== null) return rateDocument(perUnitRate(price));
  return credits === null ? null : rateDocument(perUnitRate(credits, 0));
}

/** Amounts of an add-on that have versions. */
export type Amounts = Pick<AddonRow, 'basePriceMinor' | 'includedUnits' | 'rate'>;

export const amountsOf = ({ basePriceMinor, includedUnits, rate }: Amounts): Amounts => ({
  basePriceMinor,
  includedUnits,
  rate,
});

/** Adds a version of the add-on's amounts that applies from `validFrom`. */
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

/** Stores changes to an add-on. New amounts create a version that applies from the current time. */
export async function storeChanges(
  ctx: Context,
  addon: AddonRow,
  changes: Amounts & Partial<Pick<AddonRow, 'name' | 'description'>>,
): Promise<AddonRow> {
  const now = ctx.clock.now();
  const amounts = amountsOf(changes);
  const stored = { ...changes, updatedAt: now };
  await ctx.db.addon.update({ where: { id: addon.id }, data: stored });
  if (!isDeepStrictEqual(amounts, amountsOf(addon))) await addVersion(ctx, addon.id, now, amounts);
  return { ...addon, ...stored };
}

/** Throws `feature_already_exists` or `duplicate` if another add-on uses the feature or the slug. */
export async function rejectTaken(ctx: Context, featureId: string, slug: string): Promise<void> {
  const others = await ctx.db.addon.findMany({ where: { deletedAt: null, OR: [{ featureId }, { slug }] } });
  if (others.some((addon) => addon.featureId === featureId)) throw featureSold();
  if (others.length > 0) throw slugTaken(slug);
}

/** True if the add-on is active on any subscription. */
export const isAddonActive = async (ctx: Context, addonId: string): Promise<boolean> =>
  (await ctx.db.addonActivation.findFirst({ where: { addonId, status: 'active' } })) !== null;
