import { utcMidnight } from '../period.ts';
import type { InvoiceLineRow, InvoiceRow } from '../subscription/rows.ts';
import type { TaxRate } from '../tax.ts';
import type { InvoiceType } from '../words.ts';
import type { LineFacts } from './line.ts';
import { linesFor } from './lines.ts';
import { totalsOf } from './totals.ts';

/** What an invoice is made of. */
export type InvoiceFacts = {
  readonly type: InvoiceType;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly planName: string | null;
  /** The span the invoice is for; null when it has none of its own, and both dates are those of the issue (BIL-28). */
  readonly period: { readonly start: Date; readonly end: Date } | null;
  readonly lines: LineFacts;
  readonly taxRate: TaxRate;
};

/** An issued invoice with its lines: outstanding, due on the day of its issue, to be numbered when stored (BIL-27, BIL-28). */
export function issueInvoice(
  facts: InvoiceFacts,
  now: Date,
  newId: (prefix: string) => string,
): { invoice: InvoiceRow; lines: InvoiceLineRow[] } {
  const id = newId('inv');
  const issueDate = utcMidnight(now);
  const drafts = linesFor(facts.lines);
  const invoice: InvoiceRow = {
    id,
    seq: null,
    customerId: facts.customerId,
    subscriptionId: facts.subscriptionId,
    number: null,
    status: 'outstanding',
    type: facts.type,
    currency: facts.lines.currency,
    ...totalsOf(drafts, facts.taxRate),
    periodStart: facts.period?.start ?? issueDate,
    periodEnd: facts.period?.end ?? issueDate,
    issueDate,
    dueDate: issueDate,
    planName: facts.planName,
    memo: null,
    poNumber: null,
    reference: null,
    metadata: {},
    paidAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return { invoice, lines: drafts.map((line, position) => ({ ...line, id: newId('inl'), invoiceId: id, position })) };
}
