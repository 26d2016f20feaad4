import { minorToRate } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import type { Metadata } from '../rows/rows.ts';
import type { Tax } from '../tax/tax.ts';
import { addDays } from '../time/period.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { type InvoiceTotals, totalsOf } from './totals.ts';

/** Number of days from the issue date until an adjustment is due (BIL-28). */
const adjustmentDueDays = 7;

/** Manual adjustment. `amountMinor` is in minor units, never 0, and negative if the adjustment credits the customer. */
export type AdjustmentDetails = {
  readonly customerId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly description: string;
  readonly metadata: Metadata;
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

/** Returns the totals of a negative adjustment, which has no tax and uses no customer credit. */
const creditTotals = (total: bigint): InvoiceTotals => ({
  subtotal: 0n,
  discountAmount: 0n,
  creditApplied: 0n,
  taxAmount: 0n,
  total,
});

/**
 * Issues an adjustment with one line (BIL-23). A positive adjustment is outstanding, due in 7 days, and taxed
 * like other invoices. A negative adjustment is paid immediately. The invoice belongs to no subscription, so
 * canceling a subscription doesn't void it.
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
  const { metadata } = details;
  return { invoice: { ...invoice, metadata, dueDate, ...settlement }, lines };
}
