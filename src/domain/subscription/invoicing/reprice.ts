// An open checkout gets another price: a promo code was typed in (OFR-26 line 8), an offer quoted or taken
// off (OFR-21, OFR-24), or what it was quoted with was lost (OFR-18, OFR-35, OFR-39), or its card brought a
// promotion (OFR-26 line 9).
import { type Rejection, specificRejection } from '../../errors.ts';
import { promotionOf } from '../../offers/card-promotion.ts';
import { normalizedCode } from '../../offers/promo-code.ts';
import { firstDiscount } from '../../offers/terms.ts';
import type { PriceFailure, ResolvedPrice } from '../../pricing/resolve.ts';
import { quoteRejection } from '../allowances/acceptance.ts';
import { boundPrice, quotedOffer } from '../pricing/lookup.ts';
import { cardTerms, promoTerms, type Terms } from '../pricing/offering.ts';
import { dropQuote, quote } from '../pricing/quotes.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { MethodDetails, OfferApplicationRow, SubscriptionRow } from '../state/rows.ts';
import { abandonAuthentication } from './charging.ts';
import { openPayment, reissue } from './checkout-pricing.ts';
import { belowMinimum, fallsBelowMinimum } from './minimum.ts';

/** The rejection of a promo code at a checkout whose terms are settled already (OFR-26). */
const termsSettled: Rejection = specificRejection('offer_not_applicable', 'other_offer', {
  param: 'promoCode',
  details: { reason: 'other_offer_active' },
});

/**
 * The price of an open checkout without any offer: the base its invoice was issued with (SUB-20), or what the
 * price costs now where that is not known, at a set-up and under a fixed price that stands in the place of a
 * lower base.
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
 * The open checkout at other terms, quoted until `expiresAt` where it is given. An attempt at the checkout is
 * abandoned. Where it only was to store a method it becomes one to pay at, without the trial (OFR-21).
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
    : reissue(draft, open, price, terms);
}

/** Whether the promo code typed in is the one the checkout was quoted with before. */
const isQuotedCode = (draft: Draft, quoted: OfferApplicationRow, text: string): boolean =>
  draft.aggregate.promoCodes.some(
    ({ id, code }) => id === quoted.promoCodeId && code === normalizedCode(text),
  );

/**
 * Quotes a promo code typed in at an open checkout and prices it again; the same code once more changes
 * nothing. Returns the rejection, with nothing changed, where OFR-34 says so or where an offer or a trial
 * came before (OFR-26).
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
 * Whether an application, or a card promotion found before that its card lost, leaves the checkout open for a
 * promotion to be found.
 */
const leavesOpen = ({ status, source }: OfferApplicationRow, { selection }: SubscriptionRow): boolean =>
  status === 'expired' ||
  (status === 'failed' && source === 'card_promotion' && selection.cardPromotionId === null);

/**
 * Quotes the promotion that the card typed in at an open checkout belongs to, where nothing else settled its
 * terms, and prices it again (OFR-26 line 9). A card of none, or of one that cannot be used there, changes
 * nothing.
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
 * Checks whether the quote of a checkout can still be accepted with a method, before anything is charged.
 * When it cannot, the quote has expired, its code was lost or its promotion is not for the card, the checkout
 * shows the full price and must be confirmed again: the rejection goes with these changes (OFR-18, OFR-35,
 * OFR-39). Null when it can.
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
  reprice(draft, subscription, price, null);
  return rejection;
}
