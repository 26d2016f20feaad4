import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { requireLockedTable } from './store.ts';

/** Deletes a pricing table. Its page shows nothing any more; what was begun there can still be paid. Throws `not_found`. */
export const deleteTable = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedTable(tx, id);
    const now = tx.clock.now();
    await tx.db.pricingTable.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'pricing_table' };
  });
