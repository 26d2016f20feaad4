import { minorToRate } from '../money/money.ts';
import type { InvoiceType } from '../rows/enums.ts';
import { type Explanation, recompute } from '../rows/explanation.ts';
import type { Purchase } from '../rows/rows.ts';
import type { Tax } from '../tax/tax.ts';
import { addonLine } from './addon-base.ts';
import { type IssuedInvoice, issueWithLines } from './draft.ts';
import { emptyLine, type LineDraft } from './line.ts';
import { totalsOf } from './totals.ts';

/** Types of invoices that are charged before their purchase takes effect (BIL-22). */
export const purchaseTypes = [
  'credit_purchase',
  'balance_topup',
  'addon_activation',
] as const satisfies readonly InvoiceType[];

export type PurchaseDetails = {
  readonly type: (typeof purchaseTypes)[number];
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly planName: string;
  readonly currency: string;
  readonly description: string;
  /** Explanation of how the price before tax was calculated. */
  readonly price: Explanation;
  readonly purchase: Purchase | null;
  readonly tax: Tax;
};

/** Purchase before its invoice is issued: the type and the line of the invoice, and the effect of the payment. */
export type Bought = Pick<PurchaseDetails, 'type' | 'description' | 'price' | 'purchase'>;

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
 * Issues the invoice for a purchase. The invoice has one line, includes tax, and uses no customer credits (BIL-18,
 * BIL-20). The invoice's period starts and ends on the issue date (BIL-28).
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
