import { isDeepStrictEqual } from 'node:util';
import { validationError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { disallowedTerms, type ProvidedTerms } from './rules.ts';
import { type AddonRow, amountOf, amountsOf, rateOf, requireLockedAddon, storeChanges } from './store.ts';

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
export const updateAddon = (ctx: Context, input: AddonChanges): Promise<AddonRow> =>
  inTransaction(ctx, async (tx) => {
    const addon = await requireLockedAddon(tx, input.id);
    const problems = disallowedTerms(addon.consumptionModel, input);
    if (problems.length > 0) throw validationError(problems);
    const { name, description } = addon;
    const stored = { name, description, ...amountsOf(addon) };
    const changes = {
      name: input.name ?? name,
      description: input.description === undefined ? description : (input.description ?? ''),
      basePriceMinor: amountOf(input.basePrice) ?? addon.basePriceMinor,
      includedUnits: amountOf(input.includedUnits) ?? addon.includedUnits,
      rate: rateOf(input) ?? addon.rate,
    };
    return isDeepStrictEqual(changes, stored) ? addon : storeChanges(tx, addon, changes);
  });
