import type { Decision, RetryTransactionCommand } from './aggregate.ts';
import { attempt } from './dunning.ts';
import { isCharging, methodOf } from './lookup.ts';
import { chargeInProgress, noPaymentMethod, statusRefusal, transactionNotFound } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/**
 * Charges the invoice in dunning by hand; a decline uses up the next slot and is refused with `charge_failed` (SUB-30, BIL-42). Without a
 * stored method nothing is tried: `no_payment_method`.
 */
export function retry(work: Work, subscription: SubscriptionRow): Decision {
  const refusal = statusRefusal('retry', subscription);
  if (refusal !== null) return work.refuse(refusal);
  if (isCharging(work, subscription)) return work.refuse(chargeInProgress);
  if (methodOf(work, subscription) === null) return work.refuse(noPaymentMethod);
  return attempt(work, subscription);
}

/**
 * Charges the invoice behind a failed attempt once more, as a retry by hand; the failed attempt stays as it is (PAY-31). Refused with
 * `no_outstanding_invoice` unless that is the invoice in dunning of its subscription, and with the codes of `retry`.
 */
export function retryTransaction(work: Work, { transactionId }: RetryTransactionCommand): Decision {
  const transaction = work.transactions.find(transactionId);
  if (transaction === null) return work.refuse(transactionNotFound);
  const subscription = transaction.subscriptionId === null ? null : work.subscriptions.find(transaction.subscriptionId);
  if (subscription !== null && isCharging(work, subscription)) return work.refuse(chargeInProgress);
  const isInDunning = subscription?.status === 'past_due' && subscription.dunningInvoiceId === transaction.invoiceId;
  if (!isInDunning || transaction.status !== 'failed') {
    return work.refuse({
      code: 'no_outstanding_invoice',
      message: 'No failed charge of an outstanding invoice is behind the transaction.',
    });
  }
  return retry(work, subscription);
}
