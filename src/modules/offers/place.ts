import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { canIntroduce } from '../../domain/offers/offer.ts';
import { inTransaction } from '../../transaction.ts';
import { type PlanPriceRow, requireLockedPlan, requirePrice } from '../plans/store.ts';
import { requireLockedOffer } from './store.ts';

/** Which offer new subscribers of a base price get automatically; none when null. The plan goes by id or code. */
export type Placement = {
  readonly planId: string;
  readonly priceId: string;
  readonly offerId: string | null;
};

/** Throws `offer_not_found`, and `offer_not_applicable` for phases that cannot be placed (OFR-28). */
async function checkOffer(ctx: Context, offerId: string): Promise<void> {
  const offer = await requireLockedOffer(ctx, offerId, 'SHARE', 'offerId');
  if (canIntroduce(offer.phases)) return;
  throw specificError('offer_not_applicable', 'introductory_phases', { param: 'offerId' });
}

/**
 * Places an offer on a base price, instead of the one that is there, or takes it away (CAT-54, OFR-29). Only later subscriptions feel it.
 * Throws `plan_not_found`, `price_not_found`, `validation_error` for a variant, `offer_not_found`, `offer_not_applicable` (OFR-28).
 */
export const placeIntroductoryOffer = (
  ctx: Context,
  { planId, priceId, offerId }: Placement,
): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, planId, 'planId');
    const price = await requirePrice(tx, plan.id, priceId);
    if (price.inheritsFromPriceId !== null)
      throw validationError([{ field: 'priceId', message: 'A variant has the offer of its base price.' }]);
    if (offerId !== null) await checkOffer(tx, offerId);
    if (price.introductoryOfferId === offerId) return price;
    const changes = { introductoryOfferId: offerId, updatedAt: tx.clock.now() };
    await tx.db.planPrice.update({ where: { id: price.id }, data: changes });
    return { ...price, ...changes };
  });
