// An open checkout gets another price: a promo code was typed in (OFR-26 line 8), an offer quoted or taken off (OFR-21, OFR-24), or what it was
// quoted with was lost (OFR-18, OFR-35, OFR-39), or its card brought a promotion (OFR-26 line 9).
import type { Refusal } from '../errors.ts';
import { promotionOf } from '../offer/card-promotion.ts';
import { normalizedCode } from '../offer/promo-code.ts';
import { firstDiscount } from '../offer/terms.ts';
import type { PriceFailure, ResolvedPrice } from '../pricing/resolve.ts';
import { quoteRefusal } from './acceptance.ts';
import { abandonAuthentication } from './charging.ts';
import { boundPrice, quotedOffer } from './lookup.ts';
import { belowMinimum, fallsBelowMinimum } from './minimum.ts';
import { cardTerms, promoTerms, type Terms } from './offering.ts';
import { openPayment, reissue } from './pricing.ts';
import { dropQuote, quote } from './quotes.ts';
import { priceRefusal } from './refusals.ts';
import type { MethodFacts, OfferApplicationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** The refusal of a promo code at a checkout whose terms are settled already (OFR-26). */
const termsSettled: Refusal = {
  code: 'offer_not_applicable',
  message: 'The checkout has an offer or a trial already.',
  param: 'promoCode',
  details: { reason: 'other_offer_active' },
};

/**
 * The price of an open checkout without any offer: the base its invoice was issued with (SUB-20), or what the price costs now where that is
 * not known, at a set-up and under a fixed price that stands in the place of a lower base.
 */
export function undiscounted(work: Work, subscription: SubscriptionRow): ResolvedPrice | PriceFailure {
  const current = boundPrice(work, subscription);
  if ('failure' in current || subscription.checkoutInvoiceId === null) return current;
  const quoted = quotedOffer(work, subscription);
  if (quoted === null) return { ...current, amountMinor: subscription.effectiveBaseMinor };
  const isReplaced = quoted.discountMinor === 0n && firstDiscount(quoted.phases)?.type === 'fixed_price';
  return isReplaced ? current : { ...current, amountMinor: quoted.subtotalMinor ?? current.amountMinor };
}

/**
 * The open checkout at other terms, quoted until an instant if one is told, an attempt at it given up. Where it only was to store a method
 * it becomes one to pay at, without the trial (OFR-21).
 */
export function reprice(
  work: Work,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  terms: Terms | null,
  expiresAt: Date | null = null,
): SubscriptionRow {
  abandonAuthentication(work, subscription.pendingCheckout);
  if (terms !== null) quote(work, subscription, terms, price, expiresAt);
  const open = { ...subscription, pendingCheckout: null, updatedAt: work.now };
  return open.checkoutInvoiceId === null ? openPayment(work, open, price, terms) : reissue(work, open, price, terms);
}

/** Whether the promo code typed in is the one the checkout was quoted with before. */
const isQuotedCode = (work: Work, quoted: OfferApplicationRow, text: string): boolean =>
  work.aggregate.promoCodes.some(({ id, code }) => id === quoted.promoCodeId && code === normalizedCode(text));

/**
 * Quotes a promo code typed in at an open checkout and prices it anew; the same code once more changes nothing. Answers the refusal, with
 * nothing changed, where OFR-34 says so or where an offer or a trial came before (OFR-26).
 */
export function enterPromoCode(work: Work, subscription: SubscriptionRow, text: string): SubscriptionRow | Refusal {
  const applications = work.offerApplications.all().filter(({ subscriptionId }) => subscriptionId === subscription.id);
  const quoted = applications.find(({ status }) => status === 'quoted');
  if (quoted !== undefined) return isQuotedCode(work, quoted, text) ? subscription : termsSettled;
  if (applications.some(({ status }) => status === 'applied')) return termsSettled;
  const price = undiscounted(work, subscription);
  if ('failure' in price) return priceRefusal(price.failure);
  const terms = promoTerms(work, text, { planId: subscription.planId, price });
  if ('code' in terms) return terms;
  return fallsBelowMinimum(work, subscription, price, terms) ? belowMinimum(terms) : reprice(work, subscription, price, terms);
}

/** Whether an application, or a card promotion found before that its card lost, leaves the checkout open for a promotion to be found. */
const leavesOpen = ({ status, source }: OfferApplicationRow, { selection }: SubscriptionRow): boolean =>
  status === 'expired' || (status === 'failed' && source === 'card_promotion' && selection.cardPromotionId === null);

/**
 * Quotes the promotion that the card typed in at an open checkout belongs to, where nothing else settled its terms, and prices it anew
 * (OFR-26 line 9). A card of none, or of one that cannot be used there, changes nothing.
 */
export function discoverPromotion(work: Work, subscription: SubscriptionRow, { bin }: Pick<MethodFacts, 'bin'>): SubscriptionRow {
  const promotion = promotionOf(work.aggregate.cardPromotions, bin);
  if (!work.aggregate.environment.cardPromotions || promotion === null || !promotion.autoDiscovered) return subscription;
  const applications = work.offerApplications.all().filter(({ subscriptionId }) => subscriptionId === subscription.id);
  if (!applications.every((one) => leavesOpen(one, subscription))) return subscription;
  const price = undiscounted(work, subscription);
  if ('failure' in price) return subscription;
  const terms = cardTerms(work, promotion, { planId: subscription.planId, price, isBeginning: true });
  if ('code' in terms || fallsBelowMinimum(work, subscription, price, terms)) return subscription;
  return reprice(work, subscription, price, terms);
}

/**
 * Looks whether the quote of a checkout can still be accepted with a method, before anything is charged. When it cannot, the quote has
 * expired, its code was lost or its promotion is not for the card, the checkout shows the full price and must be confirmed again: the
 * refusal goes with these changes (OFR-18, OFR-35, OFR-39). Null when all is well.
 */
export function lostQuote(work: Work, subscription: SubscriptionRow, method: Pick<MethodFacts, 'bin'>): Refusal | null {
  const quoted = quotedOffer(work, subscription);
  const refusal = quoted === null ? null : quoteRefusal(work, quoted, subscription, method);
  if (quoted === null || refusal === null) return null;
  const price = undiscounted(work, subscription);
  if ('failure' in price) return priceRefusal(price.failure);
  const hasCondition = quoted.promoCodeId !== null || quoted.cardPromotionId !== null;
  dropQuote(work, quoted, hasCondition ? 'failed' : 'expired');
  reprice(work, subscription, price, null);
  return refusal;
}
