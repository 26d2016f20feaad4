// The first invoice of an open checkout bears the tax of its payer, who is known only at the checkout
// (BIL-20).
import type { Rejection } from '../../errors.ts';
import { isSameTax, untaxed } from '../../tax.ts';
import { invoiceOf, quotedOffer } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { reissue } from './checkout-pricing.ts';
import { undiscounted } from './reprice.ts';
import { customerTax } from './taxing.ts';

/**
 * The open checkout with a first invoice that bears the tax of its payer: where it was issued with another,
 * it is voided and issued again at the same price. Throws TaxNotComputedError.
 */
export function taxedFor(draft: Draft, subscription: SubscriptionRow): SubscriptionRow | Rejection {
  if (subscription.checkoutInvoiceId === null) return subscription;
  const invoice = invoiceOf(draft, subscription.checkoutInvoiceId);
  if (isSameTax(invoice.tax ?? untaxed, customerTax(draft))) return subscription;
  const price = undiscounted(draft, subscription);
  return 'failure' in price
    ? priceRejection(price.failure)
    : reissue(draft, subscription, price, quotedOffer(draft, subscription));
}
