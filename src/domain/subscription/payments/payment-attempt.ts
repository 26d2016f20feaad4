// Attempts to charge one-time payments, and the effects of the results (PAY-4, PAY-7 … PAY-9).

import { invoiceEvent, paymentReceived } from '../../events/payment-events.ts';
import { paymentLinkCompleted, paymentLinkFailed } from '../../events/payment-link-data.ts';
import { issueOneTime } from '../../invoicing/one-time.ts';
import { defaultInstrument } from '../../payments/instruments/registry.ts';
import { isCharged } from '../../payments/payment.ts';
import type { ChargeResult } from '../../payments/provider.ts';
import type { PaymentAttempt, PaymentRow } from '../../rows/payment-rows.ts';
import type { InvoiceRow, MethodDetails, PaymentMethodRow, TransactionRow } from '../../rows/rows.ts';
import {
  authenticationFailure,
  failTransaction,
  pendingTransaction,
  settleTransaction,
} from '../invoicing/charging.ts';
import { addInvoice } from '../invoicing/open-invoice.ts';
import { isPush, pushTerms } from '../invoicing/push-terms.ts';
import { payInvoice } from '../invoicing/settling.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { keepBillingDetails } from './checkout.ts';
import { isCodeCheckedAtSetup, savedMethodGone, wrongCodesAfter } from './saved-method.ts';

export type Requested = Pick<
  PaymentAttempt,
  'savesMethod' | 'billingAddress' | 'taxDocument' | 'companyName' | 'tax'
> & {
  /**
   * Saved payment methods are charged off session unless the payer enters the security code. All other payment
   * methods are charged while the payer is present.
   */
  readonly method: MethodDetails | PaymentMethodRow;
  readonly securityCode?: string | undefined;
};

/**
 * Requests a charge from the provider, or only the verification of the payment method if the amount is too
 * small to charge.
 */
export function ask(
  draft: Draft,
  payment: PaymentRow,
  { method, securityCode, ...typed }: Requested,
): Decision {
  const stored = 'id' in method ? method : null;
  const isAbsent = stored !== null && securityCode === undefined;
  const isDue = isCharged(payment);
  if (!isDue && securityCode !== undefined && !isCodeCheckedAtSetup(method))
    return draft.reject(savedMethodGone);
  const transaction = isDue ? addTransaction(draft, payment, method) : null;
  const attemptId = transaction?.id ?? draft.newId('txn');
  const attempt: PaymentAttempt = {
    attemptId,
    transactionId: transaction?.id ?? null,
    method: stored === null ? method : null,
    ...typed,
  };
  const requested = draft.payments.patch(payment.id, {
    status: 'processing',
    attempt,
    failureCode: null,
    failureMessage: null,
    updatedAt: draft.now,
  });
  if (!isDue && isAbsent) return complete(draft, requested, attempt);
  const push = transaction === null ? null : pushTerms(draft, transaction, null);
  draft.charges.push({
    transactionId: attemptId,
    customerId: draft.customer.id,
    subscriptionId: null,
    invoiceId: null,
    kind: isDue ? 'charge' : 'setup',
    provider: method.provider,
    methodReference: method.reference,
    amountMinor: transaction?.amountMinor ?? 0n,
    currency: requested.currency,
    isFirst: !isAbsent,
    ...(stored === null && !typed.savesMethod ? { isOneOff: true } : {}),
    ...(securityCode === undefined ? {} : { securityCode }),
    ...(push === null ? {} : { push }),
  });
  return draft.done('charging', null);
}

const addTransaction = (
  draft: Draft,
  payment: PaymentRow,
  method: MethodDetails | PaymentMethodRow,
): TransactionRow =>
  draft.transactions.add(
    pendingTransaction(draft, method, {
      customerId: draft.customer.id,
      subscriptionId: null,
      invoiceId: null,
      paymentId: payment.id,
      isPayerRetry: false,
      currency: payment.currency,
      total: payment.totalMinor,
      taxAmount: payment.taxMinor,
    }),
  );

/** Records the provider's result for the pending attempt. */
export function paymentAnswered(
  draft: Draft,
  payment: PaymentRow,
  attempt: PaymentAttempt,
  result: ChargeResult,
): Decision {
  if (result.status === 'settled') return complete(draft, payment, attempt);
  if (result.status === 'unknown') return draft.done('unanswered', null);
  if (result.status === 'declined')
    return declined(draft, payment, attempt, { code: result.declineCode, message: result.message });
  if (payment.kind === 'charge') return declined(draft, payment, attempt, authenticationFailure);
  draft.payments.patch(payment.id, { status: 'requires_action', updatedAt: draft.now });
  return draft.done('requires_action', null);
}

/** Applies a report about a payment that the payer started. After a failure, the link can be paid again. */
export function paymentReported(draft: Draft, paymentId: string, transaction: TransactionRow): void {
  const payment = draft.payments.get(paymentId);
  const { attempt } = payment;
  if (attempt === null || attempt.transactionId !== transaction.id) return;
  const { stage } = transaction;
  if (stage === 'settled') complete(draft, payment, attempt);
  else if (stage === 'processing')
    draft.payments.patch(paymentId, { status: 'processing', updatedAt: draft.now });
  else {
    const code = transaction.reports?.at(-1)?.code ?? stage;
    declined(draft, payment, attempt, { code, message: `The payment wasn't made (${code}).` });
    draft.transactions.patch(transaction.id, { stage });
  }
}

/**
 * Handles a decline. The payer can retry on a payment link. A charge to a stored payment method fails if authentication
 * is required, because the payer is absent (PAY-7).
 */
function declined(
  draft: Draft,
  payment: PaymentRow,
  { transactionId, method }: PaymentAttempt,
  failure: { readonly code: string; readonly message: string },
): Decision {
  const transaction = transactionId === null ? null : draft.transactions.find(transactionId);
  if (transaction !== null) failTransaction(draft, transaction, failure.code);
  const wantsAction = failure === authenticationFailure;
  const failed = draft.payments.patch(payment.id, {
    status: wantsAction ? 'requires_action' : 'failed',
    attempt: null,
    failureCode: failure.code,
    failureMessage: failure.message,
    wrongCodes: wrongCodesAfter(payment.wrongCodes, failure.code, method === null),
    updatedAt: draft.now,
  });
  if (failed.kind === 'link') draft.emit(paymentLinkFailed(failed, draft.customer, failure));
  const reason = wantsAction ? { reason: 'requires_action' } : {};
  return draft.reject({
    code: 'payment_failed',
    message: failure.message,
    details: { ...reason, declineCode: failure.code, paymentId: failed.id },
  });
}

/**
 * Completes a payment: saves the entered payment method if the payer agreed, and issues the paid invoice
 * (PAY-1, PAY-8).
 */
function complete(draft: Draft, payment: PaymentRow, attempt: PaymentAttempt): Decision {
  const { transactionId } = attempt;
  const pending = transactionId === null ? null : draft.transactions.find(transactionId);
  keepBillingDetails(draft, attempt);
  const methodId =
    attempt.method === null || isPush(attempt.method)
      ? (pending?.paymentMethodId ?? null)
      : recordMethod(draft, attempt.method, attempt.savesMethod).id;
  const issued = addInvoice(draft, ...documentOf(draft, payment, attempt));
  const documented = pending === null ? null : draft.transactions.patch(pending.id, { invoiceId: issued.id });
  const transaction = documented === null ? null : settleTransaction(draft, documented, methodId);
  const invoice = payInvoice(draft, issued, transaction);
  const row = draft.payments.patch(payment.id, {
    customerId: draft.customer.id,
    status: 'succeeded',
    cardSavedAt: attempt.savesMethod && methodId !== null ? draft.now : null,
    attempt: null,
    invoiceId: invoice.id,
    updatedAt: draft.now,
  });
  announce(draft, row, invoice, transaction);
  return draft.done('done', null, invoice.id);
}

function documentOf(draft: Draft, payment: PaymentRow, { tax }: PaymentAttempt) {
  const { currency, description, metadata, subtotalMinor: amountMinor } = payment;
  const details = {
    customerId: draft.customer.id,
    currency,
    description,
    amountMinor,
    metadata: metadata ?? {},
    tax,
  };
  const { invoice, lines } = issueOneTime(details, draft.now, draft.newId);
  return [invoice, lines] as const;
}

function announce(
  draft: Draft,
  payment: PaymentRow,
  invoice: InvoiceRow,
  transaction: TransactionRow | null,
): void {
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  if (transaction !== null) draft.emit(paymentReceived(draft.customer, invoice, transaction));
  if (payment.kind === 'link')
    draft.emit(paymentLinkCompleted(payment, draft.customer, invoice, transaction));
}

/**
 * Records a payment method that was entered for a payment link. If the payer doesn't want to save the payment method,
 * it's recorded as removed. Refunds still work, but the payment method can't be charged again and is deleted at the
 * provider (PAY-8, PAY-34). Emits no event because the payment method belongs to no subscription (PAY-33).
 */
const recordMethod = (
  draft: Draft,
  { mandateText: _text, ...method }: MethodDetails,
  isSaved: boolean,
): PaymentMethodRow =>
  draft.paymentMethods.add({
    ...method,
    instrument: method.instrument ?? defaultInstrument,
    id: draft.newId('pm'),
    seq: null,
    customerId: draft.customer.id,
    createdAt: draft.now,
    removedAt: isSaved ? null : draft.now,
  });
