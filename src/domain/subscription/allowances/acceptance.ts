// A quote is accepted when its checkout completes (OFR-15, OFR-18), and a promo code is redeemed with it
// (OFR-35 to OFR-37).

import type { BillingInterval } from '../../enums.ts';
import { type Rejection, specificRejection } from '../../errors.ts';
import { cardRejection, intervalRejection, isForInterval, promotionOf } from '../../offers/card-promotion.ts';
import { isUsedUp, promoRejection } from '../../offers/promo-code.ts';
import { datedPhases, firstDiscount } from '../../offers/terms.ts';
import { quotedOffer } from '../pricing/lookup.ts';
import { hasRedeemed } from '../pricing/offering.ts';
import { boundOf } from '../schedule/periods.ts';
import { deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import type { MethodDetails, OfferApplicationRow, SubscriptionRow } from '../state/rows.ts';

/** The rejection of a quote whose end has come before it was accepted (OFR-18). */
const quoteExpired: Rejection = specificRejection('offer_not_applicable', 'expired', {
  details: { reason: 'expired' },
});

/** Why a card promotion does not hold for the card typed in (OFR-39); null when it does. */
function promotionRejection(
  draft: Draft,
  cardPromotionId: string,
  bin: string | null,
  interval: BillingInterval | null,
): Rejection | null {
  const promotion = promotionOf(draft.aggregate.cardPromotions, bin);
  if (promotion?.id !== cardPromotionId) return cardRejection;
  return interval === null || isForInterval(promotion, interval) ? null : intervalRejection('card');
}

/**
 * Why a quote cannot be accepted with a method: it has expired, its code was used up or used by this customer
 * meanwhile, or its promotion is not for the card. Null when it can.
 */
export function quoteRejection(
  draft: Draft,
  application: OfferApplicationRow,
  { billingInterval }: Pick<SubscriptionRow, 'billingInterval'>,
  { bin }: Pick<MethodDetails, 'bin'>,
): Rejection | null {
  if (application.expiresAt !== null && application.expiresAt <= draft.now) return quoteExpired;
  if (application.cardPromotionId !== null)
    return promotionRejection(draft, application.cardPromotionId, bin, billingInterval);
  if (application.promoCodeId === null) return null;
  const code = draft.aggregate.promoCodes.find(({ id }) => id === application.promoCodeId);
  if (code === undefined)
    throw new Error(`The promo code ${application.promoCodeId} is not in the aggregate.`);
  if (isUsedUp(code))
    return promoRejection(
      'promo_code_expired',
      'max_redemptions_reached',
      'The promo code was used up meanwhile.',
    );
  if (!hasRedeemed(draft, code.id)) return null;
  return promoRejection(
    'offer_not_applicable',
    'already_redeemed',
    'The customer has used the promo code meanwhile.',
  );
}

/**
 * Accepts the offer quoted to a subscription, if there is one: its phases get their final dates, and its
 * promo code is redeemed.
 */
export function acceptQuote(draft: Draft, subscription: SubscriptionRow): void {
  const application = quotedOffer(draft, subscription);
  if (application === null) return;
  const { trialEndsAt, billingInterval } = subscription;
  if (billingInterval === null) throw new Error(`The free subscription ${subscription.id} has an offer.`);
  const firstPeriodStart = boundOf(
    subscription,
    subscription.status === 'trialing' ? trialEndsAt : subscription.periodStart,
  );
  const phases = datedPhases(application.phases, {
    acceptedAt: draft.now,
    trialEndsAt,
    firstPeriodStart,
    interval: billingInterval,
  });
  draft.offerApplications.patch(application.id, { status: 'applied', appliedAt: draft.now, phases });
  draft.unschedule(deadlineId('quote_expiry', subscription.id));
  if (application.promoCodeId !== null) redeem(draft, subscription, application, application.promoCodeId);
}

function redeem(
  draft: Draft,
  subscription: SubscriptionRow,
  application: OfferApplicationRow,
  promoCodeId: string,
): void {
  const phase = firstDiscount(application.phases);
  if (phase === null || phase.type === 'fixed_price')
    throw new Error(`The promo code of ${application.id} gives no share or amount off.`);
  draft.redemptions.add({
    id: draft.newId('prd'),
    seq: null,
    promoCodeId,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    type: phase.type,
    value: BigInt(phase.type === 'percentage' ? phase.percentage : phase.amount),
    amountMinor: application.discountMinor ?? 0n,
    currency: application.currency ?? subscription.currency,
    createdAt: draft.now,
  });
}

/** Ends the accepted offers of a subscription, of which nothing is given back (OFR-19). */
export function endOffers(draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): void {
  for (const application of draft.offerApplications.all()) {
    if (application.subscriptionId !== id || application.status !== 'applied' || application.endedAt !== null)
      continue;
    draft.offerApplications.patch(application.id, { endedAt: draft.now });
  }
}
