import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { requireLockedCreditPack } from './store.ts';

/** Takes a credit pack out of the catalog; credits bought with it stay, its name is free again (CAT-46). Throws `credit_pack_not_found`. */
export const deleteCreditPack = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedCreditPack(tx, id);
    const now = tx.clock.now();
    await tx.db.creditPack.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'credit_pack' };
  });
