import { isDeepStrictEqual } from 'node:util';
import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { perUnitRate } from '../../../domain/rates/held.ts';
import { type RateDocument, rateDocument } from '../../../domain/rates/rate.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { type Changes, resource } from '../../../request/resource.ts';
import { nextSeq } from '../../../request/transaction.ts';
import type { ProvidedTerms } from './rules.ts';

export type AddonRow = Row<'Addon'>;

/** Add-ons. Requests identify an add-on by ID or slug. At most one add-on sells a feature (CAT-42). */
export const addonRows = resource('Addon', {
  prefix: 'adn',
  object: 'addon',
  notFound: (param) => new QuittanceError('addon_not_found', { param }),
  references: ['id', 'slug'],
  unique: {
    featureId: () => specificError('feature_already_exists', 'addon_feature', { param: 'featureId' }),
    slug: (slug) => specificError('duplicate', 'addon_slug', { values: { slug }, param: 'name' }),
  },
  defaults: { description: '', overrides: [] },
});

const amountOf = (provided: number | null | undefined): bigint | null =>
  provided === undefined || provided === null ? null : BigInt(provided);

/** Returns the rate of a provided price or credit cost per unit. `null` if neither is provided. */
export function rateOf({ overageRate, creditCost }: ProvidedTerms): RateDocument | null {
  const [price, credits] = [amountOf(overageRate), amountOf(creditCost)];
  if (price !== null) return rateDocument(perUnitRate(price));
  return credits === null ? null : rateDocument(perUnitRate(credits, 0));
}

const amountsOf = ({ basePriceMinor, includedUnits, rate, overrides }: AddonRow) => ({
  basePriceMinor,
  includedUnits,
  rate,
  overrides,
});

/** Adds a version of the add-on's amounts that applies from `validFrom`. */
export async function addVersion(ctx: Context, addon: AddonRow, validFrom: Date): Promise<void> {
  await ctx.db.addonVersion.create({
    data: { id: newId('adv'), seq: await nextSeq(ctx), addonId: addon.id, validFrom, ...amountsOf(addon) },
  });
}

/** Changes an add-on. New amounts create a version that applies from the current time. Throws `addon_not_found`. */
export const changeAddon = (
  ctx: Context,
  reference: string,
  changes: (addon: AddonRow, tx: Context) => Promise<Changes<'Addon'>>,
): Promise<AddonRow> =>
  addonRows.update(
    ctx,
    reference,
    (tx, addon) => changes(addon, tx),
    async (tx, addon, before) => {
      if (!isDeepStrictEqual(amountsOf(addon), amountsOf(before)))
        await addVersion(tx, addon, addon.updatedAt);
    },
  );

/** Throws `addon_has_activations` if the add-on is active on a subscription (CAT-43). */
export async function rejectActive(ctx: Context, addonId: string): Promise<void> {
  const active = await ctx.db.addonActivation.findFirst({ where: { addonId, status: 'active' } });
  if (active !== null) throw specificError('addon_has_activations', 'active', { param: 'id' });
}
