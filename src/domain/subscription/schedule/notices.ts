// Daily notices (BIL-4). Each notice is a `daily_scan` deadline at 00:00 UTC. Notices about renewals and trials are sent up to 3 days
// before the event. Notices about expiring cards are sent up to 30 days before the charge, and notices about overdue invoices are sent
// after the due date.

import type { InvoiceRow, PaymentMethodRow, SubscriptionRow } from '../../rows/rows.ts';
import { addDays, nextMidnight } from '../../time/period.ts';
import { methodOf } from '../pricing/lookup.ts';
import { customerDeadline, deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';

const noticeDays = 3;

/** Number of days between the notice about an expiring card and the renewal. */
const cardNoticeDays = 30;

/**
 * Returns the time of the daily scan that announces `end`: `days` before `end`, or the next scan if that
 * time is in the past. `null` if no scan takes place before `end`.
 */
function scanBefore(end: Date, now: Date, days = noticeDays): Date | null {
  const early = addDays(end, -days);
  const scan = early > now ? early : nextMidnight(now);
  return scan < end ? scan : null;
}

/**
 * Schedules the `invoice.upcoming` event before the renewal of a subscription. When the notice is due, it's sent only
 * if the renewal is still scheduled.
 */
export function scheduleUpcoming(draft: Draft, subscription: SubscriptionRow): void {
  const scan = subscription.periodEnd === null ? null : scanBefore(subscription.periodEnd, draft.now);
  if (scan === null) draft.unschedule(deadlineId('daily_scan', subscription.id, 'upcoming'));
  else draft.schedule(deadline(subscription, 'daily_scan', scan, 'upcoming', { notice: 'invoice.upcoming' }));
}

/** Returns the expiration time of a card, which is the end of its expiration month. */
export const expiryOf = ({ expMonth, expYear }: Pick<PaymentMethodRow, 'expMonth' | 'expYear'>): Date =>
  new Date(Date.UTC(expYear, expMonth, 1));

/**
 * Returns the time of the next charge to the stored payment method: the end of the trial or period. `null` if
 * the subscription ends at that time or isn't charged then.
 */
export function renewalOf(subscription: SubscriptionRow): Date | null {
  const { status, trialEndsAt, periodEnd, cancelAtPeriodEnd, billingInterval } = subscription;
  if (cancelAtPeriodEnd) return null;
  if (status === 'trialing') return trialEndsAt;
  return status === 'active' && billingInterval !== null && billingInterval !== 'one_time' ? periodEnd : null;
}

/**
 * Schedules the `payment_method.expiring` event 30 days before the next charge if the card expires before the charge
 * (BIL-4a). Otherwise removes the notice.
 */
export function scheduleExpiring(draft: Draft, subscription: SubscriptionRow): void {
  const renewal = renewalOf(subscription);
  const method = methodOf(draft, subscription);
  const isExpiring = renewal !== null && method !== null && expiryOf(method) <= renewal;
  const scan = isExpiring ? scanBefore(renewal, draft.now, cardNoticeDays) : null;
  if (scan === null) draft.unschedule(deadlineId('daily_scan', subscription.id, 'expiring'));
  else
    draft.schedule(
      deadline(subscription, 'daily_scan', scan, 'expiring', { notice: 'payment_method.expiring' }),
    );
}

/** Reschedules the renewal notice if it was skipped because a cancellation was scheduled. */
export function restoreUpcoming(
  draft: Draft,
  subscription: SubscriptionRow,
  cancellationScheduledAt: Date,
): void {
  const wasSilent =
    subscription.periodEnd !== null && cancellationScheduledAt < addDays(subscription.periodEnd, -noticeDays);
  const isPending = draft
    .deadlinesOf(subscription.id)
    .some(({ id }) => id === deadlineId('daily_scan', subscription.id, 'upcoming'));
  if (wasSilent && !isPending) scheduleUpcoming(draft, subscription);
}

/** Schedules the `trial.will_end` event before the end of a trial. */
export function scheduleTrialNotice(draft: Draft, subscription: SubscriptionRow): void {
  const scan = subscription.trialEndsAt === null ? null : scanBefore(subscription.trialEndsAt, draft.now);
  if (scan !== null)
    draft.schedule(deadline(subscription, 'daily_scan', scan, 'trial', { notice: 'trial.will_end' }));
}

/**
 * Schedules the `invoice.overdue` event for the first scan after the due date. The invoice doesn't need a subscription.
 */
export function scheduleOverdue(
  draft: Draft,
  subscription: SubscriptionRow | null,
  invoice: InvoiceRow,
): void {
  const data = { notice: 'invoice.overdue', invoiceId: invoice.id } as const;
  const dueAt = nextMidnight(invoice.dueDate);
  draft.schedule(
    subscription === null
      ? customerDeadline(draft.customer, 'daily_scan', dueAt, invoice.id, data)
      : deadline(subscription, 'daily_scan', dueAt, invoice.id, data),
  );
}

/** Removes the overdue notice and the end of the collection of an invoice that is no longer outstanding. */
export function dropOverdue(
  draft: Draft,
  { id, subscriptionId, customerId, payableUntil }: InvoiceRow,
): void {
  draft.unschedule(deadlineId('daily_scan', subscriptionId ?? customerId, id));
  if (subscriptionId !== null && payableUntil !== null)
    draft.unschedule(deadlineId('payment_due', subscriptionId, id));
}
