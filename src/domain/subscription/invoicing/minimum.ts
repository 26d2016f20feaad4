// Checks that an offer doesn't reduce a first charge below the minimum charge (BIL-35, OFR-34 check 10).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { type Terms, trialDaysOf } from '../pricing/offering.ts';
import { firstBase } from '../pricing/priced-base.ts';
import type { Draft } from '../state/draft.ts';
import { firstInvoice, isBelowMinimum } from './invoicing.ts';

/**
 * Returns true if an offer reduces the total due at the checkout to an amount above 0 but below the minimum charge. The
 * undiscounted total must reach the minimum.
 */
export function fallsBelowMinimum(
  draft: Draft,
  order: Pick<SubscriptionRow, 'id' | 'planId' | 'initialSeats'>,
  price: ResolvedPrice,
  terms: Terms,
): boolean {
  if (trialDaysOf(terms.phases) > 0) return false;
  const first = (applied: Terms | null) =>
    firstInvoice(draft, order, price, firstBase(price.amountMinor, applied)).invoice;
  const discounted = first(terms);
  return (
    discounted.total > 0n &&
    isBelowMinimum(draft, order, discounted) &&
    !isBelowMinimum(draft, order, first(null))
  );
}

const paramOf: { readonly [source in Terms['source']]: string } = {
  direct: 'offerId',
  introductory: 'offerId',
  custom: 'offerId',
  promo_code: 'promoCode',
  card_promotion: 'cardPromotionId',
  retention: 'offerId',
};

/** Returns the rejection for an offer that reduces a charge below the minimum charge. */
export const belowMinimum = ({ source }: Pick<Terms, 'source'>): Rejection =>
  specificRejection('offer_not_applicable', 'below_minimum', {
    param: paramOf[source],
    details: { reason: 'below_minimum' },
  });
