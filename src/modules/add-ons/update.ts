import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { inTransaction } from '../../transaction.ts';
import { foreignTerms, type ProvidedTerms } from './rules.ts';
import { type AddonRow, addVersion, amountOf, requireLockedAddon } from './store.ts';

/** Changes to an add-on, addressed by id or slug; what is undefined or null stays. */
export type AddonChanges = Omit<ProvidedTerms, 'creditCost'> & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly basePrice?: number | null | undefined;
  readonly description?: string | null | undefined;
};

/**
 * Changes texts or amounts of an add-on; a change of amounts is a new version, which those who have it active feel as CAT-43 says.
 * Throws `addon_not_found`, and `validation_error` for amounts its consumption model does not have.
 */
export const updateAddon = (ctx: Context, input: AddonChanges): Promise<AddonRow> =>
  inTransaction(ctx, async (tx) => {
    const addon = await requireLockedAddon(tx, input.id);
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
    const now = tx.clock.now();
    const changes = { ...texts, ...amounts, updatedAt: now };
    await tx.db.addon.update({ where: { id: addon.id }, data: changes });
    if (isRepriced) await addVersion(tx, addon.id, now, amounts);
    return { ...addon, ...changes };
  });
