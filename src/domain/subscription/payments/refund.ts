// Refunds of settled transactions (PAY-26 … PAY-30). A full refund can end the subscription.

import { paymentRefunded } from '../../events/payment-events.ts';
import { postRefunded } from '../../ledger/documents.ts';
import type { ChargeResult } from '../../payments/provider.ts';
import type { RefundRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { refundAddon } from '../allowances/addon-effects.ts';
import { addCreditNote, announceCreditNote } from '../invoicing/credit-notes.ts';
import { restoreRevokedCredit } from '../invoicing/credits.ts';
import { endsWithPeriod, isOneTimePurchase } from '../lifecycle/cancel.ts';
import { endImmediately } from '../lifecycle/end-subscription.ts';
import { scheduleCancellation } from '../lifecycle/schedule-cancellation.ts';
import { invoiceBehind, returnedCharge } from '../pricing/lookup.ts';
import { takeBackRefunded } from '../purchases/take-back.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { accessStatuses } from '../state/transitions.ts';
import { planInvoices } from './refundable.ts';

/** Reason for the cancellation of a subscription whose payment is refunded. */
const refundReason = 'refund';

export const isBeingReturned = (draft: Draft, { id }: TransactionRow): boolean =>
  draft.refunds.all().some((row) => row.transactionId === id && isUnderWay(row));

const isUnderWay = ({ status }: RefundRow): boolean => status === 'pending' || status === 'requires_action';

/**
 * Records the provider's result for a refund. Does nothing if the refund already has a final result.
 * A declined refund fails with `payment_failed`.
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
  if (isDeclined && row.revokedCreditId !== null)
    restoreRevokedCredit(draft, row.revokedCreditId, row.revokedMinor);
  return isDeclined
    ? draft.reject({
        code: 'payment_failed',
        message: result.message,
        details: { declineCode: result.declineCode },
      })
    : draft.done('requires_action', subscriptionId, invoiceId);
}

/**
 * Confirms a refund. The invoice remains paid, its customer credits remain used, and a credit note documents the
 * refunded amount (DAT-10). Removes unused credits or balance if required (PRM-23). Cancels the subscription if the refund requests it or, by default, if an invoice that
 * includes a plan's base price is refunded in full (PAY-28, PAY-29).
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
  const note =
    refunded.invoiceId === null || draft.invoices.find(refunded.invoiceId) === null
      ? null
      : addCreditNote(draft, refunded.invoiceId, row.amountMinor, { reason: 'refund', refundId: row.id });
  if (note !== null) announceCreditNote(draft, note);
  if (isFull && refunded.invoiceId !== null) refundAddon(draft, refunded.invoiceId);
  takeBackRefunded(draft, refunded, { before: transaction.refundedMinor, after: refundedMinor });
  const ended = endedBy(draft, refunded, row.cancelSubscription, isFull);
  if (ended !== null) cancelRefunded(draft, ended, row.cancelAtPeriodEnd);
}

/**
 * Returns the active subscription that a refund cancels, regardless of the invoice's period (PAY-29, PAY-30). `null` if
 * the refund cancels no subscription. By default, a full refund of an invoice that includes a plan's base price cancels
 * the subscription.
 */
export function endedBy(
  draft: Draft,
  transaction: TransactionRow,
  cancelSubscription: boolean | null,
  isFull: boolean,
): SubscriptionRow | null {
  const invoice = invoiceBehind(draft, transaction);
  const isPlan = invoice !== null && planInvoices.includes(invoice.type);
  if (!(cancelSubscription ?? (isFull && isPlan)) || transaction.subscriptionId === null) return null;
  const subscription = draft.subscriptions.find(transaction.subscriptionId);
  return subscription !== null && accessStatuses.includes(subscription.status) ? subscription : null;
}

/** True if a refund can cancel the subscription at the end of the period or trial, instead of immediately. */
export const canEndWithPeriod = (subscription: SubscriptionRow): boolean =>
  endsWithPeriod(subscription) && !isOneTimePurchase(subscription);

/**
 * Cancels the subscription of a refunded payment. At the end of the period, keeps a cancellation that is already scheduled. If the
 * subscription has no period to end with, such as a past-due subscription, cancels it immediately.
 */
function cancelRefunded(draft: Draft, subscription: SubscriptionRow, atPeriodEnd: boolean): void {
  if (!atPeriodEnd || !canEndWithPeriod(subscription)) endImmediately(draft, subscription, refundReason);
  else if (!subscription.cancelAtPeriodEnd) scheduleCancellation(draft, subscription, refundReason);
}
