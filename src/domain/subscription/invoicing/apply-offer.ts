// A direct offer is put on a subscription that exists, or taken off its open checkout again (OFR-21 to
// OFR-25).
import { type Rejection, specificRejection } from '../../errors.ts';
import { notApplicable, offerById } from '../pricing/offering.ts';
import { dropQuote } from '../pricing/quotes.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../state/rows.ts';
import { reprice, undiscounted } from './reprice.ts';

/** The rejection of an offer with a free trial: a trial can only begin with the checkout. */
export function trialRejection(draft: Draft, offerId: string): Rejection | null {
  const offer = offerById(draft, offerId);
  const hasTrial = offer?.deletedAt === null && offer.phases.some(({ type }) => type === 'free_trial');
  return hasTrial
    ? notApplicable('An offer with a free trial can only be given at creation.', 'offerId', 'free_trial')
    : null;
}

/** The rejection while the gateway has not said whether the checkout at its present price is paid. */
export const paymentUnderWay: Rejection = specificRejection(
  'invalid_subscription_status',
  'checkout_payment',
);

export function withoutQuote(
  draft: Draft,
  subscription: SubscriptionRow,
  quoted: OfferApplicationRow,
): Decision {
  const price = undiscounted(draft, subscription);
  if ('failure' in price) return draft.reject(priceRejection(price.failure));
  dropQuote(draft, quoted, 'expired');
  const { id, checkoutInvoiceId } = reprice(draft, subscription, price, null);
  if (draft.item !== null) draft.item = { ...draft.item, invoiceId: checkoutInvoiceId };
  return draft.done('done', id, checkoutInvoiceId);
}
