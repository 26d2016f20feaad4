// Collecting an invoice that failed (BIL-40 … BIL-46): four slots, each declined attempt using up the earliest one left.
import { nextSlot, slotCount, slotTimes } from '../dunning.ts';
import { type FailureFacts, paymentFailed, paymentReceived, paymentRecovered, paymentRetryFailed } from '../payment-events.ts';
import { stateChanged, subscriptionActivated, subscriptionPastDue } from '../subscription-events.ts';
import type { PaymentProvider } from '../words.ts';
import type { Decision, DunningRetryCommand } from './aggregate.ts';
import { noMethodFailure, requestCharge } from './charging.ts';
import { deadline, deadlineId } from './deadlines.ts';
import { endSubscription } from './ending.ts';
import { giveUpInvoice, payInvoice } from './invoicing.ts';
import { invoiceOf, isCharging, methodOf } from './lookup.ts';
import { scheduleOverdue } from './notices.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { moveSubscription } from './state.ts';
import type { Work } from './work.ts';

/** Makes a subscription past due over an invoice and fixes the four slots by the time of this first failure (BIL-40, BIL-41). Sends nothing. */
export function startDunning(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): SubscriptionRow {
  const pastDue = work.subscriptions.put(
    moveSubscription(subscription, 'past_due', {
      dunningInvoiceId: invoice.id,
      dunningStartedAt: work.now,
      dunningAttempts: 0,
      updatedAt: work.now,
    }),
  );
  for (const [index, dueAt] of slotTimes(work.now).entries()) {
    work.schedule(deadline(pastDue, 'dunning_retry', dueAt, index + 1, { slot: index + 1 }));
  }
  scheduleOverdue(work, pastDue, invoice);
  return pastDue;
}

/** Tells of a first failure: `payment.failed` with the recovery page, `subscription.past_due`, the change of state. */
export function announcePastDue(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): void {
  work.emit(paymentFailed(work.customer, invoice, failure, { page: 'recover', subjectId: invoice.id }));
  work.emit(subscriptionPastDue(work.customer, subscription, invoice));
  work.emit(stateChanged(work.customer, subscription, 'past_due'));
}

/** Runs a dunning slot (BIL-45). One used up meanwhile, or of a subscription no longer past due, does nothing. */
export function dunningRetry(work: Work, subscription: SubscriptionRow, command: DunningRetryCommand): Decision {
  if (subscription.status !== 'past_due' || command.slot <= subscription.dunningAttempts) {
    work.complete(command);
    return work.done('unchanged', subscription.id);
  }
  if (isCharging(work, subscription)) return work.finish({ kind: 'park' });
  work.complete(command);
  return attempt(work, subscription);
}

/** Makes an attempt at the invoice in dunning, automatic or by hand. Without a method it counts as declined at once. */
export function attempt(work: Work, subscription: SubscriptionRow): Decision {
  const invoice = invoiceOf(work, subscription.dunningInvoiceId);
  const method = methodOf(work, subscription);
  if (method === null) {
    const after = attemptDeclined(work, subscription, invoice, noMethodFailure.code);
    return work.done('done', after.id, invoice.id);
  }
  requestCharge(work, subscription, invoice, method, false);
  work.item = { outcome: 'recovered', invoiceId: invoice.id, detail: null };
  return work.done('charging', subscription.id, invoice.id);
}

/** Uses up the earliest slot for a declined attempt; the fourth ends dunning and the subscription (BIL-42, BIL-43). */
export function attemptDeclined(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, declineCode: string): SubscriptionRow {
  const slot = nextSlot(subscription.dunningAttempts);
  if (slot === null) throw new Error(`The subscription ${subscription.id} has no dunning slot left.`);
  work.unschedule(deadlineId('dunning_retry', subscription.id, slot));
  const consumed = { ...subscription, dunningAttempts: slot, updatedAt: work.now };
  if (slot === slotCount) return exhausted(work, consumed, invoice, declineCode);
  work.item = { outcome: 'declined', invoiceId: invoice.id, detail: declineCode };
  return work.subscriptions.put(consumed);
}

function exhausted(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, declineCode: string): SubscriptionRow {
  work.item = { outcome: 'exhausted', invoiceId: invoice.id, detail: declineCode };
  const lost = giveUpInvoice(work, invoice);
  work.emit(paymentRetryFailed(work.customer, lost, subscription.provider ?? 'platform', declineCode));
  // A purchase made once cannot be canceled, so it stays in force without that invoice (BIL-11).
  if (subscription.billingInterval === 'one_time') return backInForce(work, subscription);
  return endSubscription(work, subscription, { reason: 'dunning_exhausted', canceledAt: work.now, endDate: work.now });
}

/** A settled attempt ends dunning (BIL-44). */
export function recover(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, transaction: TransactionRow): void {
  const paid = payInvoice(work, invoice, transaction);
  work.emit(paymentReceived(work.customer, paid, transaction));
  work.emit(paymentRecovered(work.customer, paid, transaction.provider));
  endDunning(work, subscription, paid, transaction.provider);
  work.item = { outcome: 'recovered', invoiceId: paid.id, detail: null };
}

/**
 * Puts a past-due subscription back in force over its settled invoice; anchor and period stay, and what waited for it runs again (BIL-44,
 * BIL-8). Tells of the change of state only; `provider` is null where no charge settled the invoice.
 */
export function endDunning(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, provider: PaymentProvider | null): void {
  const isFirst = subscription.activatedAt === null;
  const active = backInForce(work, subscription, isFirst ? { activatedAt: work.now } : {});
  // After a trial whose first charge was declined this is the first activation (SUB-19).
  if (isFirst) work.emit(subscriptionActivated(work.customer, active, invoice, provider));
  work.emit(stateChanged(work.customer, active, 'subscription_activated'));
}

function backInForce(work: Work, subscription: SubscriptionRow, changes: Partial<SubscriptionRow> = {}): SubscriptionRow {
  for (let slot = 1; slot <= slotCount; slot++) work.unschedule(deadlineId('dunning_retry', subscription.id, slot));
  work.release(subscription.id);
  return work.subscriptions.put(
    moveSubscription(subscription, 'active', {
      ...changes,
      dunningInvoiceId: null,
      dunningStartedAt: null,
      dunningAttempts: 0,
      updatedAt: work.now,
    }),
  );
}
