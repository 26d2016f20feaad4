// Tax on an open checkout's first invoice. The payer's address is unknown before the checkout (BIL-20).
import type { Rejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { isSameTax, untaxed } from '../../tax/tax.ts';
import { invoiceOf, quotedOffer } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { revise } from './checkout-pricing.ts';
import { undiscounted } from './reprice.ts';
import { customerTax } from './taxing.ts';

/**
 * Recalculates the tax of an open checkout's first invoice for the payer. Revises the invoice at the same
 * price if the tax changed. Throws TaxNotComputedError.
 */
export function taxedFor(draft: Draft, subscription: SubscriptionRow): SubscriptionRow | Rejection {
  if (subscription.checkoutInvoiceId === null) return subscription;
  const invoice = invoiceOf(draft, subscription.checkoutInvoiceId);
  if (isSameTax(invoice.tax ?? untaxed, customerTax(draft))) return subscription;
  const price = undiscounted(draft, subscription);
  return 'failure' in price
    ? priceRejection(price.failure)
    : revise(draft, subscription, price, quotedOffer(draft, subscription));
}
