// An open checkout gets another price: a promo code was typed in (OFR-26 line 8), or the one it was quoted with was lost (OFR-35).
import type { Refusal } from '../errors.ts';
import { normalizedCode } from '../offer/promo-code.ts';
import type { ResolvedPrice } from '../pricing/resolve.ts';
import { redemptionRefusal } from './acceptance.ts';
import { abandonAuthentication } from './charging.ts';
import { boundPrice, quotedOffer } from './lookup.ts';
import { belowMinimum, fallsBelowMinimum } from './minimum.ts';
import { promoTerms, quote, type Terms } from './offering.ts';
import { reissue } from './pricing.ts';
import { priceRefusal } from './refusals.ts';
import type { OfferApplicationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** The refusal of a promo code at a checkout whose terms are settled already (OFR-26). */
const termsSettled: Refusal = {
  code: 'offer_not_applicable',
  message: 'The checkout has an offer or a trial already.',
  param: 'promoCode',
  details: { reason: 'other_offer_active' },
};

/** The open checkout at other terms, an attempt at it given up; the base is the one quoted before (SUB-20). */
function reprice(work: Work, subscription: SubscriptionRow, price: ResolvedPrice, terms: Terms | null): SubscriptionRow {
  if (terms !== null) quote(work, subscription, terms, price);
  return reissue(work, { ...subscription, pendingCheckout: null, updatedAt: work.now }, price, terms);
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
  const current = boundPrice(work, subscription);
  if ('failure' in current) return priceRefusal(current.failure);
  const price = { ...current, amountMinor: subscription.effectiveBaseMinor };
  const terms = promoTerms(work, text, { planId: subscription.planId, price });
  if ('code' in terms) return terms;
  return fallsBelowMinimum(work, subscription, price, terms) ? belowMinimum(terms) : reprice(work, subscription, price, terms);
}

/**
 * Looks whether the promo code a checkout was quoted with can still be redeemed, before anything is charged. When it cannot, the quote has
 * failed, the checkout shows the full price and must be confirmed again: the refusal goes with these changes (OFR-35). Null when all is well.
 */
export function lostRedemption(work: Work, subscription: SubscriptionRow): Refusal | null {
  const quoted = quotedOffer(work, subscription);
  const refusal = redemptionRefusal(work, quoted);
  if (quoted === null || refusal === null) return null;
  const current = boundPrice(work, subscription);
  if ('failure' in current) return priceRefusal(current.failure);
  abandonAuthentication(work, subscription.pendingCheckout);
  work.offerApplications.put({ ...quoted, status: 'failed' });
  const amountMinor = quoted.subtotalMinor ?? current.amountMinor;
  reprice(work, subscription, { ...current, amountMinor }, null);
  return refusal;
}
