import { invoiceEvent, invoiceUpcoming, methodExpiring } from '../../events/payment-events.ts';
import { trialEvent } from '../../events/subscription-events.ts';
import type { DeadlineData, SubscriptionRow } from '../../rows/rows.ts';
import { isoDate } from '../../time/period.ts';
import { lotEvent } from '../../usage/event-data.ts';
import { methodOf, planOf } from '../pricing/lookup.ts';
import { expiryOf, renewalOf } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type FromDeadline, unknownSubscription } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = FromDeadline & {
  readonly subscriptionId: string | null;
};

/**
 * Sends a notice that was scheduled for this day, if its condition still holds. A notice without a
 * subscription concerns an overdue invoice.
 */
export const dailyScan = customerCommand({
  kind: 'daily_scan',
  needs: ({ subscriptionId }: Input) => ({ subscriptions: subscriptionId === null ? [] : [subscriptionId] }),
  decide(draft: Draft, command: Input): Decision {
    const { subscriptionId } = command;
    const subscription = subscriptionId === null ? null : draft.subscriptions.find(subscriptionId);
    if (subscription === null && subscriptionId !== null)
      return draft.reject(unknownSubscription(subscriptionId));
    const data = draft.aggregate.deadlines.find(({ id }) => id === command.deadlineId)?.data;
    draft.complete(command);
    const isAboutInvoice = data?.notice === 'invoice.overdue';
    const isSent = isAboutInvoice
      ? sendOverdue(draft, data.invoiceId)
      : subscription !== null && sendNotice(draft, subscription, data);
    return draft.done(isSent ? 'done' : 'unchanged', subscription?.id ?? null);
  },
});

function sendNotice(
  draft: Draft,
  subscription: SubscriptionRow,
  { notice, lotId }: DeadlineData = {},
): boolean {
  const { id, status, trialEndsAt, periodEnd } = subscription;
  if (notice === 'trial.will_end' && status === 'trialing' && trialEndsAt !== null) {
    const event = trialEvent('trial.will_end', draft.customer, subscription, planOf(draft, subscription));
    draft.emit({ ...event, cause: `trial.will_end:${id}:${isoDate(trialEndsAt)}` });
    return true;
  }
  if (
    notice === 'invoice.upcoming' &&
    status === 'active' &&
    !subscription.cancelAtPeriodEnd &&
    periodEnd !== null
  ) {
    const event = invoiceUpcoming(draft.customer, subscription, planOf(draft, subscription));
    draft.emit({ ...event, cause: `invoice.upcoming:${id}:${isoDate(periodEnd)}` });
    return true;
  }
  if (notice === 'lot.expiring') return sendLotExpiring(draft, subscription, lotId);
  return notice === 'payment_method.expiring' && sendExpiring(draft, subscription);
}

/** Sends a notice about a lot with a remaining amount that ends in 7 days (PRM-21). */
function sendLotExpiring(draft: Draft, subscription: SubscriptionRow, lotId: string | undefined): boolean {
  const lot = lotId === undefined ? null : draft.lots.find(lotId);
  if (lot === null || lot.expiresAt === null || lot.remaining <= 0n) return false;
  const event = lotEvent('lot.expiring', { customer: draft.customer, subscription }, lot, lot.remaining);
  draft.emit({ ...event, cause: `lot.expiring:${lot.id}:${lot.expiresAt.toISOString()}` });
  return true;
}

/** Sends a notice about a card that expires before the next charge, once per card and charge (BIL-4a). */
function sendExpiring(draft: Draft, subscription: SubscriptionRow): boolean {
  const renewal = renewalOf(subscription);
  const method = methodOf(draft, subscription);
  if (renewal === null || method === null || expiryOf(method) > renewal) return false;
  const event = methodExpiring(draft.customer, subscription, planOf(draft, subscription), {
    method,
    renewal,
  });
  draft.emit({
    ...event,
    cause: `payment_method.expiring:${subscription.id}:${method.id}:${isoDate(renewal)}`,
  });
  return true;
}

function sendOverdue(draft: Draft, invoiceId: string | undefined): boolean {
  const invoice = invoiceId === undefined ? null : draft.invoices.find(invoiceId);
  if (invoice?.status !== 'outstanding' || invoice.finalizedAt === null) return false;
  draft.emit({
    ...invoiceEvent('invoice.overdue', draft.customer, invoice),
    cause: `invoice.overdue:${invoice.id}`,
  });
  return true;
}
