// The first invoice of an open checkout bears the tax of whoever pays it, and that is known only there (BIL-20).
import type { Refusal } from '../errors.ts';
import { isSameTax, untaxed } from '../tax.ts';
import { invoiceOf, quotedOffer } from './lookup.ts';
import { reissue } from './pricing.ts';
import { priceRefusal } from './refusals.ts';
import { undiscounted } from './reprice.ts';
import type { SubscriptionRow } from './rows.ts';
import { customerTax } from './taxing.ts';
import type { Work } from './work.ts';

/**
 * The open checkout with a first invoice that bears the tax of its payer: where it was issued with another, it is voided and issued anew at
 * the same price. Throws TaxNotComputedError.
 */
export function taxedFor(work: Work, subscription: SubscriptionRow): SubscriptionRow | Refusal {
  if (subscription.checkoutInvoiceId === null) return subscription;
  const invoice = invoiceOf(work, subscription.checkoutInvoiceId);
  if (isSameTax(invoice.tax ?? untaxed, customerTax(work))) return subscription;
  const price = undiscounted(work, subscription);
  return 'failure' in price ? priceRefusal(price.failure) : reissue(work, subscription, price, quotedOffer(work, subscription));
}
