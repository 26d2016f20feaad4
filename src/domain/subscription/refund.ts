// Refunds (PAY-26 … PAY-30): money of a settled attempt goes back, and what the return of all of it means for the subscription.

import type { ChargeResult } from '../gateway.ts';
import { postRefunded } from '../ledger.ts';
import { paymentRefunded } from '../payment-events.ts';
import type { InvoiceType } from '../words.ts';
import type { Decision, RefundCommand } from './aggregate.ts';
import { endSubscription } from './ending.ts';
import { invoiceBehind, isCharging, returnedCharge } from './lookup.ts';
import { problemRefusal, transactionNotFound } from './refusals.ts';
import type { RefundRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { accessStatuses } from './state.ts';
import type { Work } from './work.ts';

/** Invoices with a plan base (BIL-13): whoever gets all of one back has paid for no plan. */
const planInvoices: readonly InvoiceType[] = ['recurring', 'plan_change', 'reactivation'];

/** What of an attempt has not been returned, minor units of its currency. */
const leftOf = ({ amountMinor, refundedMinor }: TransactionRow): bigint => amountMinor - refundedMinor;

/**
 * Asks the gateway to return money of a settled attempt. Refused with `validation_error` when it has not settled, is disputed, is returned
 * already or being returned, when less is left than asked for, and while the subscription it would end is being charged (PAY-27). A refund
 * that is known already stays as it is.
 */
export function refund(work: Work, command: RefundCommand): Decision {
  const transaction = work.transactions.find(command.transactionId);
  if (transaction === null) return work.refuse(transactionNotFound);
  if (work.refunds.find(command.refundId) !== null) return work.done('unchanged', transaction.subscriptionId, transaction.invoiceId);
  const amountMinor = command.amountMinor ?? leftOf(transaction);
  const problem = refundProblem(work, transaction, amountMinor);
  if (problem !== null) return work.refuse(problem);
  const row = work.refunds.add({
    id: command.refundId,
    seq: null,
    customerId: transaction.customerId,
    transactionId: transaction.id,
    amountMinor,
    currency: transaction.currency,
    status: 'pending',
    reason: command.reason,
    createdAt: work.now,
    updatedAt: work.now,
  });
  requestRefund(work, transaction, row);
  return work.done('charging', transaction.subscriptionId, transaction.invoiceId);
}

function refundProblem(work: Work, transaction: TransactionRow, amountMinor: bigint) {
  const message = whyNot(work, transaction, amountMinor);
  if (message !== null) return problemRefusal([{ field: 'id', message }]);
  return problemRefusal(amountMinor <= leftOf(transaction) ? [] : [{ field: 'amount', message: 'More than is left of the transaction.' }]);
}

function whyNot(work: Work, transaction: TransactionRow, amountMinor: bigint): string | null {
  if (transaction.status === 'refunded') return 'The transaction has been refunded already.';
  if (transaction.status === 'disputed') return 'The transaction is in dispute.';
  if (transaction.status !== 'succeeded') return 'Only a transaction that succeeded can be refunded.';
  if (isBeingReturned(work, transaction)) return 'A refund is under way.';
  const ended = amountMinor === leftOf(transaction) ? endedBy(work, transaction) : null;
  return ended !== null && isCharging(work, ended) ? 'A charge of its subscription is under way.' : null;
}

/** Whether the gateway has not answered a refund of an attempt finally. */
export const isBeingReturned = (work: Work, { id }: TransactionRow): boolean =>
  work.refunds.all().some((row) => row.transactionId === id && isUnderWay(row));

const isUnderWay = ({ status }: RefundRow): boolean => status === 'pending' || status === 'requires_action';

function requestRefund(work: Work, transaction: TransactionRow, { id, amountMinor, currency }: RefundRow): void {
  const method = transaction.paymentMethodId === null ? null : work.paymentMethods.find(transaction.paymentMethodId);
  work.charges.push({
    transactionId: id,
    customerId: transaction.customerId,
    subscriptionId: transaction.subscriptionId,
    invoiceId: transaction.invoiceId,
    kind: 'refund',
    refundOf: transaction.id,
    provider: transaction.provider,
    methodReference: method?.reference ?? '',
    amountMinor,
    currency,
    isFirst: false,
  });
}

/** Takes the gateway's answer to a refund; one that is answered finally stays as it is. A declined one is refused with `payment_failed`. */
export function refundAnswered(work: Work, row: RefundRow, result: ChargeResult): Decision {
  const transaction = work.transactions.find(row.transactionId);
  if (transaction === null) throw new Error(`The transaction ${row.transactionId} of the refund ${row.id} is not in the aggregate.`);
  const { subscriptionId, invoiceId } = transaction;
  if (!isUnderWay(row)) return work.done('unchanged', subscriptionId, invoiceId);
  if (result.status === 'unknown') return work.done('unanswered', subscriptionId, invoiceId);
  if (result.status === 'settled') {
    confirmed(work, row, transaction);
    return work.done('done', subscriptionId, invoiceId);
  }
  const isDeclined = result.status === 'declined';
  work.refunds.put({ ...row, status: isDeclined ? 'failed' : 'requires_action', updatedAt: work.now });
  return isDeclined
    ? work.refuse({ code: 'payment_failed', message: result.message, details: { declineCode: result.declineCode } })
    : work.done('requires_action', subscriptionId, invoiceId);
}

/** The money is on its way: the invoice stays paid, credits stay with the customer, and a plan whose money is all back ends (PAY-28, PAY-29). */
function confirmed(work: Work, row: RefundRow, transaction: TransactionRow): void {
  if (transaction.status !== 'succeeded') throw new Error(`The ${transaction.status} transaction ${transaction.id} cannot be refunded.`);
  work.refunds.put({ ...row, status: 'succeeded', updatedAt: work.now });
  const refundedMinor = transaction.refundedMinor + row.amountMinor;
  const isFull = refundedMinor === transaction.amountMinor;
  const refunded = work.transactions.put({
    ...transaction,
    refundedMinor,
    status: isFull ? 'refunded' : 'succeeded',
    updatedAt: work.now,
  });
  work.ledger.push(...postRefunded(transaction, refunded, work.newId, work.now));
  work.emit(paymentRefunded(returnedCharge(work, refunded), row.amountMinor));
  const ended = isFull ? endedBy(work, refunded) : null;
  if (ended !== null) endRefunded(work, ended);
}

/** The subscription in force that a full refund of the attempt ends, of whatever period its invoice is (PAY-29, PAY-30); null when none is. */
function endedBy(work: Work, transaction: TransactionRow): SubscriptionRow | null {
  const invoice = invoiceBehind(work, transaction);
  if (invoice === null || !planInvoices.includes(invoice.type) || invoice.subscriptionId === null) return null;
  const subscription = work.subscriptions.find(invoice.subscriptionId);
  return subscription !== null && accessStatuses.includes(subscription.status) ? subscription : null;
}

function endRefunded(work: Work, subscription: SubscriptionRow): void {
  const withdrawn = { ...subscription, cancelAtPeriodEnd: false, cancellationScheduledAt: null, cancelEffectiveAt: null };
  endSubscription(work, withdrawn, { reason: 'refund', canceledAt: work.now, endDate: work.now });
}
