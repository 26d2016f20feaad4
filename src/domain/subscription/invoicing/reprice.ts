// Reprices an open checkout after a change to its offer. The offer changes if a promo code is entered (OFR-26 line 8), or if an offer is
// quoted or removed (OFR-21, OFR-24). It also changes if the quote becomes invalid (OFR-18, OFR-35, OFR-39), or if the card matches a
// promotion (OFR-26 line 9).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { promotionOf } from '../../offers/card-promotion.ts';
import { normalizedCode } from '../../offers/promo-code.ts';
import { firstDiscount } from '../../offers/terms.ts';
import type { PriceFailure, ResolvedPrice } from '../../pricing/resolve.ts';
import type { MethodDetails, OfferApplicationRow, SubscriptionRow } from '../../rows/rows.ts';
import { quoteRejection } from '../allowances/acceptance.ts';
import { boundPrice, quotedOffer } from '../pricing/lookup.ts';
import {
  cardTerms,
  isTrialUsed,
  promoTerms,
  type Terms,
  trialDaysOf,
  withoutTrial,
} from '../pricing/offering.ts';
import { dropQuote, quote } from '../pricing/quotes.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { abandonAuthentication } from './charging.ts';
import { openPayment, revise } from './checkout-pricing.ts';
import { belowMinimum, fallsBelowMinimum } from './minimum.ts';

/** Rejection for a promo code if another offer already applies to the checkout (OFR-26). */
const termsSettled: Rejection = specificRejection('offer_not_applicable', 'other_offer', {
  param: 'promoCode',
  details: { reason: 'other_offer_active' },
});

/**
 * Returns the undiscounted price of an open checkout, which is the base price on its invoice (SUB-20). Returns the
 * current price if that base price is unknown: for a setup without an invoice, and for a fixed price that isn't a
 * discount.
 */
export function undiscounted(draft: Draft, subscription: SubscriptionRow): ResolvedPrice | PriceFailure {
  const current = boundPrice(draft, subscription);
  if ('failure' in current || subscription.checkoutInvoiceId === null) return current;
  const quoted = quotedOffer(draft, subscription);
  if (quoted === null) return { ...current, amountMinor: subscription.effectiveBaseMinor };
  const isReplaced = quoted.discountMinor === 0n && firstDiscount(quoted.phases)?.type === 'fixed_price';
  return isReplaced ? current : { ...current, amountMinor: quoted.subtotalMinor ?? current.amountMinor };
}

/**
 * Reprices an open checkout with other offer terms, quoted until `expiresAt`. Abandons a pending
 * authentication. A checkout that only stored a payment method becomes a checkout that charges a payment
 * and has no trial (OFR-21).
 */
export function reprice(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Terms | null,
  expiresAt: Date | null = null,
): SubscriptionRow {
  abandonAuthentication(draft, subscription.pendingCheckout);
  if (terms !== null) quote(draft, subscription, terms, price, expiresAt);
  const open = draft.subscriptions.patch(subscription.id, { pendingCheckout: null, updatedAt: draft.now });
  return open.checkoutInvoiceId === null
    ? openPayment(draft, open, price, terms)
    : revise(draft, open, price, terms);
}

/** Returns true if the current quote comes from the same promo code. */
const isQuotedCode = (draft: Draft, quoted: OfferApplicationRow, text: string): boolean =>
  draft.aggregate.promoCodes.some(
    ({ id, code }) => id === quoted.promoCodeId && code === normalizedCode(text),
  );

/**
 * Applies a promo code to an open checkout and reprices it. Entering the same code again changes nothing.
 * Returns a rejection and changes nothing if the code fails a check of OFR-34, or if another offer or trial
 * already applies (OFR-26).
 */
export function enterPromoCode(
  draft: Draft,
  subscription: SubscriptionRow,
  text: string,
): SubscriptionRow | Rejection {
  const applications = draft.offerApplications
    .all()
    .filter(({ subscriptionId }) => subscriptionId === subscription.id);
  const quoted = applications.find(({ status }) => status === 'quoted');
  if (quoted !== undefined) return isQuotedCode(draft, quoted, text) ? subscription : termsSettled;
  if (applications.some(({ status }) => status === 'applied')) return termsSettled;
  const price = undiscounted(draft, subscription);
  if ('failure' in price) return priceRejection(price.failure);
  const terms = promoTerms(draft, text, { planId: subscription.planId, price });
  if ('code' in terms) return terms;
  return fallsBelowMinimum(draft, subscription, price, terms)
    ? belowMinimum(terms)
    : reprice(draft, subscription, price, terms);
}

/**
 * Returns true if the checkout's offer doesn't prevent a search for a card promotion. This is the case if the offer's
 * quote expired, or if the offer is a card promotion that matched one card but not the next card.
 */
const leavesOpen = ({ status, source }: OfferApplicationRow, { selection }: SubscriptionRow): boolean =>
  status === 'expired' ||
  (status === 'failed' && source === 'card_promotion' && selection.cardPromotionId === null);

/**
 * Applies a card promotion that matches the entered card to an open checkout and reprices it (OFR-26 line 9).
 * Does nothing if another offer already applies or no promotion matches.
 */
export function discoverPromotion(
  draft: Draft,
  subscription: SubscriptionRow,
  { bin }: Pick<MethodDetails, 'bin'>,
): SubscriptionRow {
  const promotion = promotionOf(draft.aggregate.cardPromotions, bin);
  if (!draft.aggregate.environment.cardPromotions || promotion === null || !promotion.autoDiscovered)
    return subscription;
  const applications = draft.offerApplications
    .all()
    .filter(({ subscriptionId }) => subscriptionId === subscription.id);
  if (!applications.every((one) => leavesOpen(one, subscription))) return subscription;
  const price = undiscounted(draft, subscription);
  if ('failure' in price) return subscription;
  const terms = cardTerms(draft, promotion, { planId: subscription.planId, price, isBeginning: true });
  if ('code' in terms || fallsBelowMinimum(draft, subscription, price, terms)) return subscription;
  return reprice(draft, subscription, price, terms);
}

/**
 * Checks before a charge whether the checkout's quote is still valid for the payment method, and returns `null` if
 * it's valid. The quote is invalid if it expired, its promo code became invalid or its promotion doesn't match the
 * card. In this case, reprices the checkout without the offer and returns the rejection, so that the payer confirms
 * the new price (OFR-18, OFR-35, OFR-39). The changes are saved despite the rejection.
 */
export function lostQuote(
  draft: Draft,
  subscription: SubscriptionRow,
  method: Pick<MethodDetails, 'bin'>,
): Rejection | null {
  const quoted = quotedOffer(draft, subscription);
  const rejection = quoted === null ? null : quoteRejection(draft, quoted, subscription, method);
  if (quoted === null || rejection === null) return null;
  const price = undiscounted(draft, subscription);
  if ('failure' in price) return priceRejection(price.failure);
  const hasCondition = quoted.promoCodeId !== null || quoted.cardPromotionId !== null;
  dropQuote(draft, quoted, hasCondition ? 'failed' : 'expired');
  const isTrialLost = trialDaysOf(quoted.phases) > 0 && isTrialUsed(draft);
  reprice(draft, subscription, price, isTrialLost ? withoutTrial(quoted) : null);
  return rejection;
}

/** Returns the open checkout without its trial if the customer has had a trial since the quote (OFR-30). */
export function withoutUsedTrial(draft: Draft, subscription: SubscriptionRow): SubscriptionRow {
  const quoted = quotedOffer(draft, subscription);
  if (quoted === null || trialDaysOf(quoted.phases) === 0 || !isTrialUsed(draft)) return subscription;
  const price = undiscounted(draft, subscription);
  if ('failure' in price) return subscription;
  dropQuote(draft, quoted, 'expired');
  return reprice(draft, subscription, price, withoutTrial(quoted));
}
