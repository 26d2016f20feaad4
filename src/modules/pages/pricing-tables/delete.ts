import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireLockedTable } from './store.ts';

/** Deletes a pricing table. Its page becomes unavailable, but open checkouts can still be paid. Throws `not_found`. */
export const deleteTable = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedTable(tx, id);
    const now = tx.clock.now();
    await tx.db.pricingTable.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'pricing_table' };
  });
