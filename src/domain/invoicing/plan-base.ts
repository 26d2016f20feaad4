import type { BillingInterval } from '../enums.ts';
import { minorToRate } from '../money.ts';
import { explain } from './explanation.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

const intervalWords: { readonly [interval in BillingInterval]: string } = {
  weekly: 'weekly',
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
  one_time: 'one-time',
};

/** The full catalog price of the period that opens, charged in advance; present even at 0. */
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
