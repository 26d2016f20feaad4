// Purchases are charged first: what is bought takes effect, and is told, once the charge has settled (BIL-22).

import type { Refusal } from '../errors.ts';
import { issuePurchase, type PurchaseFacts, purchaseTypes } from '../invoice/purchase.ts';
import { type FailureFacts, invoiceEvent, paymentReceived } from '../payment-events.ts';
import type { Decision } from './aggregate.ts';
import { requestCharge } from './charging.ts';
import { fulfil } from './fulfil.ts';
import { addInvoice, isBelowMinimum, payInvoice, voidInvoice } from './invoicing.ts';
import { isCharging, methodOf, planOf } from './lookup.ts';
import { chargeFailed, chargeInProgress, noPaymentMethod } from './refusals.ts';
import type { InvoiceRow, PaymentMethodRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { customerTax } from './taxing.ts';
import type { Work } from './work.ts';

/** What is bought, and for how much. */
export type Bought = Pick<PurchaseFacts, 'type' | 'description' | 'price' | 'purchase'>;

/** Whether an invoice is charged before what it buys takes effect. */
export const isPurchase = ({ type }: InvoiceRow): boolean => purchaseTypes.some((purchase) => purchase === type);

/** The method a purchase is charged to: that of the subscription or, where it never needed one, the customer's latest. */
const purchaseMethod = (work: Work, subscription: SubscriptionRow): PaymentMethodRow | null =>
  methodOf(work, subscription) ?? work.paymentMethods.all().at(-1) ?? null;

/** Why nothing can be charged to the subscription now: `no_payment_method` or `charge_in_progress`; null when something can. */
export function purchaseRefusal(work: Work, subscription: SubscriptionRow): Refusal | null {
  if (purchaseMethod(work, subscription) === null) return noPaymentMethod;
  return isCharging(work, subscription) ? chargeInProgress : null;
}

/**
 * Issues the invoice of a purchase and charges the stored method. Too small an amount to be charged is written off, and what was bought takes
 * effect at once (BIL-34, BIL-35). Refuses with `no_payment_method` and `charge_in_progress`.
 */
export function buy(work: Work, subscription: SubscriptionRow, bought: Bought): Decision {
  const method = purchaseMethod(work, subscription);
  const refusal = purchaseRefusal(work, subscription);
  if (refusal !== null || method === null) return work.refuse(refusal ?? noPaymentMethod);
  const { id, customerId, currency } = subscription;
  const about = { customerId, subscriptionId: id, planName: planOf(work, subscription).name, currency, tax: customerTax(work) };
  const issued = issuePurchase({ ...about, ...bought }, work.now, work.newId);
  const invoice = addInvoice(work, issued.invoice, issued.lines);
  if (isBelowMinimum(work, subscription, invoice)) {
    const paid = payInvoice(work, invoice, null);
    work.emit(invoiceEvent('invoice.created', work.customer, paid));
    fulfil(work, subscription, paid);
    return work.done('done', id, invoice.id);
  }
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  requestCharge(work, subscription, invoice, method, false);
  return work.done('charging', id, invoice.id);
}

/** The charge of a purchase settled: what was bought takes effect, whatever the status meanwhile. */
export function purchaseSettled(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, transaction: TransactionRow): void {
  const paid = payInvoice(work, invoice, transaction);
  work.emit(paymentReceived(work.customer, paid, transaction));
  fulfil(work, keepMethod(work, subscription, transaction), paid);
  work.release(subscription.id);
}

/** A subscription that had no method of its own is charged by the one that paid from here on. */
function keepMethod(work: Work, subscription: SubscriptionRow, { paymentMethodId, provider }: TransactionRow): SubscriptionRow {
  if (subscription.paymentMethodId !== null) return subscription;
  return work.subscriptions.put({ ...subscription, paymentMethodId, provider: subscription.provider ?? provider, updatedAt: work.now });
}

/** The charge of a purchase failed: its invoice is void, and nothing else has changed (BIL-22). An authentication nobody can do counts as a decline. */
export function purchaseFailed(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): Decision {
  voidInvoice(work, invoice);
  work.release(subscription.id);
  return work.refuse(chargeFailed(failure.code, failure.message));
}
