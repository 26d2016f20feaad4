import { drawDown } from '../lots/credits.ts';
import { rateToMinor } from '../money/money.ts';
import type { InvoiceType } from '../rows/enums.ts';
import { explain } from '../rows/explanation.ts';
import type { CreditUse, InvoiceLineRow } from '../rows/rows.ts';
import { untaxed } from '../tax/tax.ts';
import type { LineDetails, LineDraft } from './line.ts';
import { lotLine } from './lot-line.ts';
import { totalsOf } from './totals.ts';

/** Types of invoices that use customer credits (BIL-18). Excludes purchases, adjustments, and one-time payments. */
export const creditedTypes: readonly InvoiceType[] = ['recurring', 'overage', 'plan_change', 'reactivation'];

/**
 * Returns a line for each customer credit that the invoice uses, in order of use. The credits used never
 * exceed the taxable amount of the preceding lines.
 */
export function customerCreditLines(
  { credits, currency }: LineDetails,
  before: readonly LineDraft[],
): readonly LineDraft[] {
  if (credits.length === 0) return [];
  let open = totalsOf(before, untaxed).total;
  return drawDown(credits, open).map(({ credit, amountMinor }) => {
    const remaining = rateToMinor(credit.remaining, currency);
    const explanation = explain('BIL-18', 'credit', { remaining, open });
    open -= amountMinor;
    return lotLine('Customer credit', credit, amountMinor, explanation);
  });
}

/** Returns the customer credits and prepaid commitments that invoice lines use. */
export const usesOf = (
  lines: readonly Pick<InvoiceLineRow, 'invoiceId' | 'creditId' | 'amount'>[],
): CreditUse[] =>
  lines.flatMap(({ invoiceId, creditId, amount }) =>
    creditId === null ? [] : [{ invoiceId, creditId, amountMinor: -amount }],
  );
