import type { Context } from '../../context.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { asNameTaken, type CreditPackRow, rejectTaken } from './store.ts';

/** What a creating call says of a credit pack: whole credits and US cents, both above 0. It is active by default. */
export type NewCreditPackInput = {
  readonly name: string;
  readonly credits: number;
  readonly price: number;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
};

/** Creates a credit pack. Throws `duplicate` for a name another living one has, also for a rival at the same moment (CAT-46). */
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
