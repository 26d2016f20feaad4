// Purchases are charged first. They take effect and emit their events after the charge has settled (BIL-22).

import type { Rejection } from '../../errors/errors.ts';
import {
  type FailureDetails,
  invoiceEvent,
  paymentFailed,
  paymentReceived,
} from '../../events/payment-events.ts';
import { type Bought, issuePurchase, purchaseTypes } from '../../invoicing/purchase.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { requestCharge } from '../invoicing/charging.ts';
import { isBelowMinimum } from '../invoicing/invoicing.ts';
import { addInvoice } from '../invoicing/open-invoice.ts';
import { payInvoice, voidInvoice } from '../invoicing/settling.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { isCharging, planOf, purchaseMethod } from '../pricing/lookup.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed, chargeInProgress, noPaymentMethod } from '../state/rejections.ts';
import { fulfil } from './apply-purchase.ts';
import { announceEnd, isRenewal, renewedBy } from './commitments.ts';
import { topUpAttempt, topUpDeclined, topUpSettled } from './topup-settle.ts';

/** Returns true if an invoice is charged before its purchase takes effect. */
export const isPurchase = ({ type }: InvoiceRow): boolean =>
  purchaseTypes.some((purchase) => purchase === type);

/**
 * Returns the reason why the subscription can't be charged now: `no_payment_method` or `charge_in_progress`. `null` if
 * a charge is possible.
 */
export function purchaseRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  if (purchaseMethod(draft, subscription) === null) return noPaymentMethod;
  return isCharging(draft, subscription) ? chargeInProgress : null;
}

/**
 * Issues and charges the invoice for a purchase. An amount that is too small to charge is written off, and
 * the purchase takes effect immediately (BIL-34, BIL-35). Fails with `no_payment_method` or
 * `charge_in_progress`.
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

/** Settles the charge for a purchase. The purchase takes effect regardless of the subscription's status. */
export function purchaseSettled(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
): void {
  const paid = payInvoice(draft, invoice, transaction);
  draft.emit(paymentReceived(draft.customer, paid, transaction));
  fulfil(draft, keepMethod(draft, subscription, transaction), paid);
  topUpSettled(draft, subscription, paid);
  draft.release(subscription.id);
}

/** Sets the charged payment method as the subscription's payment method, unless the subscription already has one. */
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

/** Returns true if an invoice for credits stays due after its bank debit failed (INS-35). Prepaid commitments end instead. */
export const staysDue = ({ type, purchase }: InvoiceRow): boolean =>
  type === 'credit_purchase' && purchase !== null && !('commitment' in purchase);

/**
 * Handles a failed bank debit for credits: the invoice stays due, and can be paid on its payment page. The credits are granted when
 * the invoice is paid (INS-35). An automatic top-up has its own attempts.
 */
export function purchaseUnpaid(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): Decision {
  if (topUpAttempt(draft, invoice) !== null) return purchaseFailed(draft, subscription, invoice, failure);
  draft.emit(paymentFailed(draft.customer, invoice, failure, { page: 'recover', subjectId: invoice.id }));
  scheduleOverdue(draft, subscription, invoice);
  draft.release(subscription.id);
  draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
  return draft.done('done', subscription.id, invoice.id);
}

/**
 * Handles a failed charge for a purchase by voiding the invoice (BIL-22). A required authentication is
 * treated as a declined charge, because the payer is absent. Fails with `charge_failed`, except for the renewal of a
 * commitment, which ends without dunning (PRM-24), and for an automatic top-up, which has its own attempts.
 */
export function purchaseFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): Decision {
  voidInvoice(draft, invoice);
  draft.release(subscription.id);
  const { purchase } = invoice;
  if (purchase !== null && 'commitment' in purchase && isRenewal(purchase.commitment)) {
    announceEnd(draft, subscription, renewedBy(purchase.commitment, invoice), 'payment_failed');
    draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
    return draft.done('done', subscription.id, invoice.id);
  }
  const attempt = topUpAttempt(draft, invoice);
  if (attempt !== null) {
    topUpDeclined(draft, subscription, invoice, attempt, failure);
    draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
    return draft.done('done', subscription.id, invoice.id);
  }
  return draft.reject(chargeFailed(failure.code, failure.message));
}
