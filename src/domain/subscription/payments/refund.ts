// Refunds (PAY-26 … PAY-30): money of a settled attempt goes back, and a full refund can end the
// subscription.
import type { InvoiceType } from '../../enums.ts';
import { postRefunded } from '../../ledger/documents.ts';
import { paymentRefunded } from '../../payment-events.ts';
import type { ChargeResult } from '../../provider.ts';
import { endSubscription } from '../lifecycle/end-subscription.ts';
import { invoiceBehind, returnedCharge } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import type { RefundRow, SubscriptionRow, TransactionRow } from '../state/rows.ts';
import { accessStatuses } from '../state/transitions.ts';

/** Invoices with a plan base (BIL-13). A full refund of one ends the plan. */
const planInvoices: readonly InvoiceType[] = ['recurring', 'plan_change', 'reactivation'];

/** Whether a refund of an attempt is under way. */
export const isBeingReturned = (draft: Draft, { id }: TransactionRow): boolean =>
  draft.refunds.all().some((row) => row.transactionId === id && isUnderWay(row));

const isUnderWay = ({ status }: RefundRow): boolean => status === 'pending' || status === 'requires_action';

/**
 * Takes the gateway's answer to a refund; one with a final answer stays as it is. A declined one is rejected
 * with `payment_failed`.
 */
export function refundAnswered(draft: Draft, row: RefundRow, result: ChargeResult): Decision {
  const transaction = draft.transactions.find(row.transactionId);
  if (transaction === null)
    throw new Error(`The transaction ${row.transactionId} of the refund ${row.id} is not in the aggregate.`);
  const { subscriptionId, invoiceId } = transaction;
  if (!isUnderWay(row)) return draft.done('unchanged', subscriptionId, invoiceId);
  if (result.status === 'unknown') return draft.done('unanswered', subscriptionId, invoiceId);
  if (result.status === 'settled') {
    confirmed(draft, row, transaction);
    return draft.done('done', subscriptionId, invoiceId);
  }
  const isDeclined = result.status === 'declined';
  draft.refunds.patch(row.id, { status: isDeclined ? 'failed' : 'requires_action', updatedAt: draft.now });
  return isDeclined
    ? draft.reject({
        code: 'payment_failed',
        message: result.message,
        details: { declineCode: result.declineCode },
      })
    : draft.done('requires_action', subscriptionId, invoiceId);
}

/**
 * Confirms a refund. The invoice stays paid and its credits used; a full refund ends the plan (PAY-28,
 * PAY-29).
 */
function confirmed(draft: Draft, row: RefundRow, transaction: TransactionRow): void {
  if (transaction.status !== 'succeeded')
    throw new Error(`The ${transaction.status} transaction ${transaction.id} cannot be refunded.`);
  draft.refunds.patch(row.id, { status: 'succeeded', updatedAt: draft.now });
  const refundedMinor = transaction.refundedMinor + row.amountMinor;
  const isFull = refundedMinor === transaction.amountMinor;
  const refunded = draft.transactions.patch(transaction.id, {
    refundedMinor,
    status: isFull ? 'refunded' : 'succeeded',
    updatedAt: draft.now,
  });
  draft.ledger.push(...postRefunded(transaction, refunded, draft.newId, draft.now));
  draft.emit(paymentRefunded(returnedCharge(draft, refunded), row.amountMinor));
  const ended = isFull ? endedBy(draft, refunded) : null;
  if (ended !== null) endRefunded(draft, ended);
}

/**
 * The subscription in force that a full refund of the attempt ends, of whatever period its invoice is
 * (PAY-29, PAY-30); null when none is.
 */
export function endedBy(draft: Draft, transaction: TransactionRow): SubscriptionRow | null {
  const invoice = invoiceBehind(draft, transaction);
  if (invoice === null || !planInvoices.includes(invoice.type) || invoice.subscriptionId === null)
    return null;
  const subscription = draft.subscriptions.find(invoice.subscriptionId);
  return subscription !== null && accessStatuses.includes(subscription.status) ? subscription : null;
}

function endRefunded(draft: Draft, subscription: SubscriptionRow): void {
  const withdrawn = draft.subscriptions.patch(subscription.id, {
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelEffectiveAt: null,
  });
  endSubscription(draft, withdrawn, { reason: 'refund', canceledAt: draft.now, endDate: draft.now });
}
