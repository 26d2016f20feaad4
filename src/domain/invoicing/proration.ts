import { minorToRate } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/**
 * Returns the line that credits the unused part of the plan's base price after a plan change (SUB-39, BIL-13). The
 * credit can exceed the total of all other lines (SUB-41).
 */
export function prorationCredit({ proration, currency }: LineDetails): readonly LineDraft[] {
  if (proration === undefined) return [];
  const { planName, baseMinor, daysRemaining, totalDays } = proration;
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
      explanation: explain('SUB-39', 'unused_share', {
        base: baseMinor,
        days: BigInt(daysRemaining),
        total_days: BigInt(totalDays),
      }),
    },
  ];
}
