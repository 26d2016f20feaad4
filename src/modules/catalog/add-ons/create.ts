import { validationError } from '../../../domain/errors/errors.ts';
import type { AddonConsumptionModel } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { addonUse } from '../features/load-uses.ts';
import { requireMeterFits } from '../features/set-meter.ts';
import { requireSharedFeature } from '../features/store.ts';
import { beginningOfTime } from '../plans/store.ts';
import { disallowedTerms, missingTerms, type ProvidedTerms, slugOf, unfitModel } from './rules.ts';
import { type AddonRow, addonRows, addVersion, rateOf } from './store.ts';

/** Parameters for creating an add-on. The base price is in US cents, 0 or more. The other terms depend on the consumption model. */
export type NewAddonInput = ProvidedTerms & {
  readonly name: string;
  readonly basePrice: number;
  readonly featureId: string;
  readonly consumptionModel: AddonConsumptionModel;
  readonly description?: string | null | undefined;
};

/**
 * Creates an add-on for a feature. Throws `feature_not_found`, `validation_error` if a term is missing or doesn't fit the consumption model
 * (CAT-42), `feature_already_exists` if another add-on sells the feature, and `duplicate` if another add-on has the slug. Concurrent
 * requests can also cause the last two errors.
 */
export async function createAddon(ctx: Context, input: NewAddonInput): Promise<AddonRow> {
  const { name, description, consumptionModel, basePrice, includedUnits } = input;
  const problems = [...disallowedTerms(consumptionModel, input), ...missingTerms(consumptionModel, input)];
  if (problems.length > 0) throw validationError(problems);
  return addonRows.create(
    ctx,
    async (tx) => {
      const feature = await requireSharedFeature(tx, input.featureId);
      const unfit = unfitModel(consumptionModel, feature.type);
      if (unfit.length > 0) throw validationError(unfit);
      const rate = rateOf(input);
      requireMeterFits(feature, addonUse(consumptionModel, rate));
      const slug = slugOf(name, feature.code);
      const terms = { consumptionModel, basePriceMinor: basePrice, includedUnits, rate };
      return { name, slug, description, featureId: feature.id, ...terms };
    },
    (tx, addon) => addVersion(tx, addon, beginningOfTime),
  );
}
