import { minorToRate } from '../money.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/**
 * What an offer takes off the plan base, directly after it (BIL-13, BIL-16); nothing when there is no offer.
 */
export function baseDiscount({ discount, currency }: LineDetails): readonly LineDraft[] {
  if (discount === null) return [];
  const amount = -discount.amountMinor;
  return [
    {
      ...emptyLine,
      lineType: discount.isPromoCode ? 'promo_code_discount' : 'discount',
      chargeType: 'standard',
      description: discount.name,
      quantity: 1n,
      unitAmountRate: minorToRate(amount, currency),
      amount,
      discountType: discount.type,
      discountValue: discount.value,
      discountName: discount.name,
      offerId: discount.offerId,
      explanation: discount.explanation,
    },
  ];
}
