// Minimum spend of a billing period (PRM-33). If the charges of the period are lower, its last invoice charges the difference.
import { minorToRate, sumOf } from '../money/money.ts';
import { explain, recompute } from '../rows/explanation.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/** Types of the lines that charge a billing period. Excludes charges that were carried over from earlier invoices. */
const charging: readonly LineDraft['lineType'][] = [
  'plan_base',
  'discount',
  'promo_code_discount',
  'feature_overage',
  'balance_overage',
  'feature_seats',
  'feature_quota',
  'addon_base',
];

/** Lines that charge the new period in advance. */
const isAdvance = ({ lineType, chargeType }: LineDraft): boolean =>
  chargeType === 'advance' || lineType === 'discount' || lineType === 'promo_code_discount';

/** Lines that count toward a minimum spend. Corrections of ended usage windows don't count. */
const isCounted = ({ lineType, correctionId }: LineDraft): boolean =>
  correctionId === null && charging.includes(lineType);

/** Returns the charges for the period that an invoice opens, after discounts and before tax and credits, in minor units. */
export const advanceCharges = (lines: readonly LineDraft[]): bigint =>
  sumOf(lines.filter((line) => isCounted(line) && isAdvance(line)).map(({ amount }) => amount));

/** Returns the charges for the current or ending period, such as overage, before tax and credits, in minor units. */
export const arrearCharges = (lines: readonly LineDraft[]): bigint =>
  sumOf(lines.filter((line) => isCounted(line) && !isAdvance(line)).map(({ amount }) => amount));

/** Returns the line that raises the charges of the ended period to its minimum spend (PRM-33). */
export function minimumTrueUp(
  { minimum = null, proration, currency }: LineDetails,
  before: readonly LineDraft[],
): readonly LineDraft[] {
  if (minimum === null) return [];
  const { amountMinor, days, totalDays, chargedMinor, window } = minimum;
  const charged = chargedMinor + arrearCharges(before) - (proration?.amountMinor ?? 0n);
  const explanation = explain('PRM-33', 'minimum_spend', {
    minimum: amountMinor,
    days,
    total_days: totalDays,
    charged,
  });
  const amount = recompute(explanation);
  if (amount === 0n) return [];
  return [
    {
      ...emptyLine,
      lineType: 'plan_base',
      chargeType: 'true_up',
      description: 'Minimum spend',
      quantity: 1n,
      unitAmountRate: minorToRate(amount, currency),
      amount,
      periodStart: window.start,
      periodEnd: window.end,
      explanation,
    },
  ];
}
