import { isDeepStrictEqual } from 'node:util';
import { validationError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { disallowedTerms, type ProvidedTerms } from './rules.ts';
import { type AddonRow, addVersion, amountOf, requireLockedAddon } from './store.ts';

/** Changes to an add-on, identified by ID or slug. `undefined` keeps the current value, and `null` removes the description. */
export type AddonChanges = Omit<ProvidedTerms, 'creditCost'> & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly basePrice?: number | null | undefined;
  readonly description?: string | null | undefined;
};

/**
 * Updates an add-on's name, description, or amounts. New amounts create a version, which applies to active add-ons as defined by CAT-43. Throws
 * `addon_not_found`, and `validation_error` if the consumption model doesn't have the amount.
 */
export const updateAddon = (ctx: Context, input: AddonChanges): Promise<AddonRow> =>
  inTransaction(ctx, async (tx) => {
    const addon = await requireLockedAddon(tx, input.id);
    const problems = disallowedTerms(addon.consumptionModel, input);
    if (problems.length > 0) throw validationError(problems);
    const { name, description, basePriceMinor, includedUnits, overageRate } = addon;
    const texts = {
      name: input.name ?? name,
      description: input.description === undefined ? description : (input.description ?? ''),
    };
    const amounts = {
      basePriceMinor: amountOf(input.basePrice) ?? basePriceMinor,
      includedUnits: amountOf(input.includedUnits) ?? includedUnits,
      overageRate: amountOf(input.overageRate) ?? overageRate,
    };
    const isRepriced = !isDeepStrictEqual(amounts, { basePriceMinor, includedUnits, overageRate });
    if (!isRepriced && isDeepStrictEqual(texts, { name, description })) return addon;
    const now = tx.clock.now();
    const changes = { ...texts, ...amounts, updatedAt: now };
    await tx.db.addon.update({ where: { id: addon.id }, data: changes });
    if (isRepriced) await addVersion(tx, addon.id, now, amounts);
    return { ...addon, ...changes };
  });
