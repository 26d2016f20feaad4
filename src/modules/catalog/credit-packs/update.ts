import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { asNameTaken, type CreditPackRow, rejectTaken, requireLockedCreditPack } from './store.ts';

/** Changes to a credit pack. `undefined` keeps the current value, and `null` removes the description or the number of days. */
export type CreditPackChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly credits?: number | null | undefined;
  readonly price?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly validDays?: number | null | undefined;
};

/**
 * Updates a credit pack. Only later purchases are affected (CAT-46). Throws `credit_pack_not_found`. Throws `duplicate` if the name is
 * taken.
 */
export async function updateCreditPack(ctx: Context, input: CreditPackChanges): Promise<CreditPackRow> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const pack = await requireLockedCreditPack(tx, input.id);
      const { name, description, credits, priceMinor, isActive, validDays } = pack;
      const next = {
        name: input.name ?? name,
        description: input.description === undefined ? description : input.description,
        credits: BigInt(input.credits ?? credits),
        priceMinor: BigInt(input.price ?? priceMinor),
        isActive: input.isActive ?? isActive,
        validDays: input.validDays === undefined ? validDays : input.validDays,
      };
      if (isDeepStrictEqual(next, { name, description, credits, priceMinor, isActive, validDays }))
        return pack;
      await rejectTaken(tx, next.name, pack.id);
      const changes = { ...next, updatedAt: tx.clock.now() };
      await tx.db.creditPack.update({ where: { id: pack.id }, data: changes });
      return { ...pack, ...changes };
    });
  } catch (error) {
    throw asNameTaken(error);
  }
}
