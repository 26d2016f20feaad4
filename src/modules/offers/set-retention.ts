import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { canRetain } from '../../domain/offers/offer.ts';
import { inTransaction } from '../../transaction.ts';
import { type OfferRow, putRetentionOffer, requireLockedOffer } from './store.ts';

/**
 * Names the offer that customers who are about to leave are made, in place of the one there is, or takes it away where null (OFR-41). What was
 * accepted before stays. Throws `offer_not_found`, and `offer_not_applicable` for an offer with a trial; then nothing has changed.
 */
export const setRetentionOffer = (ctx: Context, offerId: string | null): Promise<OfferRow | null> =>
  inTransaction(ctx, async (tx) => {
    if (offerId === null) {
      await tx.db.retentionOffer.deleteMany({ where: {} });
      return null;
    }
    const offer = await requireLockedOffer(tx, offerId, 'SHARE', 'offerId');
    if (!canRetain(offer.phases))
      throw specificError('offer_not_applicable', 'retention_phases', { param: 'offerId' });
    await putRetentionOffer(tx, offer.id);
    return offer;
  });
