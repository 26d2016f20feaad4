import { stateChanged, subscriptionCanceled } from '../../subscription-events.ts';
import { endOffers } from '../allowances/acceptance.ts';
import { dropAddons } from '../allowances/addon-effects.ts';
import { openCounts } from '../allowances/allowance.ts';
import { endGrants } from '../allowances/plan-grant-effects.ts';
import { failTransaction } from '../invoicing/charging.ts';
import { voidInvoice } from '../invoicing/settling.ts';
import { revokeScheduled } from '../plan-change/scheduled-change.ts';
import { dropQuote } from '../pricing/quotes.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { accessStatuses, moveSubscription } from '../state/transitions.ts';

/** How and when a subscription ends. */
export type Ending = {
  /** SUB-28a. */
  readonly reason: string;
  /** The moment of the request or trigger. */
  readonly canceledAt: Date;
  /** When access ends. */
  readonly endDate: Date;
};

/**
 * Cancels a subscription: drops a scheduled change, voids its outstanding invoices, drops its deadlines,
 * add-ons and plan grant, lets quoted offers expire, ends running ones, and lets an authentication at its
 * checkout go (SUB-24, SUB-28). Sends `subscription.plan_change_revoked`, `invoice.voided` for each invoice,
 * `subscription.canceled` and the change of state; nothing of that for a draft, of which nothing has been
 * sent before.
 */
export function endSubscription(
  draft: Draft,
  subscription: SubscriptionRow,
  ending: Ending,
): SubscriptionRow {
  const { id } = subscription;
  revokeScheduled(draft, subscription);
  for (const invoice of draft.invoices.all()) {
    if (invoice.subscriptionId === id && invoice.status === 'outstanding') voidInvoice(draft, invoice);
  }
  for (const transaction of draft.transactions.all()) {
    if (transaction.subscriptionId === id && transaction.status === 'pending')
      failTransaction(draft, transaction, 'canceled');
  }
  for (const application of draft.offerApplications.all()) {
    if (application.subscriptionId === id && application.status === 'quoted')
      dropQuote(draft, application, 'expired');
  }
  endOffers(draft, subscription);
  for (const row of draft.deadlinesOf(id)) draft.unschedule(row.id);
  if (accessStatuses.includes(subscription.status)) openCounts(draft, subscription);
  dropAddons(draft, subscription);
  endGrants(draft, subscription);
  const canceled = moveSubscription(draft, subscription, 'canceled', {
    endDate: ending.endDate,
    cancelReason: ending.reason,
    canceledAt: ending.canceledAt,
    checkoutInvoiceId: null,
    dunningInvoiceId: null,
    dunningStartedAt: null,
    pendingCheckout: null,
    updatedAt: draft.now,
  });
  if (subscription.status !== 'draft') {
    draft.emit(subscriptionCanceled(draft.customer, canceled));
    draft.emit(stateChanged(draft.customer, canceled, 'subscription_canceled'));
  }
  return canceled;
}

/** Cancels a subscription now and charges nothing; a cancellation that was scheduled gives way to it. */
export function endAtOnce(draft: Draft, { id }: SubscriptionRow, reason: string): SubscriptionRow {
  const withdrawn = draft.subscriptions.patch(id, {
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelEffectiveAt: null,
  });
  return endSubscription(draft, withdrawn, { reason, canceledAt: draft.now, endDate: draft.now });
}
