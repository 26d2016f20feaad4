import { minorPerUnit, minorToRate } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import type { Metadata } from '../rows/rows.ts';
import type { Tax } from '../tax/tax.ts';
import { addDays } from '../time/period.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { type InvoiceTotals, totalsOf } from './totals.ts';

/** Number of days from the issue date until a manual invoice is due by default (BIL-28). */
export const usualDueDays = 7;

/** Line of a manual invoice. `unitAmountMinor` is in minor units, and only negative if the line credits the customer. */
export type ManualLine = {
  readonly description: string;
  readonly quantity: bigint;
  readonly unitAmountMinor: bigint;
};

/** Manual invoice. The sum of the lines is never 0, and is negative if the invoice credits the customer. */
export type ManualInvoice = {
  readonly customerId: string;
  readonly currency: string;
  readonly lines: readonly ManualLine[];
  readonly memo: string | null;
  readonly poNumber: string | null;
  readonly reference: string | null;
  readonly dueDays: number;
  readonly metadata: Metadata;
  readonly tax: Tax;
};

/** Returns the sum of the lines before tax, in minor units. */
export const sumOfLines = (lines: readonly ManualLine[]): bigint =>
  lines.reduce((sum, { quantity, unitAmountMinor }) => sum + quantity * unitAmountMinor, 0n);

function lineOf({ description, quantity, unitAmountMinor }: ManualLine, currency: string): LineDraft {
  const rate = minorToRate(unitAmountMinor, currency);
  const amount = quantity * unitAmountMinor;
  return {
    ...emptyLine,
    lineType: amount < 0n ? 'credit' : 'one_time',
    chargeType: 'standard',
    description,
    quantity,
    unitAmountRate: rate,
    amount,
    explanation:
      quantity === 1n
        ? explain('BIL-23', 'price', { price: amount })
        : explain('BIL-23', 'units', { units: quantity, rate, minor_per_unit: minorPerUnit(currency) }),
  };
}

/** Returns the totals of a negative adjustment, which has no tax and uses no customer credit. */
const creditTotals = (total: bigint): InvoiceTotals => ({
  subtotal: 0n,
  discountAmount: 0n,
  creditApplied: 0n,
  taxAmount: 0n,
  total,
});

/**
 * Issues a manual invoice (BIL-23). An invoice with a positive sum is outstanding, and taxed like other invoices. An invoice with a negative
 * sum is paid immediately. The invoice belongs to no subscription, so canceling a subscription doesn't void it.
 */
export function issueManualInvoice(
  details: ManualInvoice,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  const { currency, metadata, memo, poNumber, reference } = details;
  const drafts = details.lines.map((line) => lineOf(line, currency));
  const sum = sumOfLines(details.lines);
  const isCredit = sum < 0n;
  const totals = isCredit ? creditTotals(sum) : totalsOf(drafts, details.tax);
  const head = {
    type: 'adjustment',
    customerId: details.customerId,
    subscriptionId: null,
    planName: null,
    period: null,
  } as const;
  const { invoice, lines } = issueWithLines(
    head,
    { currency, lines: drafts, totals, tax: isCredit ? null : details.tax },
    now,
    newId,
  );
  const dueDate = addDays(invoice.issueDate, details.dueDays);
  const settlement = isCredit ? ({ status: 'paid', paidAt: now } as const) : {};
  return { invoice: { ...invoice, metadata, memo, poNumber, reference, dueDate, ...settlement }, lines };
}
