import { minorToRate } from '../money.ts';
import type { Metadata } from '../subscription/state/rows.ts';
import type { Tax } from '../tax.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { explain } from './explanation.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { totalsOf } from './totals.ts';

/** A one-time payment to be documented; minor units of `currency` before tax. */
export type OneTimeDetails = {
  readonly customerId: string;
  readonly currency: string;
  readonly description: string;
  readonly amountMinor: bigint;
  readonly metadata: Metadata;
  readonly tax: Tax;
};

/**
 * Issues the invoice of a one-time payment: one line, no customer credits, tax on top (PAY-1, BIL-18,
 * BIL-20).
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
