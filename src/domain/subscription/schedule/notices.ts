// Daily notices (BIL-4): each is a deadline of the daily scan at the first 00:00Z that lies within three days
// of what it is about.
import { addDays, nextMidnight } from '../../period.ts';
import { customerNotice, deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, SubscriptionRow } from '../state/rows.ts';

const noticeDays = 3;

/**
 * The scan that announces an end: three days before it, or the next one when that is past; null when none
 * comes before the end.
 */
function scanBefore(end: Date, now: Date): Date | null {
  const early = addDays(end, -noticeDays);
  const scan = early > now ? early : nextMidnight(now);
  return scan < end ? scan : null;
}

/**
 * Schedules `invoice.upcoming` before the renewal of a subscription; whether it is sent is settled when it is
 * due.
 */
export function scheduleUpcoming(draft: Draft, subscription: SubscriptionRow): void {
  const scan = subscription.periodEnd === null ? null : scanBefore(subscription.periodEnd, draft.now);
  if (scan === null) draft.unschedule(deadlineId('daily_scan', subscription.id, 'upcoming'));
  else draft.schedule(deadline(subscription, 'daily_scan', scan, 'upcoming', { notice: 'invoice.upcoming' }));
}

/** Schedules the notice of a renewal again if its scan sent nothing because of a cancellation. */
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

/** Schedules `trial.will_end` before the end of a trial. */
export function scheduleTrialNotice(draft: Draft, subscription: SubscriptionRow): void {
  const scan = subscription.trialEndsAt === null ? null : scanBefore(subscription.trialEndsAt, draft.now);
  if (scan !== null)
    draft.schedule(deadline(subscription, 'daily_scan', scan, 'trial', { notice: 'trial.will_end' }));
}

/**
 * Schedules `invoice.overdue` for the first scan after the due date of an outstanding invoice, with or
 * without a subscription.
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
      ? customerNotice(draft.customer, dueAt, invoice.id, data)
      : deadline(subscription, 'daily_scan', dueAt, invoice.id, data),
  );
}

/** Drops the overdue notice of an invoice that is no longer outstanding. */
export const dropOverdue = (draft: Draft, { id, subscriptionId, customerId }: InvoiceRow): void =>
  draft.unschedule(deadlineId('daily_scan', subscriptionId ?? customerId, id));
