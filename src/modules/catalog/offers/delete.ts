import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireLockedOffer } from './store.ts';

/**
 * Deletes an offer. The offer is removed from prices and is no longer the retention offer. Existing offer applications don't change
 * (OFR-5). Throws `offer_not_found`.
 */
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
