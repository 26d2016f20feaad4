import { chargesWaived, type WaivedCharge } from '../../events/deadline-events.ts';
import { stateChanged, subscriptionCanceled } from '../../events/subscription-events.ts';
import type { CarriedCharge, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { endOffers } from '../allowances/acceptance.ts';
import { dropAddons } from '../allowances/addon-effects.ts';
import { openCounts } from '../allowances/allowance.ts';
import { settleUnbilled } from '../allowances/final-prices.ts';
import { endGrants } from '../allowances/plan-grant-effects.ts';
import { failTransaction } from '../invoicing/charging.ts';
import { endCorrections } from '../invoicing/corrections.ts';
import { voidInvoice } from '../invoicing/settling.ts';
import { revokeScheduled } from '../plan-change/scheduled-change.ts';
import { dropQuote } from '../pricing/quotes.ts';
import type { Draft } from '../state/draft.ts';
import { accessStatuses, moveSubscription } from '../state/transitions.ts';

/**
 * Converts a carried-over charge to a waived charge, because no invoice follows that could include the charge
 * (BIL-35).
 */
const waivedCharge = ({ issueDate, amount }: CarriedCharge): WaivedCharge => ({
  description: `Carried over from the invoice of ${issueDate}`,
  amount,
});

/** Reason and times of a cancellation. */
export type Ending = {
  readonly reason: string;
  /** Time at which the cancellation was requested or triggered. */
  readonly canceledAt: Date;
  /** Time at which access ends. */
  readonly endDate: Date;
  /** True if the prices of the usage window have been settled, because the window was billed. */
  readonly isSettled?: true;
  /** True if scheduled debits are still collected, because they pay the final charges. */
  readonly keepsScheduled?: true;
};

/**
 * Cancels a subscription (SUB-24, SUB-28). Cancels a scheduled change, voids open invoices except those that the customer still
 * pays, fails pending transactions except for processing debits,
 * expires quoted offers, ends accepted offers, removes deadlines, add-ons, and the plan grant, and waives carried-over
 * charges. Emits the events of these changes, except for add-ons, then `subscription.canceled` and the state change.
 * For a draft, emits no events, because drafts are created without an event.
 */
export function endSubscription(
  draft: Draft,
  subscription: SubscriptionRow,
  ending: Ending,
): SubscriptionRow {
  const { id } = subscription;
  if (ending.isSettled !== true) settleUnbilled(draft, subscription);
  revokeScheduled(draft, subscription);
  const isCollected = ({ stage }: TransactionRow): boolean =>
    stage === 'processing' || (stage === 'scheduled' && ending.keepsScheduled === true);
  const pending = draft.transactions
    .all()
    .filter(({ subscriptionId, status }) => subscriptionId === id && status === 'pending');
  const collected = pending.filter(isCollected);
  for (const invoice of draft.invoices.all()) {
    const isOpen = invoice.status === 'outstanding' || invoice.status === 'draft';
    // The bank already collects the invoice (INS-37), or the customer still owes the ended period.
    const isDebited = collected.some(({ invoiceId }) => invoiceId === invoice.id);
    const isLeft = ending.isSettled === true && invoice.payableUntil !== null;
    if (invoice.subscriptionId === id && isOpen && !isDebited && !isLeft) voidInvoice(draft, invoice);
  }
  const canceledIds = new Set<string>();
  for (const transaction of pending) {
    if (isCollected(transaction)) continue;
    canceledIds.add(transaction.id);
    failTransaction(draft, transaction, 'canceled', 'canceled');
  }
  for (const application of draft.offerApplications.all()) {
    if (application.subscriptionId === id && application.status === 'quoted')
      dropQuote(draft, application, 'expired');
  }
  endOffers(draft, subscription);
  // Lots stay stored, and their expiry continues (SUB-28).
  for (const row of draft.deadlinesOf(id)) {
    const isReport = row.kind === 'attempt_step' && !canceledIds.has(row.data.transactionId ?? '');
    const isKept = row.kind === 'lot_expiry' || row.kind === 'payment_due' || isReport;
    if (!isKept) draft.unschedule(row.id);
  }
  draft.release(id);
  if (accessStatuses.includes(subscription.status)) openCounts(draft, subscription);
  dropAddons(draft, subscription);
  endGrants(draft, subscription);
  const { carried } = draft.subscriptions.get(id);
  const waived = [...carried.map(waivedCharge), ...endCorrections(draft, subscription)];
  if (waived.length > 0) draft.emit(chargesWaived(draft.customer, subscription, waived));
  const canceled = moveSubscription(draft, subscription, 'canceled', {
    carried: [],
    endDate: ending.endDate,
    cancelReason: ending.reason,
    canceledAt: ending.canceledAt,
    checkoutInvoiceId: null,
    dunningInvoiceId: null,
    dunningStartedAt: null,
    retryTerms: null,
    pendingCheckout: null,
    updatedAt: draft.now,
  });
  if (subscription.status !== 'draft') {
    draft.emit(subscriptionCanceled(draft.customer, canceled));
    draft.emit(stateChanged(draft.customer, canceled, 'subscription_canceled'));
  }
  return canceled;
}

/** Cancels a subscription immediately and without a charge. Overrides a scheduled cancellation. */
export function endImmediately(draft: Draft, { id }: SubscriptionRow, reason: string): SubscriptionRow {
  const withdrawn = draft.subscriptions.patch(id, {
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelEffectiveAt: null,
  });
  return endSubscription(draft, withdrawn, { reason, canceledAt: draft.now, endDate: draft.now });
}
