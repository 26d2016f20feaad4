import { minorToRate } from '../money.ts';
import { addDays } from '../period.ts';
import type { Metadata } from '../subscription/state/rows.ts';
import type { Tax } from '../tax.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { explain } from './explanation.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { type InvoiceTotals, totalsOf } from './totals.ts';

/** Days an adjustment may be paid in (BIL-28). */
const adjustmentDueDays = 7;

/** A manual correction; `amountMinor` is not 0, and negative for a credit. */
export type AdjustmentDetails = {
  readonly customerId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly description: string;
  readonly metadata: Metadata;
  /** The invoice a credit corrects; null where it names none. */
  readonly correctsInvoiceId: string | null;
  readonly tax: Tax;
};

const lineOf = ({ amountMinor, currency, description }: AdjustmentDetails): LineDraft => ({
  ...emptyLine,
  lineType: amountMinor > 0n ? 'one_time' : 'credit',
  chargeType: 'standard',
  description,
  quantity: 1n,
  unitAmountRate: minorToRate(amountMinor, currency),
  amount: amountMinor,
  explanation: explain('BIL-23', 'price', { price: amountMinor }),
});

/**
 * A credit is documented untaxed and takes no customer credit, so that nothing but its total describes it.
 */
const creditTotals = (total: bigint): InvoiceTotals => ({
  subtotal: 0n,
  discountAmount: 0n,
  creditApplied: 0n,
  taxAmount: 0n,
  total,
});

/**
 * Issues an adjustment of one line (BIL-23): a positive one is outstanding, taxed like other invoices and due
 * in seven days; a negative one is paid at once. It belongs to no subscription, so that it neither changes
 * one nor is voided with it.
 */
export function issueAdjustment(
  details: AdjustmentDetails,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  const line = lineOf(details);
  const isCredit = details.amountMinor < 0n;
  const totals = isCredit ? creditTotals(details.amountMinor) : totalsOf([line], details.tax);
  const head = {
    type: 'adjustment',
    customerId: details.customerId,
    subscriptionId: null,
    planName: null,
    period: null,
  } as const;
  const { invoice, lines } = issueWithLines(
    head,
    { currency: details.currency, lines: [line], totals, tax: isCredit ? null : details.tax },
    now,
    newId,
  );
  const dueDate = addDays(invoice.issueDate, adjustmentDueDays);
  const settlement = isCredit ? ({ status: 'paid', paidAt: now } as const) : {};
  const { metadata, correctsInvoiceId } = details;
  return { invoice: { ...invoice, metadata, correctsInvoiceId, dueDate, ...settlement }, lines };
}
