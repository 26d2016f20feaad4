import { specificRejection } from '../../errors/errors.ts';
import { type AcceptedAttempt, type ChargeResult, isAccepted } from '../../payments/provider.ts';
import { authenticationFailure, failTransaction, isAtCheckout } from '../invoicing/charging.ts';
import { attemptFailed, attemptSettled } from '../payments/attempt-ended.ts';
import { checkoutAnswered } from '../payments/checkout.ts';
import { debitAccepted } from '../payments/debit-attempt.ts';
import { payerInstructed } from '../payments/payer-attempt.ts';
import { paymentAnswered } from '../payments/payment-attempt.ts';
import { methodAnswered } from '../payments/recovery.ts';
import { refundAnswered } from '../payments/refund.ts';
import { invoiceOf } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/** Result of a charge request. `transactionId` is the ID of the request. */
type Input = Timed & {
  readonly transactionId: string;
  readonly result: ChargeResult | AcceptedAttempt;
};

/** Records the result of a charge, setup, or refund. Ignores results for an attempt that already has a final result. */
export const chargeResult = customerCommand({
  kind: 'charge.result',
  outlivesCustomer: true,
  needs: ({ transactionId }: Input) => ({ transactions: [transactionId] }),
  decide(draft: Draft, { transactionId, result }: Input): Decision {
    if (isAccepted(result))
      return result.status === 'awaiting_payer'
        ? payerInstructed(draft, transactionId, result)
        : debitAccepted(draft, transactionId, result);
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
    if (result.status === 'settled') return attemptSettled(draft, subscription, invoice, transaction);
    const failure =
      result.status === 'declined'
        ? { code: result.declineCode, message: result.message }
        : authenticationFailure;
    failTransaction(draft, transaction, failure.code);
    const isUnauthenticated = result.status === 'requires_action';
    return attemptFailed(draft, subscription, invoice, transaction, failure, isUnauthenticated);
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
