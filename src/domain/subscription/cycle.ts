// What time alone does to a running subscription: renewals, window resets, a scheduled cancellation at its boundary.
import { type FailureFacts, invoiceEvent, paymentReceived } from '../event-data.ts';
import type { Decision, PeriodEndCommand, WindowResetCommand } from './aggregate.ts';
import { noMethodFailure, requestCharge } from './charging.ts';
import { announcePastDue, startDunning } from './dunning.ts';
import { endSubscription } from './ending.ts';
import { isBelowMinimum, issuePeriodInvoice, payInvoice } from './invoicing.ts';
import { boundPrice, isCharging, methodOf } from './lookup.ts';
import { periodBase } from './offering.ts';
import { boundOf, followingPeriod, followingWindow, isRecurring, schedulePeriod, scheduleWindow } from './periods.ts';
import { priceRefusal } from './refusals.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { seatRateRefusal } from './seats.ts';
import type { Work } from './work.ts';

/** Ends a billing period (BIL-6 to BIL-8): cancels what was to end with it, else opens the next one, issues its invoice and charges it. */
export function periodEnd(work: Work, subscription: SubscriptionRow, command: PeriodEndCommand): Decision {
  const { status, id } = subscription;
  const isDue = (status === 'active' || status === 'past_due') && subscription.periodEnd?.getTime() === command.dueAt.getTime();
  if (!isDue) {
    work.complete(command);
    return work.done('unchanged', id);
  }
  // A period does not end before the invoice of the last one is settled one way or the other.
  if (status === 'past_due' || isCharging(work, subscription)) return work.finish({ kind: 'park' });
  if (subscription.cancelAtPeriodEnd) return cancelAtBoundary(work, subscription);
  return renew(work, subscription);
}

/** Ends a subscription whose scheduled cancellation has come (SUB-25). */
export function cancelAtBoundary(work: Work, subscription: SubscriptionRow): Decision {
  const endDate = subscription.cancelEffectiveAt ?? work.dueAt;
  const canceledAt = subscription.cancellationScheduledAt ?? work.now;
  endSubscription(work, subscription, { reason: subscription.cancelReason ?? 'requested', canceledAt, endDate });
  work.item = { outcome: 'canceled', invoiceId: null, detail: null };
  return work.done('done', subscription.id);
}

function renew(work: Work, subscription: SubscriptionRow): Decision {
  const price = boundPrice(work, subscription);
  if ('failure' in price) return work.refuse(priceRefusal(price.failure));
  const refusal = seatRateRefusal(work.aggregate.catalog, subscription.planId, subscription.initialSeats, price.currency, work.dueAt);
  if (refusal !== null) return work.refuse(refusal);
  const period = followingPeriod(subscription, work.dueAt);
  const base = periodBase(work, subscription, price.amountMinor, work.dueAt);
  const renewed = work.subscriptions.put({ ...subscription, ...period, effectiveBaseMinor: base.effectiveMinor, updatedAt: work.now });
  const span = { start: work.dueAt, end: boundOf(renewed, period.periodEnd) };
  const invoice = issuePeriodInvoice(work, renewed, price, base, span);
  schedulePeriod(work, renewed);
  work.item = { outcome: 'renewed', invoiceId: invoice.id, detail: null };
  return collect(work, renewed, invoice);
}

function collect(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): Decision {
  if (isBelowMinimum(work, subscription, invoice)) {
    const paid = payInvoice(work, invoice, null);
    work.emit(invoiceEvent('invoice.created', work.customer, paid));
    return work.done('done', subscription.id, invoice.id);
  }
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  const method = methodOf(work, subscription);
  if (method === null) {
    renewalFailed(work, subscription, invoice, { ...noMethodFailure, provider: subscription.provider ?? 'platform' });
    return work.done('done', subscription.id, invoice.id);
  }
  requestCharge(work, subscription, invoice, method, false);
  return work.done('charging', subscription.id, invoice.id);
}

/** The charge of a renewal settled. */
export function renewalSettled(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, transaction: TransactionRow): void {
  const paid = payInvoice(work, invoice, transaction);
  work.emit(paymentReceived(work.customer, paid, transaction));
  work.item = { outcome: 'renewed', invoiceId: invoice.id, detail: null };
  work.release(subscription.id);
}

/** The charge of a renewal failed, for whatever reason: dunning begins (BIL-40). */
export function renewalFailed(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): void {
  const pastDue = startDunning(work, subscription, invoice);
  announcePastDue(work, pastDue, invoice, failure);
  work.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
}

/** Opens the next consumption window (BIL-9, BIL-10); on free and one-time plans it is the next period as well (SUB-62). */
export function windowReset(work: Work, subscription: SubscriptionRow, command: WindowResetCommand): Decision {
  if (subscription.windowEnd?.getTime() !== command.dueAt.getTime()) {
    work.complete(command);
    return work.done('unchanged', subscription.id);
  }
  const window = followingWindow(subscription, command.dueAt);
  const isWithinPeriod = isRecurring(subscription) || subscription.status === 'trialing';
  const fields = isWithinPeriod ? { windowStart: window.start, windowEnd: window.end } : followingPeriod(subscription, command.dueAt);
  const reset = work.subscriptions.put({ ...subscription, ...fields, updatedAt: work.now });
  scheduleWindow(work, reset);
  work.item = { outcome: 'reset', invoiceId: null, detail: null };
  return work.done('done', subscription.id);
}
