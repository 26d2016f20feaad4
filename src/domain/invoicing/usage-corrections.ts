// Invoice lines for corrections of usage in ended usage windows (PRM-128).
import { minOf, minorToRate } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import type { PendingCorrection } from '../rows/rows.ts';
import { untaxed } from '../tax/tax.ts';
import { isoDate } from '../time/period.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';
import { totalsOf } from './totals.ts';

const lineOf = (
  { correctionId, featureName, windowStart, windowEnd }: PendingCorrection,
  amount: bigint,
  currency: string,
) => ({
  ...emptyLine,
  chargeType: 'standard' as const,
  description: `${featureName}: correction of the usage from ${windowStart.slice(0, 10)}`,
  featureName,
  quantity: 1n,
  unitAmountRate: minorToRate(amount, currency),
  amount,
  correctionId,
  periodStart: new Date(`${isoDate(new Date(windowStart))}T00:00:00Z`),
  periodEnd: new Date(windowEnd),
});

/** Returns a line for each correction that raises the price of its usage window. */
export const correctionCharges = ({ corrections = [], currency }: LineDetails): readonly LineDraft[] =>
  corrections.flatMap((correction) => {
    const amount = BigInt(correction.amount);
    if (amount <= 0n) return [];
    const [price, billed] = [BigInt(correction.price), BigInt(correction.billed)];
    const explanation = explain('PRM-128', 'difference', { price, billed });
    return [{ ...lineOf(correction, amount, currency), lineType: 'feature_overage' as const, explanation }];
  });

/**
 * Returns a line for each correction that lowers the price of its usage window, oldest first. The credits never exceed
 * the taxable amount of the preceding lines.
 */
export function correctionCredits(
  { corrections = [], currency }: LineDetails,
  before: readonly LineDraft[],
): readonly LineDraft[] {
  let open = totalsOf(before, untaxed).total;
  return corrections.flatMap((correction) => {
    const remaining = -BigInt(correction.amount);
    if (remaining <= 0n || open === 0n) return [];
    const explanation = explain('PRM-128', 'credit', { remaining, open });
    const amount = -minOf(remaining, open);
    open += amount;
    return [{ ...lineOf(correction, amount, currency), lineType: 'credit' as const, explanation }];
  });
}

/** Returns the corrections with the parts that no line of an invoice contains. */
export const remainingCorrections = (
  corrections: readonly PendingCorrection[],
  lines: readonly Pick<LineDraft, 'correctionId' | 'amount'>[],
): readonly PendingCorrection[] =>
  corrections.flatMap((correction) => {
    const used = lines.find(({ correctionId }) => correctionId === correction.correctionId)?.amount ?? 0n;
    const amount = BigInt(correction.amount) - used;
    return amount === 0n ? [] : [{ ...correction, amount: String(amount) }];
  });
