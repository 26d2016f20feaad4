import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { canIntroduce } from '../../domain/offer/offer.ts';
import { inTransaction } from '../../transaction.ts';
import { type PlanPriceRow, requireLockedPlan, requirePrice } from '../plans/service.ts';
import { phasesOf, requireLockedOffer } from './service.ts';

/** Which offer new subscribers of a base price get by themselves; none when null. The plan goes by id or code. */
export type Placement = { readonly id: string; readonly priceId: string; readonly offerId: string | null };

/** Throws `offer_not_found`, and `offer_not_applicable` for phases that cannot be placed (OFR-28). */
async function checkOffer(context: Context, offerId: string): Promise<void> {
  const offer = await requireLockedOffer(context, offerId, 'SHARE', 'offerId');
  if (canIntroduce(phasesOf(offer))) return;
  const message = 'An introductory offer has at most a trial and one share or amount off with an end.';
  throw new QuittanceError('offer_not_applicable', message, { param: 'offerId' });
}

/**
 * Places an offer on a base price, instead of the one that is there, or takes it away (CAT-54, OFR-29). Only later subscriptions feel it.
 * Throws `plan_not_found`, `price_not_found`, `validation_error` for a variant, `offer_not_found`, `offer_not_applicable` (OFR-28).
 */
export const placeIntroductoryOffer = (context: Context, { id, priceId, offerId }: Placement): Promise<PlanPriceRow> =>
  inTransaction(context, async (inner) => {
    const plan = await requireLockedPlan(inner, id);
    const price = await requirePrice(inner, plan.id, priceId);
    if (price.inheritsFromPriceId !== null)
      throw validationError([{ field: 'priceId', message: 'A variant has the offer of its base price.' }]);
    if (offerId !== null) await checkOffer(inner, offerId);
    if (price.introductoryOfferId === offerId) return price;
    const changes = { introductoryOfferId: offerId, updatedAt: inner.clock.now() };
    await inner.db.planPrice.update({ where: { id: price.id }, data: changes });
    return { ...price, ...changes };
  });
