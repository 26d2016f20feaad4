// An offer must not bring a first charge below what the connection can charge (BIL-35, OFR-34 check 10).
import type { Refusal } from '../errors.ts';
import type { ResolvedPrice } from '../pricing/resolve.ts';
import { firstInvoice, isBelowMinimum } from './invoicing.ts';
import { type Terms, trialDaysOf } from './offering.ts';
import { firstBase } from './priced-base.ts';
import type { SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** Whether terms bring the first total, which is charged at the checkout, above 0 yet below the minimum, where it would not be without them. */
export function fallsBelowMinimum(
  work: Work,
  order: Pick<SubscriptionRow, 'id' | 'planId' | 'initialSeats'>,
  price: ResolvedPrice,
  terms: Terms,
): boolean {
  if (trialDaysOf(terms.phases) > 0) return false;
  const first = (applied: Terms | null) => firstInvoice(work, order, price, firstBase(price.amountMinor, applied)).invoice;
  const discounted = first(terms);
  return discounted.total > 0n && isBelowMinimum(work, order, discounted) && !isBelowMinimum(work, order, first(null));
}

const paramOf: { readonly [source in Terms['source']]: string } = {
  direct: 'offerId',
  introductory: 'offerId',
  custom: 'offerId',
  promo_code: 'promoCode',
  card_promotion: 'cardPromotionId',
};

/** The refusal of such terms. */
export const belowMinimum = ({ source }: Pick<Terms, 'source'>): Refusal => ({
  code: 'offer_not_applicable',
  message: 'The first charge would be below the smallest amount that can be charged.',
  param: paramOf[source],
  details: { reason: 'below_minimum' },
});
