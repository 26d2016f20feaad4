// What the answer to a charge means depends on where the subscription stands: at its checkout, at a trial's end, in force, or in dunning.

import type { ChargeResult } from '../gateway.ts';
import type { FailureFacts } from '../payment-events.ts';
import type { ChargeResultCommand, Decision } from './aggregate.ts';
import { changeOf } from './change-amounts.ts';
import { changeFailed, changeSettled } from './change-settled.ts';
import { authenticationFailure, failTransaction, settleTransaction } from './charging.ts';
import { checkoutAnswered } from './checkout.ts';
import { renewalFailed, renewalSettled } from './cycle.ts';
import { attemptDeclined, recover } from './dunning.ts';
import { isLastInvoice, lastChargeFailed, lastChargeSettled } from './last-charge.ts';
import { invoiceOf } from './lookup.ts';
import { paymentAnswered } from './payment-attempt.ts';
import { isPurchase, purchaseFailed, purchaseSettled } from './purchase.ts';
import { reactivated } from './reactivate.ts';
import { methodAnswered } from './recovery.ts';
import { refundAnswered } from './refund.ts';
import { chargeFailed } from './refusals.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { trialConverted, trialDeclined, trialUnpaid } from './trial.ts';
import type { Work } from './work.ts';

/** Takes the answer to a charge, set-up or refund. An attempt that is answered already stays as it is. */
export function chargeAnswered(work: Work, { transactionId, result }: ChargeResultCommand): Decision {
  for (const subscription of work.aggregate.subscriptions) {
    const checkout = subscription.pendingCheckout;
    if (checkout?.attemptId !== transactionId) continue;
    if (subscription.status === 'pending_payment' || checkout.changeInvoiceId !== undefined)
      return checkoutAnswered(work, subscription, checkout, result);
    const after = methodAnswered(work, subscription, checkout, result);
    if (checkout.transactionId === null) return after;
  }
  const payment = work.payments.all().find(({ attempt }) => attempt?.attemptId === transactionId);
  if (payment?.attempt != null) return paymentAnswered(work, payment, payment.attempt, result);
  const refund = work.refunds.find(transactionId);
  if (refund !== null) return refundAnswered(work, refund, result);
  const transaction = work.transactions.find(transactionId);
  if (transaction === null) return work.refuse({ code: 'transaction_not_found', message: `No attempt ${transactionId} is under way.` });
  // The payer has tried again since, or given up.
  if (transaction.paymentId !== null) return work.done('unchanged', null, transaction.invoiceId);
  const subscription = transaction.subscriptionId === null ? null : work.subscriptions.find(transaction.subscriptionId);
  if (subscription === null) throw new Error(`The attempt ${transactionId} belongs to no subscription of the aggregate.`);
  if (transaction.status !== 'pending') return work.done('unchanged', subscription.id, transaction.invoiceId);
  if (result.status === 'unknown') return work.done('unanswered', subscription.id, transaction.invoiceId);
  const invoice = invoiceOf(work, transaction.invoiceId);
  if (result.status === 'settled') return settled(work, subscription, invoice, transaction);
  return failed(work, subscription, invoice, transaction, result);
}

function settled(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, pending: TransactionRow): Decision {
  const transaction = settleTransaction(work, pending, pending.paymentMethodId);
  const { status } = subscription;
  if (isPurchase(invoice)) purchaseSettled(work, subscription, invoice, transaction);
  else if (changeOf(invoice) !== null) changeSettled(work, subscription, invoice, { by: transaction, isInvoiceTold: true });
  else if (isLastInvoice(subscription, invoice)) lastChargeSettled(work, subscription, invoice, transaction);
  else if (status === 'trialing') trialConverted(work, subscription, invoice, transaction);
  else if (status === 'active' || isAside(subscription, invoice)) renewalSettled(work, subscription, invoice, transaction);
  else if (status === 'canceled') reactivated(work, subscription, invoice, transaction);
  else if (status === 'past_due') recover(work, subscription, invoice, transaction);
  else throw new Error(`A charge of ${subscription.id} settled while it is ${status}.`);
  return work.done('done', subscription.id, invoice.id);
}

/** Whether a charge is not the one dunning goes on about: a window ended meanwhile (BIL-8). */
const isAside = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
  subscription.status === 'past_due' && subscription.dunningInvoiceId !== invoice.id;

type Failed = Exclude<ChargeResult, { readonly status: 'settled' | 'unknown' }>;

function failed(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, transaction: TransactionRow, result: Failed): Decision {
  const reason = result.status === 'declined' ? { code: result.declineCode, message: result.message } : authenticationFailure;
  const failure: FailureFacts = { ...reason, provider: transaction.provider };
  failTransaction(work, transaction, failure.code);
  if (isPurchase(invoice)) return purchaseFailed(work, subscription, invoice, failure);
  if (changeOf(invoice) !== null) return changeFailed(work, subscription, invoice, failure);
  const { status } = subscription;
  if (isLastInvoice(subscription, invoice)) lastChargeFailed(work, subscription, invoice, failure);
  else if (status === 'trialing' && result.status === 'requires_action') trialUnpaid(work, subscription, invoice, failure);
  else if (status === 'trialing') trialDeclined(work, subscription, invoice, failure);
  else if (status === 'active' || isAside(subscription, invoice)) renewalFailed(work, subscription, invoice, failure);
  else if (status === 'canceled') return work.refuse(chargeFailed(failure.code, failure.message));
  else if (status === 'past_due') return retryDeclined(work, subscription, invoice, failure);
  else throw new Error(`A charge of ${subscription.id} failed while it is ${status}.`);
  return work.done('done', subscription.id, invoice.id);
}

// The door of a retry by hand throws the refusal; a slot of the calendar has ended as an item in either case (BIL-56).
function retryDeclined(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): Decision {
  attemptDeclined(work, subscription, invoice, failure.code);
  work.release(subscription.id);
  return work.refuse(chargeFailed(failure.code, failure.message));
}
