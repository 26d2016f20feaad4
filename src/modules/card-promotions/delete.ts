import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { requireCardPromotions, requireLockedCardPromotion } from './store.ts';

/** Deletes a card promotion; its BINs are free again. Throws `card_promotions_not_available`, `not_found`. */
export const deleteCardPromotion = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedCardPromotion(tx, id);
    requireCardPromotions(tx);
    const now = tx.clock.now();
    await tx.db.cardPromotionBin.deleteMany({ where: { cardPromotionId: id } });
    await tx.db.cardPromotion.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'card_promotion' };
  });
