import { isBillable, largestTotal, maxOf } from '../money/money.ts';
import type { InvoiceType } from '../rows/enums.ts';
import { recompute } from '../rows/explanation.ts';
import type { InvoiceLineRow, InvoiceRow } from '../rows/rows.ts';
import type { Tax } from '../tax/tax.ts';
import { utcMidnight } from '../time/period.ts';
import { NotBillableError } from './billable.ts';
import { creditedTypes } from './customer-credits.ts';
import type { LineDetails, LineDraft } from './line.ts';
import { linesFor } from './lines.ts';
import { type InvoiceTotals, totalsOf } from './totals.ts';

/** Invoice fields that don't depend on the lines. */
export type InvoiceHead = {
  readonly type: InvoiceType;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly planName: string | null;
  /**
   * Billing period. If `null`, the invoice's period starts and ends on the issue date (BIL-28).
   */
  readonly period: { readonly start: Date; readonly end: Date } | null;
};

export type InvoiceDetails = InvoiceHead & { readonly lines: LineDetails; readonly tax: Tax };

/** Invoice lines with their totals and tax, in one currency. */
export type InvoiceBody = {
  readonly currency: string;
  readonly lines: readonly LineDraft[];
  readonly totals: InvoiceTotals;
  readonly tax: Tax | null;
};

/**
 * Invoice with its lines, outstanding and due on the issue date. The number is assigned when the invoice is
 * stored (BIL-27, BIL-28).
 */
export type IssuedInvoice = { readonly invoice: InvoiceRow; readonly lines: InvoiceLineRow[] };

/**
 * Issues an invoice with the lines of all line sources (BIL-13). The invoice types in
 * `creditedTypes` use customer credits and prepaid commitments (BIL-18).
 */
export function issueInvoice(
  details: InvoiceDetails,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  const lines = linesFor(
    creditedTypes.includes(details.type) ? details.lines : { ...details.lines, credits: [], commitments: [] },
  );
  const body = {
    currency: details.lines.currency,
    lines,
    totals: totalsOf(lines, details.tax),
    tax: details.tax,
  };
  return issueWithLines(details, body, now, newId);
}

/**
 * Throws NotBillableError if a line or the total exceeds the largest invoice amount (GLO-14a). `decide`
 * converts the error to `validation_error`.
 */
function checkBillable(lines: readonly LineDraft[], { subtotal, total }: InvoiceTotals): void {
  const tooLarge = lines.find(({ amount }) => !isBillable(amount));
  if (tooLarge !== undefined) throw new NotBillableError(tooLarge.description);
  if (maxOf(subtotal, total) > largestTotal) throw new NotBillableError(null);
}

/**
 * Throws if the amount of a line differs from the amount that its explanation yields, which indicates a
 * bug.
 */
function checkExplained({ description, amount, explanation }: LineDraft): void {
  const explained = recompute(explanation);
  if (explained !== amount)
    throw new Error(`The line “${description}” of ${amount} is explained as ${explained}.`);
}

/**
 * Issues an invoice with given lines and totals. The amount of each line must equal the amount that its
 * explanation yields.
 */
export function issueWithLines(
  details: InvoiceHead,
  body: InvoiceBody,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  for (const line of body.lines) checkExplained(line);
  checkBillable(body.lines, body.totals);
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
    payableUntil: null,
    planName: details.planName,
    memo: null,
    poNumber: null,
    reference: null,
    metadata: {},
    purchase: null,
    finalizedAt: now,
    paidAt: null,
    sentAt: null,
    buyerId: null,
    sellerId: null,
    frozenAt: null,
    creditedAmount: 0n,
    creditedTax: 0n,
    creditedDue: 0n,
    paidInParts: 0n,
    createdAt: now,
    updatedAt: now,
  };
  return {
    invoice,
    lines: body.lines.map((line, position) => ({ ...line, id: newId('inl'), invoiceId: id, position })),
  };
}
