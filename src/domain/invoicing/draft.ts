import type { InvoiceType } from '../enums.ts';
import { utcMidnight } from '../period.ts';
import type { InvoiceLineRow, InvoiceRow } from '../subscription/state/rows.ts';
import type { Tax } from '../tax.ts';
import { creditedTypes } from './customer-credits.ts';
import { recompute } from './explanation.ts';
import type { LineDetails, LineDraft } from './line.ts';
import { linesFor } from './lines.ts';
import { type InvoiceTotals, totalsOf } from './totals.ts';

/** What an invoice is about, whatever its lines are. */
export type InvoiceHead = {
  readonly type: InvoiceType;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly planName: string | null;
  /**
   * The span the invoice is for; null when it has none of its own, and both dates are those of the issue
   * (BIL-28).
   */
  readonly period: { readonly start: Date; readonly end: Date } | null;
};

/** What an invoice is made of. */
export type InvoiceDetails = InvoiceHead & { readonly lines: LineDetails; readonly tax: Tax };

/** Lines with their sums and the tax in them, in one currency. */
export type InvoiceBody = {
  readonly currency: string;
  readonly lines: readonly LineDraft[];
  readonly totals: InvoiceTotals;
  readonly tax: Tax | null;
};

/**
 * An issued invoice with its lines: outstanding, due on the day of its issue, to be numbered when stored
 * (BIL-27, BIL-28).
 */
export type IssuedInvoice = { readonly invoice: InvoiceRow; readonly lines: InvoiceLineRow[] };

/**
 * Issues an invoice whose lines come from the line sources (BIL-13); only some types draw on customer credits
 * (BIL-18).
 */
export function issueInvoice(
  details: InvoiceDetails,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  const lines = linesFor(
    creditedTypes.includes(details.type) ? details.lines : { ...details.lines, credits: [] },
  );
  const body = {
    currency: details.lines.currency,
    lines,
    totals: totalsOf(lines, details.tax),
    tax: details.tax,
  };
  return issueWithLines(details, body, now, newId);
}

/** Throws for a line that its own explanation does not lead to, which no caller can cause. */
function checkExplained({ description, amount, explanation }: LineDraft): void {
  const explained = recompute(explanation);
  if (explained !== amount)
    throw new Error(`The line “${description}” of ${amount} is explained as ${explained}.`);
}

/**
 * Issues an invoice with lines and sums worked out already. Every line must amount to what its explanation
 * says.
 */
export function issueWithLines(
  details: InvoiceHead,
  body: InvoiceBody,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  for (const line of body.lines) checkExplained(line);
  const id = newId('inv');
  const issueDate = utcMidnight(now);
  const invoice: InvoiceRow = {
    id,
    seq: null,
    customerId: details.customerId,
    subscriptionId: details.subscriptionId,
    number: null,
    status: 'outstanding',
    type: details.type,
    currency: body.currency,
    ...body.totals,
    tax: body.tax,
    periodStart: details.period?.start ?? issueDate,
    periodEnd: details.period?.end ?? issueDate,
    issueDate,
    dueDate: issueDate,
    planName: details.planName,
    memo: null,
    poNumber: null,
    reference: null,
    metadata: {},
    purchase: null,
    paidAt: null,
    buyerId: null,
    sellerId: null,
    frozenAt: null,
    correctsInvoiceId: null,
    createdAt: now,
    updatedAt: now,
  };
  return {
    invoice,
    lines: body.lines.map((line, position) => ({ ...line, id: newId('inl'), invoiceId: id, position })),
  };
}
