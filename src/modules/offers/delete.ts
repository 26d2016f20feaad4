import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { requireLockedOffer } from './store.ts';

/** Deletes an offer and ends its placements, on prices and as the offer to stay; applications stay (OFR-5). Throws `offer_not_found`. */
export const deleteOffer = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedOffer(tx, id, 'UPDATE');
    const now = tx.clock.now();
    await tx.db.planPrice.update({
      where: { introductoryOfferId: id },
      data: { introductoryOfferId: null, updatedAt: now },
    });
    await tx.db.retentionOffer.deleteMany({ where: { offerId: id } });
    await tx.db.offer.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'offer' };
  });
