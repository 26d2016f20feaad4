import { drawDown } from '../customer-credits.ts';
import type { InvoiceType } from '../enums.ts';
import { minorToRate } from '../money.ts';
import { isoDate } from '../period.ts';
import { untaxed } from '../tax.ts';
import { explain } from './explanation.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';
import { totalsOf } from './totals.ts';

/**
 * Invoices that customer credits lower (BIL-18); purchases, activations, adjustments and one-time payments
 * they do not.
 */
export const creditedTypes: readonly InvoiceType[] = ['recurring', 'overage', 'plan_change', 'reactivation'];

/**
 * One line for each customer credit drawn on, in order of use, up to what the lines before leave to be taxed.
 */
export function customerCreditLines(
  { credits, currency }: LineDetails,
  before: readonly LineDraft[],
): readonly LineDraft[] {
  if (credits.length === 0) return [];
  let open = totalsOf(before, untaxed).total;
  return drawDown(credits, open).map(({ credit, amountMinor }) => {
    const explanation = explain('BIL-18', 'credit', { remaining: credit.remainingMinor, open });
    open -= amountMinor;
    return {
      ...emptyLine,
      lineType: 'credit',
      chargeType: 'standard',
      description: `Customer credit of ${isoDate(credit.createdAt)}`,
      quantity: 1n,
      unitAmountRate: minorToRate(-amountMinor, currency),
      amount: -amountMinor,
      creditId: credit.id,
      explanation,
    };
  });
}
