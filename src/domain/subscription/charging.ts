// Attempts to collect: each is one transaction, pending until its answer (BIL-33, protocols D1).
import type { FailureFacts } from '../payment-events.ts';
import type { InvoiceRow, MethodFacts, PaymentMethodRow, PendingCheckout, SubscriptionRow, TransactionRow } from './rows.ts';
import { settlementOf, unsettled } from './settlement.ts';
import type { Work } from './work.ts';

/** Why an off-session charge could not be asked for, or what asking for it needs from the payer. */
export const noMethodFailure: Omit<FailureFacts, 'provider'> = { code: 'no_payment_method', message: 'No payment method is stored.' };
export const authenticationFailure: Omit<FailureFacts, 'provider'> = {
  code: 'authentication_required',
  message: 'The issuer asks the cardholder to authenticate.',
};

type AttemptFacts = Pick<TransactionRow, 'customerId' | 'subscriptionId' | 'invoiceId' | 'paymentId' | 'currency'> &
  Pick<InvoiceRow, 'total' | 'taxAmount'>;

/** An attempt that has just been asked for. */
export const pendingTransaction = (
  work: Work,
  method: MethodFacts | PaymentMethodRow,
  { total, taxAmount, ...about }: AttemptFacts,
): TransactionRow => ({
  id: work.newId('txn'),
  seq: null,
  ...about,
  paymentMethodId: 'id' in method ? method.id : null,
  provider: method.provider,
  status: 'pending',
  amountMinor: total,
  taxMinor: taxAmount,
  ...unsettled({ currency: about.currency, total, taxAmount }),
  declineCode: null,
  paidAt: null,
  availableAt: null,
  disputedAt: null,
  disputeReason: null,
  disputeOutcome: null,
  createdAt: work.now,
  updatedAt: work.now,
});

/** Asks the gateway to charge an invoice: writes the pending transaction and the request. */
export function requestCharge(
  work: Work,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  method: MethodFacts | PaymentMethodRow,
  isFirst: boolean,
): TransactionRow {
  const { customerId, currency, total, taxAmount } = invoice;
  const about = { customerId, subscriptionId: subscription.id, invoiceId: invoice.id, paymentId: null, currency, total, taxAmount };
  const transaction = work.transactions.add(pendingTransaction(work, method, about));
  work.charges.push({
    transactionId: transaction.id,
    customerId: transaction.customerId,
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    kind: 'charge',
    provider: method.provider,
    methodReference: method.reference,
    amountMinor: invoice.total,
    currency: invoice.currency,
    isFirst,
  });
  return transaction;
}

/** Asks the gateway to store and verify a method without charging it; answers the id of the attempt, which has no transaction. */
export function requestSetup(work: Work, subscription: SubscriptionRow, method: MethodFacts): string {
  const transactionId = work.newId('txn');
  work.charges.push({
    transactionId,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    invoiceId: null,
    kind: 'setup',
    provider: method.provider,
    methodReference: method.reference,
    amountMinor: 0n,
    currency: subscription.currency,
    isFirst: true,
  });
  return transactionId;
}

/** Records that an attempt settled now, with what it is worth and what the platform keeps of it. */
export const settleTransaction = (work: Work, transaction: TransactionRow, paymentMethodId: string | null): TransactionRow =>
  work.transactions.put({
    ...transaction,
    ...settlementOf(work, transaction),
    paymentMethodId,
    status: 'succeeded',
    paidAt: work.now,
    updatedAt: work.now,
  });

/** Records that an attempt failed now. */
export const failTransaction = (work: Work, transaction: TransactionRow, declineCode: string): TransactionRow =>
  work.transactions.put({ ...transaction, status: 'failed', declineCode, updatedAt: work.now });

/** Gives up an authentication the payer still owes at an open checkout. */
export function abandonAuthentication(work: Work, checkout: PendingCheckout | null): void {
  const transaction = checkout?.transactionId == null ? null : work.transactions.find(checkout.transactionId);
  if (transaction?.status === 'pending') failTransaction(work, transaction, 'authentication_abandoned');
}
