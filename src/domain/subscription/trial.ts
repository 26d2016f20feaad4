// A trial: begun by a set-up checkout (SUB-16), ended by time (BIL-12).
import type { Refusal } from '../errors.ts';
import { type FailureFacts, invoiceEvent, paymentFailed, paymentReceived } from '../payment-events.ts';
import { addDays, boundary, earlier, utcMidnight } from '../period.ts';
import { stateChanged, subscriptionActivated, trialEvent } from '../subscription-events.ts';
import { acceptQuote } from './acceptance.ts';
import { addonRateRefusal } from './addon-bases.ts';
import type { Decision, TrialEndCommand } from './aggregate.ts';
import { beginCounts, openCounts, resetPools } from './allowance.ts';
import { noArrears } from './arrears.ts';
import { cadenceAt } from './cadence.ts';
import { afterChange, announceChange, dueChange, settleChange } from './change-boundary.ts';
import type { PlanTarget } from './change-target.ts';
import { noMethodFailure, requestCharge } from './charging.ts';
import { collect } from './cycle.ts';
import { deadline, deadlineId } from './deadlines.ts';
import { announcePastDue, startDunning } from './dunning.ts';
import { isBelowMinimum, issuePeriodInvoice, issueWindowInvoice, payInvoice } from './invoicing.ts';
import { cancelAtBoundary } from './last-charge.ts';
import { boundPrice, isCharging, methodOf, planOf, quotedTrialDays } from './lookup.ts';
import { scheduleOverdue, scheduleTrialNotice } from './notices.ts';
import { boundOf, openedPeriod, schedulePeriod, scheduleWindow } from './periods.ts';
import { firstBase, periodBase } from './priced-base.ts';
import { priceRefusal } from './refusals.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { seatRateRefusal } from './seats.ts';
import { moveSubscription } from './state.ts';
import type { Work } from './work.ts';

/** Starts the trial a set-up checkout was for: it ends at 00:00Z of the day that many days from today (SUB-16). */
export function startTrial(work: Work, subscription: SubscriptionRow, paymentMethodId: string): SubscriptionRow {
  const start = utcMidnight(work.now);
  const trialEndsAt = addDays(start, quotedTrialDays(work, subscription));
  const trialing = work.subscriptions.put(
    moveSubscription(subscription, 'trialing', {
      paymentMethodId,
      pendingCheckout: null,
      trialEndsAt,
      anchorDate: start,
      periodStart: start,
      periodEnd: trialEndsAt,
      windowStart: start,
      windowEnd: earlier(boundary(start, 'monthly', 1), trialEndsAt),
      termsFrom: work.now,
      updatedAt: work.now,
    }),
  );
  acceptQuote(work, trialing);
  beginCounts(work, trialing);
  resetPools(work, trialing, true);
  work.schedule(deadline(trialing, 'trial_end', trialEndsAt));
  scheduleWindow(work, trialing);
  scheduleTrialNotice(work, trialing);
  work.emit(trialEvent('trial.started', work.customer, trialing, planOf(work, trialing)));
  work.emit(stateChanged(work.customer, trialing, 'trial_started'));
  return trialing;
}

/** Ends a trial: cancels what was to end with it, else opens the first paid period, issues its invoice and charges it (BIL-12). */
export function trialEnd(work: Work, subscription: SubscriptionRow, command: TrialEndCommand): Decision {
  if (subscription.status !== 'trialing' || subscription.trialEndsAt?.getTime() !== command.dueAt.getTime()) {
    work.complete(command);
    return work.done('unchanged', subscription.id);
  }
  if (isCharging(work, subscription)) return work.finish({ kind: 'park' });
  if (subscription.cancelAtPeriodEnd) {
    emitExpired(work, { ...subscription, status: 'canceled' });
    return cancelAtBoundary(work, subscription);
  }
  const change = dueChange(work, subscription);
  if (change?.price === null) return becomeFree(work, subscription, change, command);
  const bound = afterChange(subscription, change);
  const price = change?.price ?? boundPrice(work, bound);
  if ('failure' in price) return work.refuse(priceRefusal(price.failure));
  const missing = change === null ? rateRefusal(work, bound, price.currency) : null;
  if (missing !== null) return work.refuse(missing);
  work.complete(command);
  const period = openedPeriod(bound, work.dueAt, change === null ? cadenceAt(work, bound, work.dueAt).interval : null);
  const base = change === null ? periodBase(work, bound, price.amountMinor, work.dueAt) : firstBase(price.amountMinor, null);
  const opened = work.subscriptions.put({ ...bound, ...period, effectiveBaseMinor: base.effectiveMinor, updatedAt: work.now });
  settleChange(work, subscription, opened, change);
  const span = { start: boundOf(opened, period.periodStart), end: boundOf(opened, period.periodEnd) };
  // The terms are those of the paid period, which a trial would restrict (CON-3).
  const paid: SubscriptionRow = { ...opened, status: 'active' };
  openCounts(work, paid);
  const invoice = issuePeriodInvoice(work, paid, price, base, { period: span, arrears: noArrears });
  resetPools(work, paid, false);
  if (change !== null) announceChange(work, subscription, opened, invoice);
  return collectFirst(work, opened, invoice);
}

/** Why the first paid period cannot be charged in its currency (CAT-28, CAT-44); null when it can. */
const rateRefusal = (work: Work, subscription: SubscriptionRow, currency: string): Refusal | null =>
  seatRateRefusal(work.aggregate.catalog, subscription.planId, subscription.initialSeats, currency, work.dueAt) ??
  addonRateRefusal(work, subscription);

/**
 * Ends a trial on a free plan: the subscription is in force for the first time, whatever becomes of the charge for the add-ons of its first
 * window, and nothing else is charged (SUB-44, SUB-49, BIL-10).
 */
function becomeFree(work: Work, subscription: SubscriptionRow, change: PlanTarget, command: TrialEndCommand): Decision {
  work.complete(command);
  const bound = afterChange(subscription, change);
  const fields = { ...openedPeriod(bound, work.dueAt), effectiveBaseMinor: 0n, activatedAt: work.now, updatedAt: work.now };
  const left = work.subscriptions.put(moveSubscription(bound, 'active', fields));
  const active = settleChange(work, subscription, left, change);
  openCounts(work, active);
  const ended = { start: boundOf(subscription, subscription.windowStart), end: work.dueAt };
  const invoice = issueWindowInvoice(work, active, { period: ended, arrears: noArrears, isPeriodEnd: true });
  resetPools(work, active, false);
  schedulePeriod(work, active);
  emitExpired(work, active);
  work.emit(subscriptionActivated(work.customer, active, null, null));
  work.emit(stateChanged(work.customer, active, 'trial_expired'));
  announceChange(work, subscription, active, invoice);
  work.item = { outcome: 'plan_changed', invoiceId: invoice?.id ?? null, detail: null };
  return invoice === null ? work.done('done', active.id) : collect(work, active, invoice);
}

// `trial.expired` comes first and tells the status after the trial, so all events wait for the answer to the charge.
function collectFirst(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): Decision {
  const method = methodOf(work, subscription);
  if (isBelowMinimum(work, subscription, invoice)) {
    trialConverted(work, subscription, invoice, null);
    return work.done('done', subscription.id, invoice.id);
  }
  if (method === null) {
    trialUnpaid(work, subscription, invoice, { ...noMethodFailure, provider: subscription.provider ?? 'platform' });
    return work.done('done', subscription.id, invoice.id);
  }
  requestCharge(work, subscription, invoice, method, false);
  work.item = { outcome: 'trial_converted', invoiceId: invoice.id, detail: null };
  return work.done('charging', subscription.id, invoice.id);
}

const emitExpired = (work: Work, subscription: SubscriptionRow): void =>
  work.emit(trialEvent('trial.expired', work.customer, subscription, planOf(work, subscription)));

/** The first charge settled, or there was nothing to charge: the subscription is active and activated for the first time (SUB-19). */
export function trialConverted(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, transaction: TransactionRow | null): void {
  const paid = payInvoice(work, invoice, transaction);
  const active = work.subscriptions.put(moveSubscription(subscription, 'active', { activatedAt: work.now, updatedAt: work.now }));
  schedulePeriod(work, active);
  emitExpired(work, active);
  work.emit(invoiceEvent('invoice.created', work.customer, transaction === null ? paid : invoice));
  if (transaction !== null) work.emit(paymentReceived(work.customer, paid, transaction));
  work.emit(subscriptionActivated(work.customer, active, paid, transaction?.provider ?? null));
  work.emit(stateChanged(work.customer, active, 'trial_expired'));
  work.item = { outcome: 'trial_converted', invoiceId: invoice.id, detail: null };
}

/** The first charge was declined: access goes on while dunning tries again. */
export function trialDeclined(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): void {
  const pastDue = startDunning(work, subscription, invoice);
  schedulePeriod(work, pastDue);
  emitExpired(work, pastDue);
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  announcePastDue(work, pastDue, invoice, failure);
  work.item = { outcome: 'trial_past_due', invoiceId: invoice.id, detail: failure.code };
}

/** Only the customer can make the first charge happen: access ends until it is paid at the checkout, without dunning. */
export function trialUnpaid(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): void {
  const noPeriod = { anchorDate: null, periodStart: null, periodEnd: null, windowStart: null, windowEnd: null, termsFrom: null };
  const pending = work.subscriptions.put(
    moveSubscription(subscription, 'pending_payment', { ...noPeriod, checkoutInvoiceId: invoice.id, updatedAt: work.now }),
  );
  work.unschedule(deadlineId('window_reset', pending.id));
  scheduleOverdue(work, pending, invoice);
  emitExpired(work, pending);
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  work.emit(paymentFailed(work.customer, invoice, failure, { page: 'checkout', subjectId: pending.id }));
  work.emit(stateChanged(work.customer, pending, 'trial_expired'));
  work.item = { outcome: 'trial_pending_payment', invoiceId: invoice.id, detail: failure.code };
}
