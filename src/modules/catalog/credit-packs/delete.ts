import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireLockedCreditPack } from './store.ts';

/**
 * Deletes a credit pack. Purchased credits don't change, and the name becomes available for new packs (CAT-46). Throws
 * `credit_pack_not_found`.
 */
export const deleteCreditPack = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedCreditPack(tx, id);
    const now = tx.clock.now();
    await tx.db.creditPack.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'credit_pack' };
  });
