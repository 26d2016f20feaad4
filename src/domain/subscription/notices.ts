// Daily notices (BIL-4): each is a deadline of the daily scan at the first 00:00Z that lies within three days of what it is about.

import { invoiceEvent, invoiceUpcoming } from '../payment-events.ts';
import { addDays, isoDate, nextMidnight } from '../period.ts';
import { trialEvent } from '../subscription-events.ts';
import type { DailyScanCommand, Decision } from './aggregate.ts';
import { customerNotice, deadline, deadlineId } from './deadlines.ts';
import { planOf } from './lookup.ts';
import type { InvoiceRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

const noticeDays = 3;

/** The scan that announces an end: three days before it, or the next one when that is past; null when none comes before the end. */
function scanBefore(end: Date, now: Date): Date | null {
  const early = addDays(end, -noticeDays);
  const scan = early > now ? early : nextMidnight(now);
  return scan < end ? scan : null;
}

/** Schedules `invoice.upcoming` before the renewal of a subscription; whether it is sent is settled when it is due. */
export function scheduleUpcoming(work: Work, subscription: SubscriptionRow): void {
  const scan = subscription.periodEnd === null ? null : scanBefore(subscription.periodEnd, work.now);
  if (scan === null) work.unschedule(deadlineId('daily_scan', subscription.id, 'upcoming'));
  else work.schedule(deadline(subscription, 'daily_scan', scan, 'upcoming', { notice: 'invoice.upcoming' }));
}

/** Schedules the notice of a renewal again if its scan passed in silence because a cancellation stood on that day. */
export function restoreUpcoming(work: Work, subscription: SubscriptionRow, cancellationScheduledAt: Date): void {
  const wasSilent = subscription.periodEnd !== null && cancellationScheduledAt < addDays(subscription.periodEnd, -noticeDays);
  const isPending = work.deadlinesOf(subscription.id).some(({ id }) => id === deadlineId('daily_scan', subscription.id, 'upcoming'));
  if (wasSilent && !isPending) scheduleUpcoming(work, subscription);
}

/** Schedules `trial.will_end` before the end of a trial. */
export function scheduleTrialNotice(work: Work, subscription: SubscriptionRow): void {
  const scan = subscription.trialEndsAt === null ? null : scanBefore(subscription.trialEndsAt, work.now);
  if (scan !== null) work.schedule(deadline(subscription, 'daily_scan', scan, 'trial', { notice: 'trial.will_end' }));
}

/** Schedules `invoice.overdue` for the first scan after the due date of an outstanding invoice, with or without a subscription. */
export function scheduleOverdue(work: Work, subscription: SubscriptionRow | null, invoice: InvoiceRow): void {
  const data = { notice: 'invoice.overdue', invoiceId: invoice.id } as const;
  const dueAt = nextMidnight(invoice.dueDate);
  work.schedule(
    subscription === null
      ? customerNotice(work.customer, dueAt, invoice.id, data)
      : deadline(subscription, 'daily_scan', dueAt, invoice.id, data),
  );
}

/** Drops the overdue notice of an invoice that is no longer outstanding. */
export const dropOverdue = (work: Work, { id, subscriptionId, customerId }: InvoiceRow): void =>
  work.unschedule(deadlineId('daily_scan', subscriptionId ?? customerId, id));

/** Sends the notice of a daily scan if it still holds; without a subscription it is about an invoice that has none. */
export function dailyScan(work: Work, subscription: SubscriptionRow | null, command: DailyScanCommand): Decision {
  const data = work.aggregate.deadlines.find(({ id }) => id === command.deadlineId)?.data;
  work.complete(command);
  const isAboutInvoice = data?.notice === 'invoice.overdue';
  const isSent = isAboutInvoice ? sendOverdue(work, data.invoiceId) : subscription !== null && sendNotice(work, subscription, data?.notice);
  return work.done(isSent ? 'done' : 'unchanged', subscription?.id ?? null);
}

function sendNotice(work: Work, subscription: SubscriptionRow, notice: string | undefined): boolean {
  const { id, status, trialEndsAt, periodEnd } = subscription;
  if (notice === 'trial.will_end' && status === 'trialing' && trialEndsAt !== null) {
    const event = trialEvent('trial.will_end', work.customer, subscription, planOf(work, subscription));
    work.emit({ ...event, cause: `trial.will_end:${id}:${isoDate(trialEndsAt)}` });
    return true;
  }
  if (notice === 'invoice.upcoming' && status === 'active' && !subscription.cancelAtPeriodEnd && periodEnd !== null) {
    const event = invoiceUpcoming(work.customer, subscription, planOf(work, subscription));
    work.emit({ ...event, cause: `invoice.upcoming:${id}:${isoDate(periodEnd)}` });
    return true;
  }
  return false;
}

function sendOverdue(work: Work, invoiceId: string | undefined): boolean {
  const invoice = invoiceId === undefined ? null : work.invoices.find(invoiceId);
  if (invoice?.status !== 'outstanding') return false;
  work.emit({ ...invoiceEvent('invoice.overdue', work.customer, invoice), cause: `invoice.overdue:${invoice.id}` });
  return true;
}
