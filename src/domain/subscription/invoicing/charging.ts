// Payment attempts. Each attempt has one transaction, which is pending until the provider responds (BIL-33).

import { specificRejection } from '../../errors/errors.ts';
import type { FailureDetails } from '../../events/payment-events.ts';
import { chargeOf } from '../../invoicing/credit-note.ts';
import { chargeableBy } from '../../payments/amount-step.ts';
import { defaultInstrument } from '../../payments/instruments/registry.ts';
import type { ChargeResult } from '../../payments/provider.ts';
import type {
  InvoiceRow,
  MethodDetails,
  PaymentMethodRow,
  PendingCheckout,
  SubscriptionRow,
  TransactionRow,
} from '../../rows/rows.ts';
import { isAwaitingPayer } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { cancelAwaited, replaceAwaited } from './awaited.ts';
import { debitTerms } from './debit-terms.ts';
import { pushTerms } from './push-terms.ts';
import { settlementOf, unsettled } from './settlement.ts';

export const noMethodFailure: Omit<FailureDetails, 'provider'> = specificRejection(
  'no_payment_method',
  'none_stored',
);
export const authenticationFailure: Omit<FailureDetails, 'provider'> = {
  code: 'authentication_required',
  message: 'The card issuer requires the cardholder to authenticate the payment.',
};

/** Result of an attempt whose authentication failed. */
export const notPassed: ChargeResult = {
  status: 'declined',
  declineCode: 'authentication_failed',
  message: 'The card authentication failed. Try again, or use another card.',
};

type AttemptDetails = Pick<
  TransactionRow,
  'customerId' | 'subscriptionId' | 'invoiceId' | 'paymentId' | 'currency' | 'isPayerRetry'
> &
  Pick<InvoiceRow, 'total' | 'taxAmount'>;

/** Returns a new pending transaction for a payment attempt. */
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
  stage: 'requested',
  instrument: method.instrument ?? defaultInstrument,
  amountMinor: chargeableBy(method.provider, about.currency, total),
  taxMinor: taxAmount,
  ...unsettled({ currency: about.currency, total, taxAmount }),
  declineCode: null,
  providerReference: null,
  paidAt: null,
  availableAt: null,
  disputedAt: null,
  disputeReason: null,
  disputeOutcome: null,
  collectionOn: null,
  expectedOn: null,
  latestOn: null,
  returnedAt: null,
  reports: null,
  expiresAt: null,
  instructions: null,
  receiptId: null,
  createdAt: draft.now,
  updatedAt: draft.now,
});

/**
 * Presence of the payer: whether they requested the charge, and whether they just entered the payment method
 * or the security code of a saved card.
 */
export type Presence = {
  readonly isPayerRetry?: boolean;
  readonly isPresent?: boolean;
  readonly securityCode?: string | undefined;
};

/** Requests the charge of an invoice. Writes the pending transaction and the provider request. */
export function requestCharge(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  method: MethodDetails | PaymentMethodRow,
  isFirst: boolean,
  { isPayerRetry = false, isPresent = false, securityCode }: Presence = {},
): TransactionRow {
  const { customerId, currency } = invoice;
  const { total, taxAmount } = chargeOf(invoice);
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
  replaceAwaited(draft, invoice.id, transaction.id);
  const push = pushTerms(draft, transaction, invoice);
  const debit = push === null ? debitTerms(draft, transaction, isFirst || isPresent) : null;
  draft.charges.push({
    transactionId: transaction.id,
    customerId: transaction.customerId,
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    kind: 'charge',
    provider: method.provider,
    methodReference: method.reference,
    amountMinor: transaction.amountMinor,
    currency: invoice.currency,
    isFirst,
    ...(isPresent ? { isPresent } : {}),
    ...(securityCode === undefined ? {} : { securityCode }),
    ...(debit === null ? {} : { debit }),
    ...(push === null ? {} : { push }),
  });
  return transaction;
}

/**
 * Requests the setup of a payment method without a charge. Returns the ID of the attempt, which has no
 * transaction.
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

/** Marks a transaction as settled now, with its US dollar value and the platform fee. */
export const settleTransaction = (
  draft: Draft,
  transaction: TransactionRow,
  paymentMethodId: string | null,
): TransactionRow =>
  draft.transactions.patch(transaction.id, {
    ...settlementOf(draft, transaction),
    paymentMethodId,
    status: 'succeeded',
    stage: 'settled',
    paidAt: draft.now,
    updatedAt: draft.now,
  });

export const failTransaction = (
  draft: Draft,
  transaction: TransactionRow,
  declineCode: string,
  stage: 'declined' | 'expired' | 'canceled' = 'declined',
): TransactionRow =>
  draft.transactions.patch(transaction.id, { status: 'failed', stage, declineCode, updatedAt: draft.now });

/** Records that an attempt waits for the payer's authentication. Does nothing for a setup, which has no transaction. */
export function awaitPayer(draft: Draft, transactionId: string | null): void {
  if (transactionId !== null) draft.transactions.patch(transactionId, { stage: 'awaiting_payer' });
}

/** Abandons a pending authentication. Does nothing if there is no pending authentication. */
export function abandonAuthentication(draft: Draft, checkout: PendingCheckout | null): void {
  const transaction =
    checkout?.transactionId == null ? null : draft.transactions.find(checkout.transactionId);
  if (transaction?.status !== 'pending') return;
  if (isAwaitingPayer(transaction)) cancelAwaited(draft, transaction);
  else failTransaction(draft, transaction, 'authentication_abandoned', 'canceled');
}

/**
 * Returns true if the attempt was made at a checkout. False for pages that store a card or pay an outstanding
 * invoice.
 */
export const isAtCheckout = ({ cardFor }: PendingCheckout): boolean => cardFor === undefined;

/**
 * Returns the open authentication for paying an outstanding invoice outside a checkout. `null` if no
 * authentication is open.
 */
export const owedAuthentication = ({
  pendingCheckout,
}: Pick<SubscriptionRow, 'pendingCheckout'>): PendingCheckout | null =>
  pendingCheckout?.state === 'requires_action' && pendingCheckout.cardFor === 'paying'
    ? pendingCheckout
    : null;

/**
 * Returns true if Quittance simulates the authentication, which it does for test cards in the sandbox.
 * Providers run all other authentications.
 */
const isSimulatedAuthentication = (draft: Draft, { method }: PendingCheckout): boolean =>
  method.provider === 'platform' && !draft.aggregate.environment.livemode;

/**
 * Abandons an open authentication, so that the subscription can be charged. Returns `null` if the
 * authentication could still lead to a payment at the provider.
 */
export function withoutAuthentication(draft: Draft, subscription: SubscriptionRow): SubscriptionRow | null {
  const owed = owedAuthentication(subscription);
  if (owed === null) return subscription;
  if (!isSimulatedAuthentication(draft, owed)) return null;
  abandonAuthentication(draft, owed);
  return draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
}
