import { specificRejection } from '../../errors/errors.ts';
import type { FailureDetails } from '../../events/payment-events.ts';
import type { ChargeResult } from '../../payments/provider.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import {
  authenticationFailure,
  failTransaction,
  isAtCheckout,
  settleTransaction,
} from '../invoicing/charging.ts';
import { attemptDeclined, recover } from '../lifecycle/dunning.ts';
import { isLastInvoice, lastChargeFailed, lastChargeSettled } from '../lifecycle/last-charge.ts';
import { reactivated } from '../lifecycle/reactivate.ts';
import { renewalFailed, renewalSettled } from '../lifecycle/renewal.ts';
import { trialConverted, trialDeclined, trialUnpaid } from '../lifecycle/trial.ts';
import { checkoutAnswered } from '../payments/checkout.ts';
import { paymentAnswered } from '../payments/payment-attempt.ts';
import { methodAnswered } from '../payments/recovery.ts';
import { refundAnswered } from '../payments/refund.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { changeFailed, changeSettled } from '../plan-change/change-settled.ts';
import { invoiceOf } from '../pricing/lookup.ts';
import { isPurchase, purchaseFailed, purchaseSettled } from '../purchases/purchase.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed } from '../state/rejections.ts';

/** Result of a charge request. `transactionId` is the ID of the request. */
type Input = Timed & {
  readonly transactionId: string;
  readonly result: ChargeResult;
};

/** Records the result of a charge, setup, or refund. Ignores results for an attempt that already has a final result. */
export const chargeResult = customerCommand({
  kind: 'charge.result',
  outlivesCustomer: true,
  needs: ({ transactionId }: Input) => ({ transactions: [transactionId] }),
  decide(draft: Draft, { transactionId, result }: Input): Decision {
    storeReference(draft, transactionId, result);
    for (const subscription of draft.aggregate.subscriptions) {
      const checkout = subscription.pendingCheckout;
      if (checkout?.attemptId !== transactionId) continue;
      const isOfCheckout =
        subscription.status === 'pending_payment' || checkout.changeInvoiceId !== undefined;
      if (isAtCheckout(checkout) && isOfCheckout)
        return checkoutAnswered(draft, subscription, checkout, result);
      const after = methodAnswered(draft, subscription, checkout, result);
      if (checkout.transactionId === null || isWaiting(after)) return after;
    }
    const payment = draft.payments.all().find(({ attempt }) => attempt?.attemptId === transactionId);
    if (payment?.attempt != null) return paymentAnswered(draft, payment, payment.attempt, result);
    const refund = draft.refunds.find(transactionId);
    if (refund !== null) return refundAnswered(draft, refund, result);
    const transaction = draft.transactions.find(transactionId);
    if (transaction === null)
      return draft.reject(
        specificRejection('transaction_not_found', 'not_under_way', { values: { transactionId } }),
      );
    // The payment has a newer attempt, or the attempt was abandoned.
    if (transaction.paymentId !== null) return draft.done('unchanged', null, transaction.invoiceId);
    const subscription =
      transaction.subscriptionId === null ? null : draft.subscriptions.find(transaction.subscriptionId);
    if (subscription === null)
      throw new Error(`The attempt ${transactionId} belongs to no subscription of the aggregate.`);
    if (transaction.status !== 'pending')
      return draft.done('unchanged', subscription.id, transaction.invoiceId);
    if (result.status === 'unknown') return draft.done('unanswered', subscription.id, transaction.invoiceId);
    const invoice = invoiceOf(draft, transaction.invoiceId);
    if (result.status === 'settled') return settled(draft, subscription, invoice, transaction);
    return failed(draft, subscription, invoice, transaction, result);
  },
});

/** Stores the provider's payment ID while the attempt is pending. */
function storeReference(draft: Draft, transactionId: string, result: ChargeResult): void {
  if (result.status === 'unknown' || result.reference === undefined) return;
  const transaction = draft.transactions.find(transactionId);
  if (transaction?.status === 'pending' && transaction.providerReference !== result.reference)
    draft.transactions.patch(transactionId, { providerReference: result.reference });
}

/** Returns true if the charge is waiting for the payer's authentication. */
const isWaiting = ({ outcome }: Decision): boolean =>
  outcome.kind === 'ok' && outcome.status === 'requires_action';

function settled(
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

type Failed = Exclude<ChargeResult, { readonly status: 'settled' | 'unknown' }>;

function failed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
  result: Failed,
): Decision {
  const reason =
    result.status === 'declined'
      ? { code: result.declineCode, message: result.message }
      : authenticationFailure;
  const failure: FailureDetails = { ...reason, provider: transaction.provider };
  failTransaction(draft, transaction, failure.code);
  if (isPurchase(invoice)) return purchaseFailed(draft, subscription, invoice, failure);
  if (changeOf(invoice) !== null) return changeFailed(draft, subscription, invoice, failure);
  const { status } = subscription;
  if (isLastInvoice(subscription, invoice)) lastChargeFailed(draft, subscription, invoice, failure);
  else if (status === 'trialing' && result.status === 'requires_action')
    trialUnpaid(draft, subscription, invoice, failure);
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
  { isPayerRetry }: TransactionRow,
  failure: FailureDetails,
): Decision {
  if (!isPayerRetry) attemptDeclined(draft, subscription, invoice, failure.code);
  draft.release(subscription.id);
  return draft.reject(chargeFailed(failure.code, failure.message));
}
