// Applies a direct offer to an existing subscription, or removes it from an open checkout (OFR-21 to OFR-25).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../../rows/rows.ts';
import { notApplicable, offerById } from '../pricing/offering.ts';
import { dropQuote } from '../pricing/quotes.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { reprice, undiscounted } from './reprice.ts';

/**
 * Returns the rejection for an offer with a free trial, because trials can only start at a checkout. `null`
 * if the offer has no free trial.
 */
export function trialRejection(draft: Draft, offerId: string): Rejection | null {
  const offer = offerById(draft, offerId);
  const hasTrial = offer?.deletedAt === null && offer.phases.some(({ type }) => type === 'free_trial');
  return hasTrial
    ? notApplicable(
        'An offer with a free trial can only be applied when the subscription is created. Choose an offer without a trial.',
        'offerId',
        'free_trial',
      )
    : null;
}

/** Rejection for a change while the checkout is being paid at its current price. */
export const paymentInProgress: Rejection = specificRejection(
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
