import { invoiceEvent, invoiceUpcoming } from '../../payment-events.ts';
import { isoDate } from '../../period.ts';
import { trialEvent } from '../../subscription-events.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type FromDeadline, unknownSubscription } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';

type Input = FromDeadline & {
  readonly subscriptionId: string | null;
};

/**
 * Sends the notice of a daily scan if it still holds; without a subscription it is about an invoice that has
 * none.
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
      : subscription !== null && sendNotice(draft, subscription, data?.notice);
    return draft.done(isSent ? 'done' : 'unchanged', subscription?.id ?? null);
  },
});

function sendNotice(draft: Draft, subscription: SubscriptionRow, notice: string | undefined): boolean {
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
  return false;
}

function sendOverdue(draft: Draft, invoiceId: string | undefined): boolean {
  const invoice = invoiceId === undefined ? null : draft.invoices.find(invoiceId);
  if (invoice?.status !== 'outstanding') return false;
  draft.emit({
    ...invoiceEvent('invoice.overdue', draft.customer, invoice),
    cause: `invoice.overdue:${invoice.id}`,
  });
  return true;
}
