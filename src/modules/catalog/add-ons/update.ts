import { validationError } from '../../../domain/errors/errors.ts';
import { overridesFitting } from '../../../domain/pricing/local-rates.ts';
import type { Context } from '../../../request/context.ts';
import { disallowedTerms, type ProvidedTerms } from './rules.ts';
import { type AddonRow, changeAddon, rateOf } from './store.ts';

/** Changes to an add-on, identified by ID or slug. `undefined` keeps the current value, and `null` removes the description. */
export type AddonChanges = Omit<ProvidedTerms, 'creditCost'> & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly basePrice?: number | null | undefined;
  readonly description?: string | null | undefined;
};

/**
 * Updates an add-on's texts or amounts. A provided price per unit replaces the rate. New amounts create a version, which applies to active add-ons as defined by CAT-43. Throws
 * `addon_not_found`, and `validation_error` if the consumption model doesn't have the amount.
 */
export const updateAddon = (ctx: Context, { id, ...input }: AddonChanges): Promise<AddonRow> =>
  changeAddon(ctx, id, async ({ consumptionModel, overrides }) => {
    const problems = disallowedTerms(consumptionModel, input);
    if (problems.length > 0) throw validationError(problems);
    const { name, basePrice, includedUnits } = input;
    const description = input.description === null ? '' : input.description;
    // A number of units that is `null` is omitted, like a price.
    const units = includedUnits ?? undefined;
    const rate = rateOf(input) ?? undefined;
    return {
      name,
      description,
      basePriceMinor: basePrice,
      includedUnits: units,
      rate,
      overrides: rate && overridesFitting(rate, overrides),
    };
  });
