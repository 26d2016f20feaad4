import { utcMidnight } from '../period.ts';
import type { InvoiceLineRow, InvoiceRow } from '../subscription/rows.ts';
import type { Tax } from '../tax.ts';
import type { InvoiceType } from '../words.ts';
import { creditedTypes } from './customer-credits.ts';
import { recompute } from './explanation.ts';
import type { LineDraft, LineFacts } from './line.ts';
import { linesFor } from './lines.ts';
import { type InvoiceTotals, totalsOf } from './totals.ts';

/** What an invoice is about, whatever its lines are. */
export type InvoiceHead = {
  readonly type: InvoiceType;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly planName: string | null;
  /** The span the invoice is for; null when it has none of its own, and both dates are those of the issue (BIL-28). */
  readonly period: { readonly start: Date; readonly end: Date } | null;
};

/** What an invoice is made of. */
export type InvoiceFacts = InvoiceHead & { readonly lines: LineFacts; readonly tax: Tax };

/** Lines with their sums and the tax in them, in one currency. */
export type InvoiceBody = {
  readonly currency: string;
  readonly lines: readonly LineDraft[];
  readonly totals: InvoiceTotals;
  readonly tax: Tax | null;
};

/** An issued invoice with its lines: outstanding, due on the day of its issue, to be numbered when stored (BIL-27, BIL-28). */
export type IssuedInvoice = { readonly invoice: InvoiceRow; readonly lines: InvoiceLineRow[] };

/** Issues an invoice whose lines come from the line sources (BIL-13); only some types draw on customer credits (BIL-18). */
export function issueInvoice(facts: InvoiceFacts, now: Date, newId: (prefix: string) => string): IssuedInvoice {
  const lines = linesFor(creditedTypes.includes(facts.type) ? facts.lines : { ...facts.lines, credits: [] });
  const body = { currency: facts.lines.currency, lines, totals: totalsOf(lines, facts.tax), tax: facts.tax };
  return issueWithLines(facts, body, now, newId);
}

/** Throws for a line that its own explanation does not lead to, which no caller can cause. */
function checkExplained({ description, amount, explanation }: LineDraft): void {
  const explained = recompute(explanation);
  if (explained !== amount) throw new Error(`The line “${description}” of ${amount} is explained as ${explained}.`);
}

/** Issues an invoice with lines and sums worked out already. Every line must amount to what its explanation says. */
export function issueWithLines(facts: InvoiceHead, body: InvoiceBody, now: Date, newId: (prefix: string) => string): IssuedInvoice {
  for (const line of body.lines) checkExplained(line);
  const id = newId('inv');
  const issueDate = utcMidnight(now);
  const invoice: InvoiceRow = {
    id,
    seq: null,
    customerId: facts.customerId,
    subscriptionId: facts.subscriptionId,
    number: null,
    status: 'outstanding',
    type: facts.type,
    currency: body.currency,
    ...body.totals,
    tax: body.tax,
    periodStart: facts.period?.start ?? issueDate,
    periodEnd: facts.period?.end ?? issueDate,
    issueDate,
    dueDate: issueDate,
    planName: facts.planName,
    memo: null,
    poNumber: null,
    reference: null,
    metadata: {},
    purchase: null,
    paidAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return { invoice, lines: body.lines.map((line, position) => ({ ...line, id: newId('inl'), invoiceId: id, position })) };
}
