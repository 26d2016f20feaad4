import type { Context } from '../../context.ts';
import type { AddonConsumptionModel } from '../../domain/enums.ts';
import { validationError } from '../../domain/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { requireSharedFeature } from '../features/store.ts';
import { beginningOfTime } from '../plans/store.ts';
import { foreignTerms, missingTerms, type ProvidedTerms, slugOf, unfitModel } from './rules.ts';
import { type AddonRow, addVersion, amountOf, asTaken, rejectTaken } from './store.ts';

/** What a creating call says of an add-on: US cents from 0 on, and the terms its consumption model has. */
export type NewAddonInput = ProvidedTerms & {
  readonly name: string;
  readonly basePrice: number;
  readonly featureId: string;
  readonly consumptionModel: AddonConsumptionModel;
  readonly description?: string | null | undefined;
};

/**
 * Creates an add-on for a feature. Throws `validation_error` for terms its consumption model does not have or lacks (CAT-42),
 * `feature_not_found`, `feature_already_exists` when another living add-on sells the feature and `duplicate` when one has the slug, both
 * also for a rival at the same moment.
 */
export async function createAddon(ctx: Context, input: NewAddonInput): Promise<AddonRow> {
  const { name, consumptionModel } = input;
  const problems = [...foreignTerms(consumptionModel, input), ...missingTerms(consumptionModel, input)];
  if (problems.length > 0) throw validationError(problems);
  let slug = '';
  try {
    return await inTransaction(ctx, async (tx) => {
      const feature = await requireSharedFeature(tx, input.featureId);
      const unfit = unfitModel(consumptionModel, feature.type);
      if (unfit.length > 0) throw validationError(unfit);
      slug = slugOf(name, feature.code);
      await rejectTaken(tx, feature.id, slug);
      const now = tx.clock.now();
      const amounts = {
        basePriceMinor: BigInt(input.basePrice),
        includedUnits: amountOf(input.includedUnits),
        overageRate: amountOf(input.overageRate),
      };
      const addon = await tx.db.addon.create({
        data: {
          id: newId('adn'),
          seq: await nextSeq(tx),
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
      await addVersion(tx, addon.id, beginningOfTime, amounts);
      return addon;
    });
  } catch (error) {
    throw asTaken(error, slug);
  }
}
