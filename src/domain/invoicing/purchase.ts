import type { InvoiceType } from '../enums.ts';
import { minorToRate } from '../money.ts';
import type { Purchase } from '../subscription/state/rows.ts';
import type { Tax } from '../tax.ts';
import { addonLine } from './addon-base.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { type Explanation, recompute } from './explanation.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { totalsOf } from './totals.ts';

/** Types of invoices that are charged before what they buy takes effect (BIL-22). */
export const purchaseTypes = [
  'credit_purchase',
  'balance_topup',
  'addon_activation',
] as const satisfies readonly InvoiceType[];

/** Something that is bought once. */
export type PurchaseDetails = {
  readonly type: (typeof purchaseTypes)[number];
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly planName: string;
  readonly currency: string;
  readonly description: string;
  /** How its price before tax is worked out. */
  readonly price: Explanation;
  readonly purchase: Purchase | null;
  readonly tax: Tax;
};

function lineOf({ type, description, price, currency }: PurchaseDetails): LineDraft {
  if (type === 'addon_activation') return addonLine(description, price, currency);
  const amount = recompute(price);
  return {
    ...emptyLine,
    lineType: 'one_time',
    chargeType: 'standard',
    description,
    quantity: 1n,
    unitAmountRate: minorToRate(amount, currency),
    amount,
    explanation: price,
  };
}

/**
 * Issues the invoice of a purchase: one line, no customer credits, tax on top (BIL-18, BIL-20). Its dates are
 * that of the issue (BIL-28).
 */
export function issuePurchase(
  details: PurchaseDetails,
  now: Date,
  newId: (prefix: string) => string,
): IssuedInvoice {
  const line = lineOf(details);
  const { type, customerId, subscriptionId, planName, currency, tax } = details;
  const head = { type, customerId, subscriptionId, planName, period: null };
  const { invoice, lines } = issueWithLines(
    head,
    { currency, lines: [line], totals: totalsOf([line], tax), tax },
    now,
    newId,
  );
  return { invoice: { ...invoice, purchase: details.purchase }, lines };
}
