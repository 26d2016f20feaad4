// What an open checkout would charge a payer at an address, told before anything is paid (BIL-20, OFR-26 line 8).
import type { Refusal } from '../errors.ts';
import { TaxNotComputedError } from '../tax.ts';
import type { Aggregate, Tools } from './aggregate.ts';
import { changeLocated, noCodeForChange, openChange } from './change-checkout.ts';
import { taxedFor } from './checkout-tax.ts';
import { invoiceOf } from './lookup.ts';
import { pricedFor } from './pricing.ts';
import { statusRefusal } from './refusals.ts';
import { enterPromoCode } from './reprice.ts';
import type { Address, InvoiceRow, SubscriptionRow } from './rows.ts';
import { taxRefusal, typedPayer } from './taxing.ts';
import { Work } from './work.ts';

/** What a payer has typed in so far; null for what was not. */
export type TypedAtCheckout = {
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  readonly promoCode: string | null;
};

/**
 * The invoice an open checkout would charge whoever typed this in, by any card but one a promotion is for; null where a method is only
 * stored. Changes nothing. Refuses what paying would refuse before the card is looked at.
 */
export function quoteCheckout(
  aggregate: Aggregate,
  { subscriptionId, now, ...typed }: TypedAtCheckout & { readonly subscriptionId: string; readonly now: Date },
  tools: Tools,
): InvoiceRow | Refusal | null {
  const work = new Work(aggregate, { dueAt: now, now }, tools);
  const subscription = work.subscriptions.find(subscriptionId);
  if (subscription === null) return { code: 'subscription_not_found', message: `There is no subscription ${subscriptionId}.` };
  try {
    const priced = pricedAs(work, subscription, typed);
    if ('code' in priced) return priced;
    return priced.checkoutInvoiceId === null ? null : invoiceOf(work, priced.checkoutInvoiceId);
  } catch (error) {
    if (error instanceof TaxNotComputedError) return taxRefusal(error);
    throw error;
  }
}

function pricedAs(work: Work, subscription: SubscriptionRow, typed: TypedAtCheckout): SubscriptionRow | Refusal {
  const { billingAddress, taxDocument, promoCode } = typed;
  work.payer = typedPayer(work.customer, { billingAddress, taxDocument });
  const country = billingAddress?.country ?? work.customer.country;
  const change = openChange(work, subscription);
  if (change !== null) return promoCode === null ? changeLocated(work, subscription, change, country) : noCodeForChange;
  const refusal = statusRefusal('checkout', subscription);
  if (refusal !== null) return refusal;
  const located = pricedFor(work, subscription, country);
  if ('code' in located) return located;
  const priced = promoCode === null ? located : enterPromoCode(work, located, promoCode);
  return 'code' in priced ? priced : taxedFor(work, priced);
}
