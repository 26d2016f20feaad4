import { minorToRate } from '../money/money.ts';
import type { BillingInterval } from '../rows/enums.ts';
import { explain } from '../rows/explanation.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

const intervalWords: { readonly [interval in BillingInterval]: string } = {
  weekly: 'weekly',
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
  one_time: 'one-time',
};

/**
 * Returns the line for the full catalog price of the new period, which is charged in advance. The invoice
 * has this line even if the price is 0.
 */
export function planBase({ base, currency }: LineDetails): readonly LineDraft[] {
  if (base === null) return [];
  return [
    {
      ...emptyLine,
      lineType: 'plan_base',
      chargeType: 'advance',
      description: `${base.planName} (${intervalWords[base.billingInterval]})`,
      quantity: 1n,
      unitAmountRate: minorToRate(base.amountMinor, currency),
      amount: base.amountMinor,
      explanation: explain(base.isFixedPrice ? 'BIL-14' : 'BIL-13', 'price', { price: base.amountMinor }),
    },
  ];
}
