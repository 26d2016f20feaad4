import { stateChanged, subscriptionCanceled } from '../subscription-events.ts';
import { endOffers } from './acceptance.ts';
import { dropAddons } from './addon-effects.ts';
import { openCounts } from './allowance.ts';
import { failTransaction } from './charging.ts';
import { voidInvoice } from './invoicing.ts';
import { endGrants } from './plan-grant-effects.ts';
import { dropQuote } from './quotes.ts';
import type { SubscriptionRow } from './rows.ts';
import { revokeScheduled } from './scheduled-change.ts';
import { accessStatuses, moveSubscription } from './state.ts';
import type { Work } from './work.ts';

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
 * Cancels a subscription: drops a scheduled change, voids its outstanding invoices, drops its deadlines, add-ons and plan grant, lets quoted offers expire, ends running ones, and
 * lets an authentication at its checkout go (SUB-24, SUB-28). Sends `subscription.plan_change_revoked`, `invoice.voided` for each invoice, `subscription.canceled` and the change
 * of state; nothing of that for a draft, of which nothing has been sent before.
 */
export function endSubscription(work: Work, subscription: SubscriptionRow, ending: Ending): SubscriptionRow {
  const { id } = subscription;
  const ended = revokeScheduled(work, subscription);
  for (const invoice of work.invoices.all()) {
    if (invoice.subscriptionId === id && invoice.status === 'outstanding') voidInvoice(work, invoice);
  }
  for (const transaction of work.transactions.all()) {
    if (transaction.subscriptionId === id && transaction.status === 'pending') failTransaction(work, transaction, 'canceled');
  }
  for (const application of work.offerApplications.all()) {
    if (application.subscriptionId === id && application.status === 'quoted') dropQuote(work, application, 'expired');
  }
  endOffers(work, subscription);
  for (const row of work.deadlinesOf(id)) work.unschedule(row.id);
  if (accessStatuses.includes(subscription.status)) openCounts(work, subscription);
  dropAddons(work, subscription);
  const bare = endGrants(work, ended);
  const canceled = work.subscriptions.put(
    moveSubscription(bare, 'canceled', {
      endDate: ending.endDate,
      cancelReason: ending.reason,
      canceledAt: ending.canceledAt,
      checkoutInvoiceId: null,
      dunningInvoiceId: null,
      dunningStartedAt: null,
      pendingCheckout: null,
      updatedAt: work.now,
    }),
  );
  if (subscription.status !== 'draft') {
    work.emit(subscriptionCanceled(work.customer, canceled));
    work.emit(stateChanged(work.customer, canceled, 'subscription_canceled'));
  }
  return canceled;
}
