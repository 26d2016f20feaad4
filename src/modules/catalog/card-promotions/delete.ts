import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireCardPromotions, requireLockedCardPromotion } from './store.ts';

/** Deletes a card promotion. Its BINs become available for other promotions. Throws `card_promotions_not_available` and `not_found`. */
export const deleteCardPromotion = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedCardPromotion(tx, id);
    requireCardPromotions(tx);
    const now = tx.clock.now();
    await tx.db.cardPromotionBin.deleteMany({ where: { cardPromotionId: id } });
    await tx.db.cardPromotion.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'card_promotion' };
  });
