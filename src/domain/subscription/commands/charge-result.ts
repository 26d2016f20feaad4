import { specificRejection } from '../../errors.ts';
import type { FailureDetails } from '../../payment-events.ts';
import type { ChargeResult } from '../../provider.ts';
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
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../state/rows.ts';

/** The answer to a charge request; `transactionId` is that of the request. */
type Input = Timed & {
  readonly transactionId: string;
  readonly result: ChargeResult;
};

/** Takes the answer to a charge, set-up or refund. An attempt that is answered already stays as it is. */
export const chargeResult = customerCommand({
  kind: 'charge.result',
  outlivesCustomer: true,
  needs: ({ transactionId }: Input) => ({ transactions: [transactionId] }),
  decide(draft: Draft, { transactionId, result }: Input): Decision {
    noteReference(draft, transactionId, result);
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
    // The payer has tried again or given up since.
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

/** Keeps what the provider calls the payment of an attempt that was not answered before. */
function noteReference(draft: Draft, transactionId: string, result: ChargeResult): void {
  if (result.status === 'unknown' || result.reference === undefined) return;
  const transaction = draft.transactions.find(transactionId);
  if (transaction?.status === 'pending' && transaction.providerReference !== result.reference)
    draft.transactions.patch(transactionId, { providerReference: result.reference });
}

/** Whether the payer must authenticate first. */
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
  else if (status === 'active' || isAside(subscription, invoice))
    renewalSettled(draft, subscription, invoice, transaction);
  else if (status === 'canceled') reactivated(draft, subscription, invoice, transaction);
  else if (status === 'past_due') recover(draft, subscription, invoice, transaction);
  else throw new Error(`A charge of ${subscription.id} settled while it is ${status}.`);
  return draft.done('done', subscription.id, invoice.id);
}

/** Whether a charge is of another invoice than the one in dunning: a window ended meanwhile (BIL-8). */
const isAside = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
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
  else if (status === 'active' || isAside(subscription, invoice))
    renewalFailed(draft, subscription, invoice, failure);
  else if (status === 'canceled') return draft.reject(chargeFailed(failure.code, failure.message));
  else if (status === 'past_due') return retryDeclined(draft, subscription, invoice, transaction, failure);
  else throw new Error(`A charge of ${subscription.id} failed while it is ${status}.`);
  return draft.done('done', subscription.id, invoice.id);
}

// A retry the merchant asks for is rejected. A dunning slot is a completed item either way (BIL-56). A
// payer's attempt uses up no slot (BIL-42).
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
