import { minorToRate } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import type { Metadata } from '../rows/rows.ts';
import type { Tax } from '../tax/tax.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { totalsOf } from './totals.ts';

/** Details of a one-time payment. The amount is in minor units of `currency`, before tax. */
export type OneTimeDetails = {
  readonly customerId: string;
  readonly currency: string;
  readonly description: string;
  readonly amountMinor: bigint;
  readonly metadata: Metadata;
  readonly tax: Tax;
};

/**
 * Issues the invoice for a one-time payment. The invoice has one line, includes tax, and uses no customer credits
 * (PAY-1, BIL-18, BIL-20).
 */
export function issueOneTime(
  details: OneTimeDetails,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  const { customerId, currency, description, amountMinor, tax } = details;
  const line: LineDraft = {
    ...emptyLine,
    lineType: 'one_time',
    chargeType: 'standard',
    description,
    quantity: 1n,
    unitAmountRate: minorToRate(amountMinor, currency),
    amount: amountMinor,
    explanation: explain('PAY-1', 'price', { price: amountMinor }),
  };
  const head = {
    type: 'one_time_payment',
    customerId,
    subscriptionId: null,
    planName: null,
    period: null,
  } as const;
  const { invoice, lines } = issueWithLines(
    head,
    { currency, lines: [line], totals: totalsOf([line], tax), tax },
    now,
    newId,
  );
  return { invoice: { ...invoice, metadata: details.metadata }, lines };
}
