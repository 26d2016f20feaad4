// Dunning (BIL-40 … BIL-46). Retries are scheduled on the organization's retry days. Each declined attempt, automatic or by the
// merchant, uses up the earliest remaining retry. Attempts by payers don't use up retries.

import {
  type FailureDetails,
  paymentFailed,
  paymentReceived,
  paymentRecovered,
  paymentRetryFailed,
} from '../../events/payment-events.ts';
import {
  stateChanged,
  subscriptionActivated,
  subscriptionPastDue,
} from '../../events/subscription-events.ts';
import { nextSlot, retriesLeft, slotTimes } from '../../payments/dunning.ts';
import { retryDate } from '../../payments/instruments/failures.ts';
import { instrumentOf } from '../../payments/instruments/registry.ts';
import type { PaymentProvider } from '../../rows/enums.ts';
import type { InvoiceRow, PaymentMethodRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import {
  abandonAuthentication,
  noMethodFailure,
  owedAuthentication,
  requestCharge,
} from '../invoicing/charging.ts';
import { failedAttempts } from '../invoicing/debit-terms.ts';
import { finalizeInvoice, markUncollectible, payInvoice } from '../invoicing/settling.ts';
import { invoiceOf, methodOf } from '../pricing/lookup.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { moveSubscription } from '../state/transitions.ts';
import { endSubscription } from './end-subscription.ts';

/**
 * Makes a subscription past due, finalizes the invoice, and schedules the retries relative to the first
 * failure (BIL-40, BIL-41). Later changes of the organization's settings don't affect them. Emits no events.
 */
export function startDunning(draft: Draft, subscription: SubscriptionRow, open: InvoiceRow): SubscriptionRow {
  const invoice = finalizeInvoice(draft, open);
  const { retryTerms } = draft.aggregate.environment;
  const pastDue = moveSubscription(draft, subscription, 'past_due', {
    dunningInvoiceId: invoice.id,
    dunningStartedAt: draft.now,
    dunningAttempts: 0,
    retryTerms,
    updatedAt: draft.now,
  });
  for (const [index, dueAt] of slotTimes(draft.now, retryTerms).entries()) {
    draft.schedule(deadline(pastDue, 'dunning_retry', dueAt, index + 1, { slot: index + 1 }));
  }
  scheduleOverdue(draft, pastDue, invoice);
  return pastDue;
}

/** Emits the events for a first failed charge: `payment.failed` with a recovery link, `subscription.past_due`, and the state change. */
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
 * Charges the invoice in dunning, as an automatic retry or at the request of the merchant or payer. Without a
 * stored payment method, the attempt is declined immediately.
 */
export function attempt(draft: Draft, subscription: SubscriptionRow, isPayerRetry = false): Decision {
  const invoice = invoiceOf(draft, subscription.dunningInvoiceId);
  const method = methodOf(draft, subscription);
  if (method === null) {
    const after = attemptDeclined(draft, subscription, invoice, noMethodFailure.code);
    return draft.done('done', after.id, invoice.id);
  }
  const last = isPayerRetry ? null : retryObstacle(draft, invoice, method);
  if (last !== null) {
    const after = attemptDeclined(draft, subscription, invoice, last);
    return draft.done('done', after.id, invoice.id);
  }
  requestCharge(draft, subscription, invoice, method, false, { isPayerRetry });
  draft.item = { outcome: 'recovered', invoiceId: invoice.id, detail: null };
  return draft.done('charging', subscription.id, invoice.id);
}

/**
 * Returns the code of the last attempt if the payment method allows no further automatic retry (INS-44). `null` if a retry
 * is possible.
 */
function retryObstacle(draft: Draft, invoice: InvoiceRow, method: PaymentMethodRow): string | null {
  const failed = failedAttempts(draft, invoice.id, method.id);
  return retryDate(instrumentOf(method.instrument), failed, draft.now) === null
    ? (failed.at(-1)?.code ?? null)
    : null;
}

/** Moves the start of dunning and the remaining retries by the time that an attempt took (INS-43). */
export function shiftRetries(
  draft: Draft,
  { id, dunningStartedAt }: SubscriptionRow,
  { createdAt }: TransactionRow,
): void {
  const stoodStillMs = draft.now.getTime() - createdAt.getTime();
  if (dunningStartedAt !== null)
    draft.subscriptions.patch(id, {
      dunningStartedAt: new Date(dunningStartedAt.getTime() + stoodStillMs),
    });
  for (const row of draft.deadlinesOf(id))
    if (row.kind === 'dunning_retry')
      draft.schedule({ ...row, state: 'ready', dueAt: new Date(row.dueAt.getTime() + stoodStillMs) });
}

/**
 * Uses up the earliest remaining retry after a declined attempt. The last declined retry ends dunning (BIL-42, BIL-43). Attempts after the
 * last retry, of a subscription that stays past due, change nothing.
 */
export function attemptDeclined(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  declineCode: string,
): SubscriptionRow {
  const slot = nextSlot(subscription.dunningAttempts, subscription.retryTerms);
  draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: declineCode };
  if (slot === null) return subscription;
  draft.unschedule(deadlineId('dunning_retry', subscription.id, slot));
  const consumed = draft.subscriptions.patch(subscription.id, {
    dunningAttempts: slot,
    updatedAt: draft.now,
  });
  return retriesLeft(slot, consumed.retryTerms) === 0
    ? exhausted(draft, consumed, invoice, declineCode)
    : consumed;
}

/**
 * Ends dunning after the last declined retry. By default, the invoice becomes uncollectible and the subscription is canceled. A subscription
 * that stays past due keeps its outstanding invoice, which the customer or the merchant can still pay (BIL-43).
 */
function exhausted(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  declineCode: string,
): SubscriptionRow {
  draft.item = { outcome: 'exhausted', invoiceId: invoice.id, detail: declineCode };
  const isKept =
    subscription.retryTerms?.lastRetryAction === 'keep_past_due' &&
    subscription.billingInterval !== 'one_time';
  const unpaid = isKept ? invoice : markUncollectible(draft, invoice);
  draft.emit(paymentRetryFailed(draft.customer, unpaid, subscription.provider ?? 'platform', declineCode));
  if (isKept) return subscription;
  // A one-time purchase can't be canceled, so it stays active although the invoice is uncollectible (BIL-11).
  if (subscription.billingInterval === 'one_time') return activateAfterDunning(draft, subscription);
  return endSubscription(draft, subscription, {
    reason: 'dunning_exhausted',
    canceledAt: draft.now,
    endDate: draft.now,
  });
}

/** Ends dunning after a successful charge (BIL-44). */
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
 * Reactivates a past-due subscription after its invoice was settled. The anchor and period don't change, and deadlines
 * that were on hold become ready (BIL-44, BIL-8). Emits `subscription.activated` if this is the first activation, and
 * the state change. `provider` is `null` if the invoice was settled without a charge.
 */
export function endDunning(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  provider: PaymentProvider | null,
): void {
  const isFirst = subscription.activatedAt === null;
  const active = activateAfterDunning(draft, subscription, isFirst ? { activatedAt: draft.now } : {});
  // If the first charge after a trial was declined, this is the first activation (SUB-19).
  if (isFirst) draft.emit(subscriptionActivated(draft.customer, active, invoice, provider));
  draft.emit(stateChanged(draft.customer, active, 'subscription_activated'));
}

function activateAfterDunning(
  draft: Draft,
  subscription: SubscriptionRow,
  changes: Partial<SubscriptionRow> = {},
): SubscriptionRow {
  for (const { kind, id } of draft.deadlinesOf(subscription.id))
    if (kind === 'dunning_retry') draft.unschedule(id);
  draft.release(subscription.id);
  const owed = owedAuthentication(subscription);
  abandonAuthentication(draft, owed);
  return moveSubscription(draft, subscription, 'active', {
    ...changes,
    dunningInvoiceId: null,
    dunningStartedAt: null,
    dunningAttempts: 0,
    retryTerms: null,
    ...(owed === null ? {} : { pendingCheckout: null }),
    updatedAt: draft.now,
  });
}
