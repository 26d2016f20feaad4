// An attempt at a one-time payment, and what the gateway's answer makes of it (PAY-4, PAY-7 … PAY-9).

import { type ChargeResult, minimumChargeUsdMinor } from '../gateway.ts';
import { issueOneTime } from '../invoice/one-time.ts';
import { paymentLinkCompleted, paymentLinkFailed } from '../payment/event-data.ts';
import type { PaymentAttempt, PaymentRow } from '../payment/rows.ts';
import { invoiceEvent, paymentReceived } from '../payment-events.ts';
import type { Decision } from './aggregate.ts';
import { authenticationFailure, failTransaction, pendingTransaction, settleTransaction } from './charging.ts';
import { keepBillingFacts } from './checkout.ts';
import { addInvoice, payInvoice } from './invoicing.ts';
import type { InvoiceRow, MethodFacts, PaymentMethodRow, TransactionRow } from './rows.ts';
import type { Work } from './work.ts';

/** What an attempt is made with. */
export type Asked = Pick<PaymentAttempt, 'billingAddress' | 'taxDocument' | 'tax'> & {
  /** A stored method is charged in the payer's absence, one typed in while the payer is there. */
  readonly method: MethodFacts | PaymentMethodRow;
};

/** Whether a total is too small to be charged (BIL-35): without a plan there is no exchange rate, so only US dollars are known to be. */
const isTooSmall = ({ totalMinor, currency }: PaymentRow): boolean => currency === 'usd' && totalMinor < minimumChargeUsdMinor;

/** Asks the gateway for the payment: to charge it, or only to verify the method where too little is due. */
export function ask(work: Work, payment: PaymentRow, { method, ...typed }: Asked): Decision {
  const stored = 'id' in method ? method : null;
  const isCharged = !isTooSmall(payment);
  const transaction = isCharged ? addTransaction(work, payment, method) : null;
  const attemptId = transaction?.id ?? work.newId('txn');
  const attempt: PaymentAttempt = { attemptId, transactionId: transaction?.id ?? null, method: stored === null ? method : null, ...typed };
  const asked = work.payments.put({
    ...payment,
    status: 'processing',
    attempt,
    failureCode: null,
    failureMessage: null,
    updatedAt: work.now,
  });
  if (!isCharged && stored !== null) return complete(work, asked, attempt);
  work.charges.push({
    transactionId: attemptId,
    customerId: work.customer.id,
    subscriptionId: null,
    invoiceId: null,
    kind: isCharged ? 'charge' : 'setup',
    provider: method.provider,
    methodReference: method.reference,
    amountMinor: isCharged ? asked.totalMinor : 0n,
    currency: asked.currency,
    isFirst: stored === null,
  });
  return work.done('charging', null);
}

const addTransaction = (work: Work, payment: PaymentRow, method: MethodFacts | PaymentMethodRow): TransactionRow =>
  work.transactions.add(
    pendingTransaction(work, method, {
      customerId: work.customer.id,
      subscriptionId: null,
      invoiceId: null,
      paymentId: payment.id,
      currency: payment.currency,
      total: payment.totalMinor,
      taxAmount: payment.taxMinor,
    }),
  );

/** Takes the gateway's answer to the attempt that is under way. */
export function paymentAnswered(work: Work, payment: PaymentRow, attempt: PaymentAttempt, result: ChargeResult): Decision {
  if (result.status === 'settled') return complete(work, payment, attempt);
  if (result.status === 'unknown') return work.done('unanswered', null);
  if (result.status === 'declined') return declined(work, payment, attempt, { code: result.declineCode, message: result.message });
  if (payment.kind === 'charge') return declined(work, payment, attempt, authenticationFailure);
  work.payments.put({ ...payment, status: 'requires_action', updatedAt: work.now });
  return work.done('requires_action', null);
}

/** A decline leaves a link to be tried again. A charge whose method wants authentication is not asked again: nobody is there (PAY-7). */
function declined(
  work: Work,
  payment: PaymentRow,
  { transactionId }: PaymentAttempt,
  failure: { readonly code: string; readonly message: string },
): Decision {
  const transaction = transactionId === null ? null : work.transactions.find(transactionId);
  if (transaction !== null) failTransaction(work, transaction, failure.code);
  const wantsAction = failure === authenticationFailure;
  const failed = work.payments.put({
    ...payment,
    status: wantsAction ? 'requires_action' : 'failed',
    attempt: null,
    failureCode: failure.code,
    failureMessage: failure.message,
    updatedAt: work.now,
  });
  if (failed.kind === 'link') work.emit(paymentLinkFailed(failed, work.customer, failure));
  const reason = wantsAction ? { reason: 'requires_action' } : {};
  return work.refuse({
    code: 'payment_failed',
    message: failure.message,
    details: { ...reason, declineCode: failure.code, paymentId: failed.id },
  });
}

/** The money is there: the method typed in is kept, and the invoice that documents the payment is issued and paid (PAY-1, PAY-8). */
function complete(work: Work, payment: PaymentRow, attempt: PaymentAttempt): Decision {
  const { transactionId } = attempt;
  const pending = transactionId === null ? null : work.transactions.find(transactionId);
  if (attempt.method !== null) keepBillingFacts(work, attempt);
  const methodId = attempt.method === null ? (pending?.paymentMethodId ?? null) : storeMethod(work, attempt.method).id;
  const paid = { ...payment, customerId: work.customer.id, status: 'succeeded', attempt: null, updatedAt: work.now } as const;
  const issued = addInvoice(work, ...documentOf(work, paid, attempt));
  const transaction = pending === null ? null : settleTransaction(work, { ...pending, invoiceId: issued.id }, methodId);
  const invoice = payInvoice(work, issued, transaction);
  const row = work.payments.put({ ...paid, invoiceId: invoice.id });
  announce(work, row, invoice, transaction);
  return work.done('done', null, invoice.id);
}

function documentOf(work: Work, payment: PaymentRow, { tax }: PaymentAttempt) {
  const { currency, description, metadata, subtotalMinor: amountMinor } = payment;
  const facts = { customerId: work.customer.id, currency, description, amountMinor, metadata: metadata ?? {}, tax };
  const { invoice, lines } = issueOneTime(facts, work.now, work.newId);
  return [invoice, lines] as const;
}

function announce(work: Work, payment: PaymentRow, invoice: InvoiceRow, transaction: TransactionRow | null): void {
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  if (transaction !== null) work.emit(paymentReceived(work.customer, invoice, transaction));
  if (payment.kind === 'link') work.emit(paymentLinkCompleted(payment, work.customer, invoice, transaction));
}

/** A method typed in at a link stays with the customer; no event tells of it, since it belongs to no subscription (PAY-33). */
const storeMethod = (work: Work, method: MethodFacts): PaymentMethodRow =>
  work.paymentMethods.add({ ...method, id: work.newId('pm'), seq: null, customerId: work.customer.id, createdAt: work.now });
