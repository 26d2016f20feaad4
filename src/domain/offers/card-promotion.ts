import type { BillingInterval } from '../enums.ts';
import { type Rejection, specificRejection } from '../errors.ts';

/**
 * A promotion for payers of certain cards (OFR-38), as far as a command asks for it. A null interval stands
 * for every one.
 */
export type CardPromotionRow = {
  readonly id: string;
  readonly offerId: string;
  readonly billingInterval: BillingInterval | null;
  readonly autoDiscovered: boolean;
  /** Those of its digits that the card typed in begins with; empty without a card. */
  readonly bins: readonly string[];
};

/**
 * The digits a card is known to promotions by: its first eight and its first six. Empty for a method that is
 * no card.
 */
export const binsOf = (bin: string | null): readonly string[] =>
  bin === null ? [] : [bin.slice(0, 8), bin.slice(0, 6)];

/**
 * The promotion a card belongs to: that of its first eight digits, else that of its first six (OFR-38). Null
 * for a card of none.
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

/** Whether a promotion is for prices of an interval. */
export const isForInterval = ({ billingInterval }: CardPromotionRow, interval: BillingInterval): boolean =>
  billingInterval === null || billingInterval === interval;

/** The rejection of a promotion for another interval than that of the price. */
export const intervalRejection = (param: string): Rejection =>
  specificRejection('offer_not_applicable', 'card_promotion_interval', {
    param,
    details: { reason: 'interval_not_eligible' },
  });

/** The rejection of a card at a checkout whose promotion is not for it (OFR-39). */
export const cardRejection: Rejection = specificRejection('offer_not_applicable', 'other_card', {
  param: 'card',
  details: { reason: 'card_not_eligible' },
});
