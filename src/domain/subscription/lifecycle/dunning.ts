// Collecting an invoice that failed (BIL-40 … BIL-46): four slots, each declined attempt of ours or the
// merchant's using up the earliest one left. Attempts of payers use up none.
import { nextSlot, slotCount, slotTimes } from '../../dunning.ts';
import type { PaymentProvider } from '../../enums.ts';
import {
  type FailureDetails,
  paymentFailed,
  paymentReceived,
  paymentRecovered,
  paymentRetryFailed,
} from '../../payment-events.ts';
import { stateChanged, subscriptionActivated, subscriptionPastDue } from '../../subscription-events.ts';
import {
  abandonAuthentication,
  noMethodFailure,
  owedAuthentication,
  requestCharge,
} from '../invoicing/charging.ts';
import { giveUpInvoice, payInvoice } from '../invoicing/settling.ts';
import { invoiceOf, methodOf } from '../pricing/lookup.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../state/rows.ts';
import { moveSubscription } from '../state/transitions.ts';
import { endSubscription } from './end-subscription.ts';

/**
 * Makes a subscription past due over an invoice and fixes the four slots by the time of this first failure
 * (BIL-40, BIL-41). Emits nothing.
 */
export function startDunning(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
): SubscriptionRow {
  const pastDue = moveSubscription(draft, subscription, 'past_due', {
    dunningInvoiceId: invoice.id,
    dunningStartedAt: draft.now,
    dunningAttempts: 0,
    updatedAt: draft.now,
  });
  for (const [index, dueAt] of slotTimes(draft.now).entries()) {
    draft.schedule(deadline(pastDue, 'dunning_retry', dueAt, index + 1, { slot: index + 1 }));
  }
  scheduleOverdue(draft, pastDue, invoice);
  return pastDue;
}

/**
 * Emits the events of a first failure: `payment.failed` with the recovery page, `subscription.past_due` and
 * the change of state.
 */
export function announcePastDue(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  draft.emit(paymentFailed(draft.customer, invoice, failure, { page: 'recover', subjectId: invoice.id }));
  draft.emit(subscriptionPastDue(draft.customer, subscription, invoice));
  draft.emit(stateChanged(draft.customer, subscription, 'past_due'));
}

/**
 * Makes an attempt at the invoice in dunning: automatic, by the merchant or by the payer. Without a method it
 * counts as declined at once.
 */
export function attempt(draft: Draft, subscription: SubscriptionRow, isPayerRetry = false): Decision {
  const invoice = invoiceOf(draft, subscription.dunningInvoiceId);
  const method = methodOf(draft, subscription);
  if (method === null) {
    const after = attemptDeclined(draft, subscription, invoice, noMethodFailure.code);
    return draft.done('done', after.id, invoice.id);
  }
  requestCharge(draft, subscription, invoice, method, false, { isPayerRetry });
  draft.item = { outcome: 'recovered', invoiceId: invoice.id, detail: null };
  return draft.done('charging', subscription.id, invoice.id);
}

/**
 * Uses up the earliest slot for a declined attempt; the fourth ends dunning and the subscription (BIL-42,
 * BIL-43).
 */
export function attemptDeclined(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  declineCode: string,
): SubscriptionRow {
  const slot = nextSlot(subscription.dunningAttempts);
  if (slot === null) throw new Error(`The subscription ${subscription.id} has no dunning slot left.`);
  draft.unschedule(deadlineId('dunning_retry', subscription.id, slot));
  const consumed = draft.subscriptions.patch(subscription.id, {
    dunningAttempts: slot,
    updatedAt: draft.now,
  });
  if (slot === slotCount) return exhausted(draft, consumed, invoice, declineCode);
  draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: declineCode };
  return consumed;
}

function exhausted(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  declineCode: string,
): SubscriptionRow {
  draft.item = { outcome: 'exhausted', invoiceId: invoice.id, detail: declineCode };
  const lost = giveUpInvoice(draft, invoice);
  draft.emit(paymentRetryFailed(draft.customer, lost, subscription.provider ?? 'platform', declineCode));
  // A purchase made once cannot be canceled, so it stays in force without that invoice (BIL-11).
  if (subscription.billingInterval === 'one_time') return backInForce(draft, subscription);
  return endSubscription(draft, subscription, {
    reason: 'dunning_exhausted',
    canceledAt: draft.now,
    endDate: draft.now,
  });
}

/** Ends dunning by a settled attempt (BIL-44). */
export function recover(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
): void {
  const paid = payInvoice(draft, invoice, transaction);
  draft.emit(paymentReceived(draft.customer, paid, transaction));
  draft.emit(paymentRecovered(draft.customer, paid, transaction.provider));
  endDunning(draft, subscription, paid, transaction.provider);
  draft.item = { outcome: 'recovered', invoiceId: paid.id, detail: null };
}

/**
 * Puts a past-due subscription back in force over its settled invoice; anchor and period stay, and the
 * deadlines that waited run again (BIL-44, BIL-8). Emits the change of state only. `provider` is null where
 * no charge settled the invoice.
 */
export function endDunning(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  provider: PaymentProvider | null,
): void {
  const isFirst = subscription.activatedAt === null;
  const active = backInForce(draft, subscription, isFirst ? { activatedAt: draft.now } : {});
  // After a trial whose first charge was declined this is the first activation (SUB-19).
  if (isFirst) draft.emit(subscriptionActivated(draft.customer, active, invoice, provider));
  draft.emit(stateChanged(draft.customer, active, 'subscription_activated'));
}

function backInForce(
  draft: Draft,
  subscription: SubscriptionRow,
  changes: Partial<SubscriptionRow> = {},
): SubscriptionRow {
  for (let slot = 1; slot <= slotCount; slot++)
    draft.unschedule(deadlineId('dunning_retry', subscription.id, slot));
  draft.release(subscription.id);
  const owed = owedAuthentication(subscription);
  abandonAuthentication(draft, owed);
  return moveSubscription(draft, subscription, 'active', {
    ...changes,
    dunningInvoiceId: null,
    dunningStartedAt: null,
    dunningAttempts: 0,
    ...(owed === null ? {} : { pendingCheckout: null }),
    updatedAt: draft.now,
  });
}
