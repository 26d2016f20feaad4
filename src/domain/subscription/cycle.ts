// What time alone does to a running subscription: renewals, window resets, a scheduled cancellation at its boundary.
import { type FailureFacts, invoiceEvent, paymentFailed, paymentReceived } from '../payment-events.ts';
import { endAddons } from './addon-effects.ts';
import type { Decision, PeriodEndCommand, WindowResetCommand } from './aggregate.ts';
import { openCounts, resetPools } from './allowance.ts';
import { owedRefusal, periodArrears, rateRefusal, riseArrears, windowArrears } from './arrears.ts';
import { cadenceAt } from './cadence.ts';
import { isChargedChange } from './change-amounts.ts';
import { afterChange, announceChange, dueChange, settleChange } from './change-boundary.ts';
import type { PlanTarget } from './change-target.ts';
import { noMethodFailure, requestCharge } from './charging.ts';
import { deadlineId } from './deadlines.ts';
import { announcePastDue, startDunning } from './dunning.ts';
import { giveUpInvoice, isBelowMinimum, issuePeriodInvoice, issueWindowInvoice, payInvoice } from './invoicing.ts';
import { cancelAtBoundary } from './last-charge.ts';
import { boundPrice, isCharging, methodOf, planOf } from './lookup.ts';
import { scheduleOverdue } from './notices.ts';
import { boundOf, followingPeriod, followingWindow, isRecurring, planCadence, schedulePeriod, scheduleWindow } from './periods.ts';
import { firstBase, periodBase } from './priced-base.ts';
import { priceRefusal } from './refusals.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
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

function renew(work: Work, subscription: SubscriptionRow): Decision {
  const change = dueChange(work, subscription);
  if (change?.price === null) return becomeFree(work, subscription, change);
  const bound = afterChange(subscription, change);
  const price = change?.price ?? boundPrice(work, bound);
  if ('failure' in price) return work.refuse(priceRefusal(price.failure));
  const cadence = change === null ? cadenceAt(work, bound, work.dueAt) : planCadence;
  const following = followingPeriod(bound, work.dueAt, cadence);
  // A period shorter than its windows ends inside one, which goes on (OFR-13).
  const isInWindow = cadence.interval !== null && !cadence.isTurn && boundOf(subscription, subscription.windowEnd) > work.dueAt;
  const { windowStart, windowEnd, termsFrom } = subscription;
  const period = isInWindow ? { ...following, windowStart, windowEnd, termsFrom } : following;
  const base = change === null ? periodBase(work, bound, price.amountMinor, work.dueAt) : firstBase(price.amountMinor, null);
  const next: SubscriptionRow = { ...bound, ...period, effectiveBaseMinor: base.effectiveMinor, updatedAt: work.now };
  // A change whose own prices are missing has been dropped before.
  const refusal = change === null ? rateRefusal(work, subscription, next) : owedRefusal(work, subscription);
  if (refusal !== null) return work.refuse(refusal);
  const arrears = isInWindow ? riseArrears(work, subscription) : periodArrears(work, subscription);
  const renewed = settleChange(work, subscription, work.subscriptions.put(next), change);
  const span = { start: work.dueAt, end: boundOf(renewed, period.periodEnd) };
  openCounts(work, renewed);
  const invoice = issuePeriodInvoice(work, renewed, price, base, { period: span, arrears });
  if (!isInWindow) resetPools(work, renewed, false);
  schedulePeriod(work, renewed);
  work.item = { outcome: change === null ? 'renewed' : 'plan_changed', invoiceId: invoice.id, detail: null };
  if (change !== null) announceChange(work, subscription, renewed, invoice);
  return collect(work, renewed, invoice);
}

/** Moves to a free plan, which charges no base: what the paid one leaves is billed once (SUB-49). */
function becomeFree(work: Work, subscription: SubscriptionRow, change: PlanTarget): Decision {
  const refusal = owedRefusal(work, subscription);
  if (refusal !== null) return work.refuse(refusal);
  const arrears = periodArrears(work, subscription);
  const bound = afterChange(subscription, change);
  const period = followingPeriod(bound, work.dueAt);
  const left = work.subscriptions.put({ ...bound, ...period, effectiveBaseMinor: 0n, updatedAt: work.now });
  const free = settleChange(work, subscription, left, change);
  openCounts(work, free);
  const ended = { start: boundOf(subscription, subscription.windowStart), end: work.dueAt };
  const invoice = issueWindowInvoice(work, free, { period: ended, arrears, isPeriodEnd: true });
  resetPools(work, free, false);
  work.unschedule(deadlineId('period_end', free.id));
  work.unschedule(deadlineId('daily_scan', free.id, 'upcoming'));
  schedulePeriod(work, free);
  work.item = { outcome: 'plan_changed', invoiceId: invoice?.id ?? null, detail: null };
  announceChange(work, subscription, free, invoice);
  return invoice === null ? work.done('done', free.id) : collect(work, free, invoice);
}

/** Tells of the invoice of a period or window of a subscription in force and charges it, unless it asks for too little (BIL-6 step 9). */
export function collect(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): Decision {
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

/** The charge of a renewal or of a window settled: its item says already what happened. */
export function renewalSettled(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, transaction: TransactionRow): void {
  const paid = payInvoice(work, invoice, transaction);
  work.emit(paymentReceived(work.customer, paid, transaction));
  work.release(subscription.id);
}

/** The charge of a renewal or of a window failed, for whatever reason: dunning begins, unless it is going on over another invoice (BIL-40). */
export function renewalFailed(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): void {
  if (planOf(work, subscription).isFree) giveUpAddons(work, subscription, invoice, failure);
  else if (subscription.status === 'past_due') scheduleOverdue(work, subscription, invoice);
  else announcePastDue(work, startDunning(work, subscription, invoice), invoice, failure);
  work.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
}

/** A free plan charges nothing but add-ons: unpaid, they end, and so does the claim on them (BIL-11). */
function giveUpAddons(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): void {
  work.emit(paymentFailed(work.customer, giveUpInvoice(work, invoice), failure, null));
  endAddons(work, subscription);
}

/** Ends a consumption window: bills what it leaves, opens the next (BIL-9, BIL-10); on free and one-time plans it is the next period as well (SUB-62). */
export function windowReset(work: Work, subscription: SubscriptionRow, command: WindowResetCommand): Decision {
  if (subscription.windowEnd?.getTime() !== command.dueAt.getTime()) {
    work.complete(command);
    return work.done('unchanged', subscription.id);
  }
  // What the window leaves is on the invoice of the change that is being charged.
  if (work.invoices.all().some((invoice) => isChargedChange(subscription, invoice))) return work.finish({ kind: 'park' });
  const window = followingWindow(subscription, command.dueAt);
  const isWithinPeriod = isRecurring(subscription) || subscription.status === 'trialing';
  const fields = isWithinPeriod ? { windowStart: window.start, windowEnd: window.end } : followingPeriod(subscription, command.dueAt);
  const next: SubscriptionRow = { ...subscription, ...fields, updatedAt: work.now };
  const refusal = rateRefusal(work, subscription, next);
  if (refusal !== null) return work.refuse(refusal);
  const arrears = isWithinPeriod ? windowArrears(work, subscription) : periodArrears(work, subscription);
  const ended = { start: boundOf(subscription, subscription.windowStart), end: command.dueAt };
  const reset = work.subscriptions.put(next);
  if (!isWithinPeriod) openCounts(work, reset);
  const invoice = issueWindowInvoice(work, reset, { period: ended, arrears, isPeriodEnd: !isWithinPeriod });
  if (reset.status !== 'trialing') resetPools(work, reset, false);
  scheduleWindow(work, reset);
  work.item = { outcome: invoice === null ? 'reset' : 'overage_invoiced', invoiceId: invoice?.id ?? null, detail: null };
  return invoice === null ? work.done('done', subscription.id) : collect(work, reset, invoice);
}
