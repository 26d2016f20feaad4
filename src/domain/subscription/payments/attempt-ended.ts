// Effects of a final charge result on the invoice and its subscription.
import { type FailureDetails, paymentFailed } from '../../events/payment-events.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { settleTransaction } from '../invoicing/charging.ts';
import { isConfirmedLater } from '../invoicing/debit-terms.ts';
import { isPush } from '../invoicing/push-terms.ts';
import { markUncollectible, voidInvoice } from '../invoicing/settling.ts';
import { attemptDeclined, recover, shiftRetries } from '../lifecycle/dunning.ts';
import { isLastInvoice, lastChargeFailed, lastChargeSettled } from '../lifecycle/last-charge.ts';
import { isReactivation, reactivated } from '../lifecycle/reactivate.ts';
import { renewalFailed, renewalSettled } from '../lifecycle/renewal.ts';
import { trialConverted, trialDeclined, trialUnpaid } from '../lifecycle/trial.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { changeFailed, changeSettled } from '../plan-change/change-settled.ts';
import {
  isPurchase,
  purchaseFailed,
  purchaseSettled,
  purchaseUnpaid,
  staysDue,
} from '../purchases/purchase.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed } from '../state/rejections.ts';

/** Handles a charge of an invoice that settled. `pending` is its transaction. */
export function attemptSettled(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  pending: TransactionRow,
): Decision {
  const transaction = settleTransaction(draft, pending, pending.paymentMethodId);
  const { status } = subscription;
  if (isPurchase(invoice)) purchaseSettled(draft, subscription, invoice, transaction);
  else if (changeOf(invoice) !== null)
    changeSettled(draft, subscription, invoice, { by: transaction, isInvoiceEmitted: true });
  else if (status === 'canceled' && !isReactivation(subscription, invoice))
    renewalSettled(draft, subscription, invoice, transaction);
  else if (isLastInvoice(subscription, invoice)) lastChargeSettled(draft, subscription, invoice, transaction);
  else if (status === 'trialing') trialConverted(draft, subscription, invoice, transaction);
  else if (status === 'active' || isOutsideDunning(subscription, invoice))
    renewalSettled(draft, subscription, invoice, transaction);
  else if (status === 'canceled') reactivated(draft, subscription, invoice, transaction);
  else if (status === 'past_due') recover(draft, subscription, invoice, transaction);
  else throw new Error(`A charge of ${subscription.id} settled while it is ${status}.`);
  return draft.done('done', subscription.id, invoice.id);
}

/**
 * Returns true if another invoice of the subscription is in dunning. This is possible if a usage window
 * ended during dunning (BIL-8).
 */
const isOutsideDunning = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
  subscription.status === 'past_due' && subscription.dunningInvoiceId !== invoice.id;

/**
 * Returns true if the customer tried to pay an invoice that was left to them, or that stays due. A decline changes nothing until the
 * due date (INS-24, INS-35).
 */
const isPayersAttempt = (
  { dunningInvoiceId }: SubscriptionRow,
  invoice: InvoiceRow,
  { isPayerRetry }: TransactionRow,
): boolean =>
  isPayerRetry && (invoice.payableUntil !== null || staysDue(invoice)) && dunningInvoiceId !== invoice.id;

/**
 * Handles a charge of an invoice that failed. The caller has marked the transaction as failed. `isUnauthenticated` is true if the
 * issuer requires an authentication while the payer is absent.
 */
export function attemptFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
  reason: Omit<FailureDetails, 'provider'>,
  isUnauthenticated = false,
): Decision {
  const failure: FailureDetails = { ...reason, provider: transaction.provider };
  if (isPayersAttempt(subscription, invoice, transaction)) {
    draft.release(subscription.id);
    return draft.reject(chargeFailed(failure.code, failure.message));
  }
  if (isPurchase(invoice))
    return isConfirmedLater(transaction) && staysDue(invoice)
      ? purchaseUnpaid(draft, subscription, invoice, failure)
      : purchaseFailed(draft, subscription, invoice, failure);
  if (changeOf(invoice) !== null) return changeFailed(draft, subscription, invoice, failure);
  const { status } = subscription;
  if (status === 'canceled' && !isReactivation(subscription, invoice)) {
    // The subscription ended while the bank collected the invoice (INS-37).
    if (isLastInvoice(subscription, invoice))
      draft.emit(paymentFailed(draft.customer, markUncollectible(draft, invoice), failure, null));
    else voidInvoice(draft, invoice);
  } else if (isLastInvoice(subscription, invoice)) lastChargeFailed(draft, subscription, invoice, failure);
  else if (status === 'trialing' && isUnauthenticated) trialUnpaid(draft, subscription, invoice, failure);
  else if (status === 'trialing') trialDeclined(draft, subscription, invoice, failure);
  else if (status === 'active' || isOutsideDunning(subscription, invoice))
    renewalFailed(draft, subscription, invoice, failure);
  else if (status === 'canceled') return draft.reject(chargeFailed(failure.code, failure.message));
  else if (status === 'past_due') return retryDeclined(draft, subscription, invoice, transaction, failure);
  else throw new Error(`A charge of ${subscription.id} failed while it is ${status}.`);
  return draft.done('done', subscription.id, invoice.id);
}

// Rejects the command, so that a manual retry by the merchant fails. An automatic dunning retry completes its
// deadline despite the rejection (BIL-56). A retry by the payer doesn't use up a dunning retry (BIL-42).
function retryDeclined(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
  failure: FailureDetails,
): Decision {
  if (isConfirmedLater(transaction) && !isPush(transaction)) shiftRetries(draft, subscription, transaction);
  if (!transaction.isPayerRetry) attemptDeclined(draft, subscription, invoice, failure.code);
  draft.release(subscription.id);
  return draft.reject(chargeFailed(failure.code, failure.message));
}
