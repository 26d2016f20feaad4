// Accepts an offer quote when its checkout completes (OFR-15, OFR-18), and redeems its promo code (OFR-35
// to OFR-37).

import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { cardRejection, intervalRejection, isForInterval, promotionOf } from '../../offers/card-promotion.ts';
import { isUsedUp, promoRejection } from '../../offers/promo-code.ts';
import { datedPhases, firstDiscount } from '../../offers/terms.ts';
import type { BillingInterval } from '../../rows/enums.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { MethodDetails, OfferApplicationRow, SubscriptionRow } from '../../rows/rows.ts';
import { quotedOffer } from '../pricing/lookup.ts';
import { hasRedeemed, isTrialUsed, trialDaysOf, trialUsed } from '../pricing/offering.ts';
import { deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';

/** Rejection for a quote that expired before it was accepted (OFR-18). */
const quoteExpired: Rejection = specificRejection('offer_not_applicable', 'expired', {
  details: { reason: 'expired' },
});

/** Returns the reason why a card promotion doesn't apply to the payment card (OFR-39). `null` if it applies. */
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
 * Returns the reason why an offer quote can't be accepted with a payment method, or `null` if acceptance is possible.
 * Rejects an expired quote and a second trial of the customer. Also rejects a promo code that has reached its limit or
 * was redeemed by the customer, and a card promotion that doesn't match the card.
 */
export function quoteRejection(
  draft: Draft,
  application: OfferApplicationRow,
  { billingInterval }: Pick<SubscriptionRow, 'billingInterval'>,
  { bin }: Pick<MethodDetails, 'bin'>,
): Rejection | null {
  if (application.expiresAt !== null && application.expiresAt <= draft.now) return quoteExpired;
  if (trialDaysOf(application.phases) > 0 && isTrialUsed(draft)) return trialUsed('offerId');
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
      'The promo code has reached its redemption limit.',
    );
  if (!hasRedeemed(draft, code.id)) return null;
  return promoRejection(
    'offer_not_applicable',
    'already_redeemed',
    'The customer has already used the promo code.',
  );
}

/**
 * Accepts the offer that is quoted for a subscription. Sets the final dates of the offer's phases and
 * redeems its promo code. Does nothing if no offer is quoted.
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

/** Ends the accepted offers of a subscription. Unused benefits aren't refunded (OFR-19). */
export function endOffers(draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): void {
  for (const application of draft.offerApplications.all()) {
    if (application.subscriptionId !== id || application.status !== 'applied' || application.endedAt !== null)
      continue;
    draft.offerApplications.patch(application.id, { endedAt: draft.now });
  }
}
