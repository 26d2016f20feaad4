import { minorToRate } from '../money.ts';
import { emptyLine, type LineDraft, type LineFacts } from './line.ts';

/** What a plan change gives back of the base paid before (SUB-39, BIL-13); it may be more than the invoice asks for (SUB-41). */
export function prorationCredit({ proration, currency }: LineFacts): readonly LineDraft[] {
  if (proration === undefined) return [];
  const { planName, daysRemaining, totalDays } = proration;
  const amount = -proration.amountMinor;
  return [
    {
      ...emptyLine,
      lineType: 'credit',
      chargeType: 'standard',
      description: `${planName}: ${daysRemaining} of ${totalDays} days not used`,
      quantity: 1n,
      unitAmountRate: minorToRate(amount, currency),
      amount,
    },
  ];
}
