import { minorToRate } from '../money/money.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/**
 * Returns the line for the offer's discount on the plan's base price. The discount line comes directly after the line
 * for the base price (BIL-13, BIL-16). Empty if no offer applies.
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
