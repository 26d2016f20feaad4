import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { canIntroduce } from '../../../domain/offers/offer.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { priceRows } from '../plan-prices/store.ts';
import { type PlanPriceRow, planRows, requirePrice } from '../plans/store.ts';
import { offerRows } from './store.ts';

/**
 * Introductory offer for a base price, which new subscribers get automatically. A `null` offer removes the current introductory offer. The
 * plan is identified by ID or code.
 */
export type Placement = {
  readonly planId: string;
  readonly priceId: string;
  readonly offerId: string | null;
};

/** Throws `offer_not_found`. Throws `offer_not_applicable` if the offer's phases aren't allowed for an introductory offer (OFR-28). */
async function checkOffer(ctx: Context, offerId: string): Promise<void> {
  const offer = await offerRows.lock(ctx, offerId, 'offerId', 'SHARE');
  if (canIntroduce(offer.phases)) return;
  throw specificError('offer_not_applicable', 'introductory_phases', { param: 'offerId' });
}

/**
 * Sets or removes the introductory offer for a base price (CAT-54, OFR-29). Only new subscriptions are affected. Throws `plan_not_found`,
 * `price_not_found`, `offer_not_found`, and `offer_not_applicable` (OFR-28). Throws `validation_error` if the price is a variant.
 */
export const placeIntroductoryOffer = (
  ctx: Context,
  { planId, priceId, offerId }: Placement,
): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, planId, 'planId');
    const price = await requirePrice(tx, plan.id, priceId);
    if (price.inheritsFromPriceId !== null)
      throw validationError([
        {
          field: 'priceId',
          message: 'A variant uses the offer of its base price. Set the offer on the base price instead.',
        },
      ]);
    if (offerId !== null) await checkOffer(tx, offerId);
    return priceRows.patch(tx, price, { introductoryOfferId: offerId });
  });
