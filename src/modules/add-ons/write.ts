import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { AddonConsumptionModel } from '../../domain/words.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { requireSharedFeature } from '../features/service.ts';
import { beginningOfTime } from '../plans/service.ts';
import { foreignTerms, type GivenTerms, missingTerms, unfitModel } from './cell.ts';
import { type AddonRow, asTaken, featureSold, requireLockedAddon, slugTaken } from './service.ts';
import { slugOf } from './slug.ts';

/** What a creating call says of an add-on: US cents from 0 on, and the terms its consumption model has. */
export type NewAddonInput = GivenTerms & {
  readonly name: string;
  readonly basePrice: number;
  readonly featureId: string;
  readonly consumptionModel: AddonConsumptionModel;
  readonly description?: string | null | undefined;
};

/** Changes to an add-on, addressed by id or slug; what is undefined or null stays. */
export type AddonChanges = Omit<GivenTerms, 'creditCost'> & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly basePrice?: number | null | undefined;
  readonly description?: string | null | undefined;
};

const amountOf = (given: number | null | undefined): bigint | null => (given === undefined || given === null ? null : BigInt(given));

type Amounts = Pick<AddonRow, 'basePriceMinor' | 'includedUnits' | 'overageRate'>;

/** Adds the version of the amounts that is valid from an instant on (protocols B8). */
async function addVersion(context: Context, addonId: string, validFrom: Date, amounts: Amounts): Promise<void> {
  await context.db.addonVersion.create({ data: { id: newId('adv'), seq: await nextSeq(context), addonId, validFrom, ...amounts } });
}

/** Throws `feature_already_exists` or `duplicate` when a living add-on has the feature or the slug. */
async function refuseTaken(context: Context, featureId: string, slug: string): Promise<void> {
  const others = await context.db.addon.findMany({ where: { deletedAt: null, OR: [{ featureId }, { slug }] } });
  if (others.some((addon) => addon.featureId === featureId)) throw featureSold();
  if (others.length > 0) throw slugTaken(slug);
}

/**
 * Creates an add-on for a feature. Throws `validation_error` for terms its consumption model does not have or lacks (CAT-42),
 * `feature_not_found`, `feature_already_exists` when another living add-on sells the feature and `duplicate` when one has the slug, both
 * also for a rival at the same moment.
 */
export async function createAddon(context: Context, input: NewAddonInput): Promise<AddonRow> {
  const { name, consumptionModel } = input;
  const problems = [...foreignTerms(consumptionModel, input), ...missingTerms(consumptionModel, input)];
  if (problems.length > 0) throw validationError(problems);
  let slug = '';
  try {
    return await inTransaction(context, async (inner) => {
      const feature = await requireSharedFeature(inner, input.featureId);
      const unfit = unfitModel(consumptionModel, feature.type);
      if (unfit.length > 0) throw validationError(unfit);
      slug = slugOf(name, feature.code);
      await refuseTaken(inner, feature.id, slug);
      const now = inner.clock.now();
      const amounts = {
        basePriceMinor: BigInt(input.basePrice),
        includedUnits: amountOf(input.includedUnits),
        overageRate: amountOf(input.overageRate),
      };
      const addon = await inner.db.addon.create({
        data: {
          id: newId('adn'),
          seq: await nextSeq(inner),
          name,
          slug,
          description: input.description ?? '',
          featureId: feature.id,
          consumptionModel,
          ...amounts,
          creditCost: amountOf(input.creditCost),
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        },
      });
      await addVersion(inner, addon.id, beginningOfTime, amounts);
      return addon;
    });
  } catch (error) {
    throw asTaken(error, slug);
  }
}

/**
 * Changes texts or amounts of an add-on; a change of amounts is a new version, which those who have it active feel as CAT-43 says.
 * Throws `addon_not_found`, and `validation_error` for amounts its consumption model does not have.
 */
export const updateAddon = (context: Context, input: AddonChanges): Promise<AddonRow> =>
  inTransaction(context, async (inner) => {
    const addon = await requireLockedAddon(inner, input.id);
    const problems = foreignTerms(addon.consumptionModel, input);
    if (problems.length > 0) throw validationError(problems);
    const { name, description, basePriceMinor, includedUnits, overageRate } = addon;
    const texts = { name: input.name ?? name, description: input.description ?? description };
    const amounts = {
      basePriceMinor: amountOf(input.basePrice) ?? basePriceMinor,
      includedUnits: amountOf(input.includedUnits) ?? includedUnits,
      overageRate: amountOf(input.overageRate) ?? overageRate,
    };
    const isRepriced = !isDeepStrictEqual(amounts, { basePriceMinor, includedUnits, overageRate });
    if (!isRepriced && isDeepStrictEqual(texts, { name, description })) return addon;
    const now = inner.clock.now();
    const changes = { ...texts, ...amounts, updatedAt: now };
    await inner.db.addon.update({ where: { id: addon.id }, data: changes });
    if (isRepriced) await addVersion(inner, addon.id, now, amounts);
    return { ...addon, ...changes };
  });

/**
 * Takes an add-on out of the catalogue; its slug and its feature are free again. Throws `addon_not_found`, and `addon_has_activations`
 * while a subscription has it active (CAT-43).
 */
export const deleteAddon = (context: Context, reference: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    const { id } = await requireLockedAddon(inner, reference);
    const active = await inner.db.addonActivation.findFirst({ where: { addonId: id, status: 'active' } });
    if (active !== null) throw new QuittanceError('addon_has_activations', 'A subscription has this add-on active.', { param: 'id' });
    const now = inner.clock.now();
    await inner.db.addon.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'addon' };
  });
