import { specificError } from '../../../domain/errors/errors.ts';
import { canRetain } from '../../../domain/offers/offer.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type OfferRow, offerRows, putRetentionOffer } from './store.ts';

/**
 * Sets the retention offer, or removes it if `offerId` is `null` (OFR-41). Accepted offers don't change. Throws `offer_not_found`. Throws
 * `offer_not_applicable` if the offer has a free trial.
 */
export const setRetentionOffer = (ctx: Context, offerId: string | null): Promise<OfferRow | null> =>
  inTransaction(ctx, async (tx) => {
    if (offerId === null) {
      await tx.db.retentionOffer.deleteMany({ where: {} });
      return null;
    }
    const offer = await offerRows.lock(tx, offerId, 'offerId', 'SHARE');
    if (!canRetain(offer.phases))
      throw specificError('offer_not_applicable', 'retention_phases', { param: 'offerId' });
    await putRetentionOffer(tx, offer.id);
    return offer;
  });
