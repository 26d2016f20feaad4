import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { asNameTaken, type CreditPackRow, rejectTaken } from './store.ts';

/**
 * Parameters for creating a credit pack: a positive whole number of credits, and a positive price in US
 * cents. Packs are active by default.
 */
export type NewCreditPackInput = {
  readonly name: string;
  readonly credits: number;
  readonly price: number;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly validDays?: number | null | undefined;
};

/** Creates a credit pack. Throws `duplicate` if another pack has the name, even for concurrent requests (CAT-46). */
export async function createCreditPack(ctx: Context, input: NewCreditPackInput): Promise<CreditPackRow> {
  try {
    return await inTransaction(ctx, async (tx) => {
      await rejectTaken(tx, input.name, null);
      const now = tx.clock.now();
      return tx.db.creditPack.create({
        data: {
          id: newId('cpk'),
          seq: await nextSeq(tx),
          name: input.name,
          description: input.description ?? null,
          credits: BigInt(input.credits),
          priceMinor: BigInt(input.price),
          isActive: input.isActive ?? true,
          validDays: input.validDays ?? null,
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        },
      });
    });
  } catch (error) {
    throw asNameTaken(error);
  }
}
