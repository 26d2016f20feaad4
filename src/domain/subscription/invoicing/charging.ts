// Attempts to collect: each is one transaction, pending until its answer (BIL-33).

import { specificRejection } from '../../errors.ts';
import type { FailureDetails } from '../../payment-events.ts';
import type { ChargeResult } from '../../provider.ts';
import type { Draft } from '../state/draft.ts';
import type {
  InvoiceRow,
  MethodDetails,
  PaymentMethodRow,
  PendingCheckout,
  SubscriptionRow,
  TransactionRow,
} from '../state/rows.ts';
import { settlementOf, unsettled } from './settlement.ts';

/** The failure of a charge without a stored method. */
export const noMethodFailure: Omit<FailureDetails, 'provider'> = specificRejection(
  'no_payment_method',
  'none_stored',
);
export const authenticationFailure: Omit<FailureDetails, 'provider'> = {
  code: 'authentication_required',
  message: 'The issuer asks the cardholder to authenticate.',
};

/** The result of an attempt whose payer did not pass the authentication. */
export const notPassed: ChargeResult = {
  status: 'declined',
  declineCode: 'authentication_failed',
  message: 'The authentication failed.',
};

type AttemptDetails = Pick<
  TransactionRow,
  'customerId' | 'subscriptionId' | 'invoiceId' | 'paymentId' | 'currency' | 'isPayerRetry'
> &
  Pick<InvoiceRow, 'total' | 'taxAmount'>;

/** An attempt that has just been asked for. */
export const pendingTransaction = (
  draft: Draft,
  method: MethodDetails | PaymentMethodRow,
  { total, taxAmount, ...about }: AttemptDetails,
): TransactionRow => ({
  id: draft.newId('txn'),
  seq: null,
  ...about,
  paymentMethodId: 'id' in method ? method.id : null,
  provider: method.provider,
  status: 'pending',
  amountMinor: total,
  taxMinor: taxAmount,
  ...unsettled({ currency: about.currency, total, taxAmount }),
  declineCode: null,
  providerReference: null,
  paidAt: null,
  availableAt: null,
  disputedAt: null,
  disputeReason: null,
  disputeOutcome: null,
  createdAt: draft.now,
  updatedAt: draft.now,
});

/** Whether a payer asks for the charge, and whether by a method typed in just now, or by the code of a stored one. */
export type Presence = {
  readonly isPayerRetry?: boolean;
  readonly isPresent?: boolean;
  readonly securityCode?: string | undefined;
};

/** Asks the gateway to charge an invoice: writes the pending transaction and the request. */
export function requestCharge(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  method: MethodDetails | PaymentMethodRow,
  isFirst: boolean,
  { isPayerRetry = false, isPresent = false, securityCode }: Presence = {},
): TransactionRow {
  const { customerId, currency, total, taxAmount } = invoice;
  const about = {
    customerId,
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    paymentId: null,
    isPayerRetry,
  };
  const transaction = draft.transactions.add(
    pendingTransaction(draft, method, { ...about, currency, total, taxAmount }),
  );
  draft.charges.push({
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
    ...(isPresent ? { isPresent } : {}),
    ...(securityCode === undefined ? {} : { securityCode }),
  });
  return transaction;
}

/**
 * Asks the gateway to store and verify a method without charging it; returns the id of the attempt, which has
 * no transaction.
 */
export function requestSetup(
  draft: Draft,
  subscription: SubscriptionRow,
  method: MethodDetails,
  securityCode?: string,
): string {
  const transactionId = draft.newId('txn');
  draft.charges.push({
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
    ...(securityCode === undefined ? {} : { securityCode }),
  });
  return transactionId;
}

/** Records that an attempt settled now, with what it is worth and what the platform keeps of it. */
export const settleTransaction = (
  draft: Draft,
  transaction: TransactionRow,
  paymentMethodId: string | null,
): TransactionRow =>
  draft.transactions.patch(transaction.id, {
    ...settlementOf(draft, transaction),
    paymentMethodId,
    status: 'succeeded',
    paidAt: draft.now,
    updatedAt: draft.now,
  });

/** Records that an attempt failed now. */
export const failTransaction = (
  draft: Draft,
  transaction: TransactionRow,
  declineCode: string,
): TransactionRow =>
  draft.transactions.patch(transaction.id, { status: 'failed', declineCode, updatedAt: draft.now });

/** Abandons an authentication the payer has not passed. */
export function abandonAuthentication(draft: Draft, checkout: PendingCheckout | null): void {
  const transaction =
    checkout?.transactionId == null ? null : draft.transactions.find(checkout.transactionId);
  if (transaction?.status === 'pending') failTransaction(draft, transaction, 'authentication_abandoned');
}

/** Whether an attempt belongs to a checkout, not to a page that only stores a card or pays what is owed. */
export const isAtCheckout = ({ cardFor }: PendingCheckout): boolean => cardFor === undefined;

/**
 * The authentication a payer owes outside a checkout before what a subscription owes is paid; null without
 * one.
 */
export const owedAuthentication = ({
  pendingCheckout,
}: Pick<SubscriptionRow, 'pendingCheckout'>): PendingCheckout | null =>
  pendingCheckout?.state === 'requires_action' && pendingCheckout.cardFor === 'paying'
    ? pendingCheckout
    : null;

/**
 * Whether Quittance itself ends an authentication: test cards of the sandbox are authenticated here, not at a
 * processor.
 */
const isOurs = (draft: Draft, { method }: PendingCheckout): boolean =>
  method.provider === 'platform' && !draft.aggregate.environment.livemode;

/**
 * The subscription without an open authentication, so that it can be charged. Null while a processor could
 * still take the money of that authentication.
 */
export function withoutAuthentication(draft: Draft, subscription: SubscriptionRow): SubscriptionRow | null {
  const owed = owedAuthentication(subscription);
  if (owed === null) return subscription;
  if (!isOurs(draft, owed)) return null;
  abandonAuthentication(draft, owed);
  return draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
}
