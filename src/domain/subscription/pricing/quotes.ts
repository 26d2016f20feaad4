// Offer quotes of a checkout, with the amounts of the first charge (OFR-15 to OFR-17).
import { firstDiscount } from '../../offers/terms.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../../rows/rows.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import type { Quoted, Terms } from './offering.ts';
import { firstBase } from './priced-base.ts';

/** Returns the amounts of the first charge. The amounts are `null` if the offer is only a trial (OFR-16). */
function firstAmounts(
  terms: Quoted,
  price: ResolvedPrice,
): Pick<OfferApplicationRow, 'currency' | 'subtotalMinor' | 'discountMinor' | 'totalMinor'> {
  const { currency } = price;
  if (firstDiscount(terms.phases) === null)
    return { currency, subtotalMinor: null, discountMinor: null, totalMinor: null };
  const { shownMinor, discountMinor, effectiveMinor } = firstBase(price.amountMinor, terms);
  return { currency, subtotalMinor: shownMinor, discountMinor, totalMinor: effectiveMinor };
}

/** Returns a new offer application, quoted now with the amounts of the first charge. Doesn't write it. */
export const newApplication = (
  draft: Draft,
  subscription: SubscriptionRow,
  terms: Terms,
  price: ResolvedPrice,
): OfferApplicationRow => ({
  ...terms,
  ...firstAmounts(terms, price),
  id: draft.newId('oap'),
  seq: null,
  subscriptionId: subscription.id,
  targetType: 'plan_price',
  targetId: price.price.id,
  status: 'quoted',
  quotedAt: draft.now,
  expiresAt: null,
  appliedAt: null,
  endedAt: null,
});

/**
 * Quotes offer terms in the open checkout of a subscription. The quote is valid until `expiresAt`, or while
 * the checkout is open (OFR-17).
 */
export function quote(
  draft: Draft,
  subscription: SubscriptionRow,
  terms: Terms,
  price: ResolvedPrice,
  expiresAt: Date | null = null,
): void {
  draft.offerApplications.add({ ...newApplication(draft, subscription, terms, price), expiresAt });
  if (expiresAt !== null) draft.schedule(deadline(subscription, 'quote_expiry', expiresAt));
}

/** Ends a quote that wasn't accepted (OFR-15). */
export function dropQuote(draft: Draft, quoted: OfferApplicationRow, status: 'expired' | 'failed'): void {
  draft.offerApplications.patch(quoted.id, { status });
  draft.unschedule(deadlineId('quote_expiry', quoted.subscriptionId));
}

/**
 * Quotes the same terms at another price. The phases may contain amounts only if the currency doesn't change.
 */
export const requote = (
  draft: Draft,
  application: OfferApplicationRow,
  price: ResolvedPrice,
): OfferApplicationRow =>
  draft.offerApplications.patch(application.id, { ...firstAmounts(application, price) });
