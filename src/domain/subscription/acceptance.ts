// A quote is accepted when its checkout completes (OFR-15, OFR-18), and a promo code is redeemed with it (OFR-35 to OFR-37).

import type { Refusal } from '../errors.ts';
import { cardRefusal, intervalRefusal, isForInterval, promotionOf } from '../offer/card-promotion.ts';
import { isUsedUp, promoRefusal } from '../offer/promo-code.ts';
import { datedPhases, firstDiscount } from '../offer/terms.ts';
import type { BillingInterval } from '../words.ts';
import { deadlineId } from './deadlines.ts';
import { quotedOffer } from './lookup.ts';
import { hasRedeemed } from './offering.ts';
import { boundOf } from './periods.ts';
import type { MethodFacts, OfferApplicationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** The refusal of a quote whose end has come before it was accepted (OFR-18). */
const quoteExpired: Refusal = {
  code: 'offer_not_applicable',
  message: 'The offer of the checkout has expired meanwhile.',
  details: { reason: 'expired' },
};

/** Why a card promotion does not hold for the card typed in (OFR-39); null when it does. */
function promotionRefusal(work: Work, cardPromotionId: string, bin: string | null, interval: BillingInterval | null): Refusal | null {
  const promotion = promotionOf(work.aggregate.cardPromotions, bin);
  if (promotion?.id !== cardPromotionId) return cardRefusal;
  return interval === null || isForInterval(promotion, interval) ? null : intervalRefusal('card');
}

/**
 * Why a quote cannot be accepted with a method: it has expired, its code was used up or used by this customer meanwhile, or its promotion is
 * not for the card. Null when it can.
 */
export function quoteRefusal(
  work: Work,
  application: OfferApplicationRow,
  { billingInterval }: Pick<SubscriptionRow, 'billingInterval'>,
  { bin }: Pick<MethodFacts, 'bin'>,
): Refusal | null {
  if (application.expiresAt !== null && application.expiresAt <= work.now) return quoteExpired;
  if (application.cardPromotionId !== null) return promotionRefusal(work, application.cardPromotionId, bin, billingInterval);
  if (application.promoCodeId === null) return null;
  const code = work.aggregate.promoCodes.find(({ id }) => id === application.promoCodeId);
  if (code === undefined) throw new Error(`The promo code ${application.promoCodeId} is not in the aggregate.`);
  if (isUsedUp(code)) return promoRefusal('promo_code_expired', 'max_redemptions_reached', 'The promo code was used up meanwhile.');
  if (!hasRedeemed(work, code.id)) return null;
  return promoRefusal('offer_not_applicable', 'already_redeemed', 'The customer has used the promo code meanwhile.');
}

/** Accepts the offer quoted to a subscription, if there is one: its phases get their dates for good, and its promo code is redeemed. */
export function acceptQuote(work: Work, subscription: SubscriptionRow): void {
  const application = quotedOffer(work, subscription);
  if (application === null) return;
  const { trialEndsAt, billingInterval } = subscription;
  if (billingInterval === null) throw new Error(`The free subscription ${subscription.id} has an offer.`);
  const firstPeriodStart = boundOf(subscription, subscription.status === 'trialing' ? trialEndsAt : subscription.periodStart);
  const phases = datedPhases(application.phases, { acceptedAt: work.now, trialEndsAt, firstPeriodStart, interval: billingInterval });
  work.offerApplications.put({ ...application, status: 'applied', appliedAt: work.now, phases });
  work.unschedule(deadlineId('quote_expiry', subscription.id));
  if (application.promoCodeId !== null) redeem(work, subscription, application, application.promoCodeId);
}

function redeem(work: Work, subscription: SubscriptionRow, application: OfferApplicationRow, promoCodeId: string): void {
  const phase = firstDiscount(application.phases);
  if (phase === null || phase.type === 'fixed_price') throw new Error(`The promo code of ${application.id} gives no share or amount off.`);
  work.redemptions.add({
    id: work.newId('prd'),
    seq: null,
    promoCodeId,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    type: phase.type,
    value: BigInt(phase.type === 'percentage' ? phase.percentage : phase.amount),
    amountMinor: application.discountMinor ?? 0n,
    currency: application.currency ?? subscription.currency,
    createdAt: work.now,
  });
}

/** Ends the accepted offers of a subscription, of which nothing is given back (OFR-19). */
export function endOffers(work: Work, { id }: Pick<SubscriptionRow, 'id'>): void {
  for (const application of work.offerApplications.all()) {
    if (application.subscriptionId !== id || application.status !== 'applied' || application.endedAt !== null) continue;
    work.offerApplications.put({ ...application, endedAt: work.now });
  }
}
