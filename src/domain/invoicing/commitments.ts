import { maxOf, minOf, rateToMinor } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import { untaxed } from '../tax/tax.ts';
import type { LineDetails, LineDraft } from './line.ts';
import { lotLine } from './lot-line.ts';
import { totalsOf } from './totals.ts';

/** Returns true if a commitment that ends at `end` pays for a usage line. The usage window must not end later (PRM-21). */
const isPaidUntil = ({ lineType, periodEnd }: LineDraft, end: Date | null): boolean =>
  lineType === 'feature_overage' && (end === null || periodEnd === null || periodEnd <= end);

/**
 * Returns a line for each prepaid commitment that pays for the invoice's usage lines, in draw order (PRM-24). Credits for
 * corrected usage reduce the usage first. The commitments never pay for more than the taxable amount of the preceding lines.
 */
export function commitmentLines(
  { commitments = [], currency }: LineDetails,
  before: readonly LineDraft[],
): readonly LineDraft[] {
  const sum = (lines: readonly LineDraft[]): bigint =>
    lines.reduce((total, { amount }) => total + amount, 0n);
  const corrected = sum(
    before.filter(({ lineType, correctionId }) => lineType === 'credit' && correctionId !== null),
  );
  const { total } = totalsOf(before, untaxed);
  let drawn = 0n;
  return commitments.flatMap((lot): LineDraft[] => {
    const usage = sum(before.filter((line) => isPaidUntil(line, lot.expiresAt)));
    const open = maxOf(0n, minOf(usage + corrected, total) - drawn);
    const remaining = rateToMinor(lot.remaining, currency);
    const amount = minOf(remaining, open);
    if (amount === 0n) return [];
    drawn += amount;
    return [lotLine('Prepaid commitment', lot, amount, explain('PRM-24', 'credit', { remaining, open }))];
  });
}
