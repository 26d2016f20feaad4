import { type Rejection, specificRejection } from '../errors/errors.ts';
import type { BillingInterval } from '../rows/enums.ts';

/**
 * Promotion for payers with certain cards (OFR-38). If `billingInterval` is `null`, the promotion applies
 * to all intervals.
 */
export type CardPromotionRow = {
  readonly id: string;
  readonly offerId: string;
  readonly billingInterval: BillingInterval | null;
  readonly autoDiscovered: boolean;
  /** The promotion's BINs that match the entered card. Empty if the payer entered no card. */
  readonly bins: readonly string[];
};

/**
 * Returns the BINs to match: the first 8 and the first 6 digits of the card. Empty if the payment method
 * isn't a card.
 */
export const binsOf = (bin: string | null): readonly string[] =>
  bin === null ? [] : [bin.slice(0, 8), bin.slice(0, 6)];

/**
 * Returns the promotion that matches the first 8 digits of a card, otherwise the first 6 (OFR-38). `null` if
 * there is no match.
 */
export function promotionOf(
  promotions: readonly CardPromotionRow[],
  bin: string | null,
): CardPromotionRow | null {
  for (const digits of binsOf(bin)) {
    const promotion = promotions.find(({ bins }) => bins.includes(digits));
    if (promotion !== undefined) return promotion;
  }
  return null;
}

/** Returns true if the promotion applies to prices with this interval. */
export const isForInterval = ({ billingInterval }: CardPromotionRow, interval: BillingInterval): boolean =>
  billingInterval === null || billingInterval === interval;

export const intervalRejection = (param: string): Rejection =>
  specificRejection('offer_not_applicable', 'card_promotion_interval', {
    param,
    details: { reason: 'interval_not_eligible' },
  });

/** Rejection for a card that doesn't match the checkout's card promotion (OFR-39). */
export const cardRejection: Rejection = specificRejection('offer_not_applicable', 'other_card', {
  param: 'card',
  details: { reason: 'card_not_eligible' },
});
