import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { rejectUsed, requireLockedMarket } from './store.ts';

/** Deletes a market. Its countries become available for other markets. Throws `market_not_found` and `market_in_use` (CAT-30). */
export const deleteMarket = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedMarket(tx, id, 'UPDATE');
    await rejectUsed(tx, id);
    const now = tx.clock.now();
    await tx.db.marketCountry.deleteMany({ where: { marketId: id } });
    await tx.db.market.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'market' };
  });
