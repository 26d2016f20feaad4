// Purchases are charged first. They take effect and are announced once the charge has settled (BIL-22).

import type { Rejection } from '../../errors.ts';
import { issuePurchase, type PurchaseDetails, purchaseTypes } from '../../invoicing/purchase.ts';
import { type FailureDetails, invoiceEvent, paymentReceived } from '../../payment-events.ts';
import { requestCharge } from '../invoicing/charging.ts';
import { addInvoice, isBelowMinimum } from '../invoicing/invoicing.ts';
import { payInvoice, voidInvoice } from '../invoicing/settling.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { isCharging, methodOf, planOf, storedMethods } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed, chargeInProgress, noPaymentMethod } from '../state/rejections.ts';
import type { InvoiceRow, PaymentMethodRow, SubscriptionRow, TransactionRow } from '../state/rows.ts';
import { fulfil } from './apply-purchase.ts';

/** A purchase and its price. */
export type Bought = Pick<PurchaseDetails, 'type' | 'description' | 'price' | 'purchase'>;

/** Whether an invoice is charged before what it buys takes effect. */
export const isPurchase = ({ type }: InvoiceRow): boolean =>
  purchaseTypes.some((purchase) => purchase === type);

/**
 * The method a purchase is charged to: that of the subscription or, where it never needed one, the customer's
 * latest.
 */
const purchaseMethod = (draft: Draft, subscription: SubscriptionRow): PaymentMethodRow | null =>
  methodOf(draft, subscription) ?? storedMethods(draft).at(-1) ?? null;

/**
 * Why nothing can be charged to the subscription now: `no_payment_method` or `charge_in_progress`; null when
 * something can.
 */
export function purchaseRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  if (purchaseMethod(draft, subscription) === null) return noPaymentMethod;
  return isCharging(draft, subscription) ? chargeInProgress : null;
}

/**
 * Issues the invoice of a purchase and charges the stored method. Too small an amount to be charged is
 * written off, and what was bought takes effect at once (BIL-34, BIL-35). Rejects with `no_payment_method`
 * and `charge_in_progress`.
 */
export function buy(draft: Draft, subscription: SubscriptionRow, bought: Bought): Decision {
  const method = purchaseMethod(draft, subscription);
  const rejection = purchaseRejection(draft, subscription);
  if (rejection !== null || method === null) return draft.reject(rejection ?? noPaymentMethod);
  const { id, customerId, currency } = subscription;
  const about = {
    customerId,
    subscriptionId: id,
    planName: planOf(draft, subscription).name,
    currency,
    tax: customerTax(draft),
  };
  const issued = issuePurchase({ ...about, ...bought }, draft.now, draft.newId);
  const invoice = addInvoice(draft, issued.invoice, issued.lines);
  if (isBelowMinimum(draft, subscription, invoice)) {
    const paid = payInvoice(draft, invoice, null);
    draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
    fulfil(draft, subscription, paid);
    return draft.done('done', id, invoice.id);
  }
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  requestCharge(draft, subscription, invoice, method, false);
  return draft.done('charging', id, invoice.id);
}

/** Settles the charge of a purchase: what was bought takes effect in any status. */
export function purchaseSettled(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
): void {
  const paid = payInvoice(draft, invoice, transaction);
  draft.emit(paymentReceived(draft.customer, paid, transaction));
  fulfil(draft, keepMethod(draft, subscription, transaction), paid);
  draft.release(subscription.id);
}

/** Stores the method that paid with a subscription that had none. */
function keepMethod(
  draft: Draft,
  subscription: SubscriptionRow,
  { paymentMethodId, provider }: TransactionRow,
): SubscriptionRow {
  if (subscription.paymentMethodId !== null) return subscription;
  return draft.subscriptions.patch(subscription.id, {
    paymentMethodId,
    provider: subscription.provider ?? provider,
    updatedAt: draft.now,
  });
}

/**
 * Handles the failed charge of a purchase: voids its invoice. Nothing else changes (BIL-22). A request for
 * authentication counts as a decline, since the payer is absent.
 */
export function purchaseFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): Decision {
  voidInvoice(draft, invoice);
  draft.release(subscription.id);
  return draft.reject(chargeFailed(failure.code, failure.message));
}
