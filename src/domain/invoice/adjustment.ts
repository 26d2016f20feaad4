import { minorToRate } from '../money.ts';
import { addDays } from '../period.ts';
import type { Metadata } from '../subscription/rows.ts';
import type { Tax } from '../tax.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { explain } from './explanation.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { type InvoiceTotals, totalsOf } from './totals.ts';

/** Days an adjustment may be paid in (BIL-28). */
const adjustmentDueDays = 7;

/** A correction made by hand; `amountMinor` is not 0, and negative for a credit. */
export type AdjustmentFacts = {
  readonly customerId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly description: string;
  readonly metadata: Metadata;
  readonly tax: Tax;
};

const lineOf = ({ amountMinor, currency, description }: AdjustmentFacts): LineDraft => ({
  ...emptyLine,
  lineType: amountMinor > 0n ? 'one_time' : 'credit',
  chargeType: 'standard',
  description,
  quantity: 1n,
  unitAmountRate: minorToRate(amountMinor, currency),
  amount: amountMinor,
  explanation: explain('BIL-23', 'price', { price: amountMinor }),
});

/** A credit is documented untaxed and takes no customer credit, so that nothing but its total tells of it. */
const creditTotals = (total: bigint): InvoiceTotals => ({ subtotal: 0n, discountAmount: 0n, creditApplied: 0n, taxAmount: 0n, total });

/**
 * Issues an adjustment of one line (BIL-23): a positive one is outstanding, taxed like other invoices and due in seven days; a negative one
 * is paid at once. It belongs to no subscription, so that it neither changes one nor is voided with it.
 */
export function issueAdjustment(facts: AdjustmentFacts, now: Date, newId: (prefix: string) => string): IssuedInvoice {
  const line = lineOf(facts);
  const isCredit = facts.amountMinor < 0n;
  const totals = isCredit ? creditTotals(facts.amountMinor) : totalsOf([line], facts.tax);
  const head = { type: 'adjustment', customerId: facts.customerId, subscriptionId: null, planName: null, period: null } as const;
  const { invoice, lines } = issueWithLines(
    head,
    { currency: facts.currency, lines: [line], totals, tax: isCredit ? null : facts.tax },
    now,
    newId,
  );
  const dueDate = addDays(invoice.issueDate, adjustmentDueDays);
  const settlement = isCredit ? ({ status: 'paid', paidAt: now } as const) : {};
  return { invoice: { ...invoice, metadata: facts.metadata, dueDate, ...settlement }, lines };
}
