// The end of a subscription at its boundary: what the last period leaves is billed and charged once, then it
// ends (SUB-25).
import { type FailureDetails, invoiceEvent, paymentFailed, paymentReceived } from '../../payment-events.ts';
import { periodArrears } from '../allowances/arrears.ts';
import { noMethodFailure, requestCharge } from '../invoicing/charging.ts';
import { isBelowMinimum, issueWindowInvoice } from '../invoicing/invoicing.ts';
import { giveUpInvoice, payInvoice } from '../invoicing/settling.ts';
import { methodOf } from '../pricing/lookup.ts';
import { boundOf } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../state/rows.ts';
import { endSubscription } from './end-subscription.ts';

/**
 * Ends a subscription whose scheduled cancellation has come, after a last charge of what is owed for the
 * period that ends (SUB-25).
 */
export function cancelAtBoundary(draft: Draft, subscription: SubscriptionRow): Decision {
  const period = { start: boundOf(subscription, subscription.windowStart), end: draft.dueAt };
  const invoice = issueWindowInvoice(draft, subscription, {
    period,
    arrears: periodArrears(draft, subscription),
    isPeriodEnd: false,
  });
  if (invoice !== null) return collectLast(draft, subscription, invoice);
  cancelNow(draft, subscription, null);
  return draft.done('done', subscription.id);
}

// The answer to the charge ends the subscription. Until then it stays as it was.
function collectLast(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): Decision {
  const method = methodOf(draft, subscription);
  if (isBelowMinimum(draft, subscription, invoice)) {
    const paid = payInvoice(draft, invoice, null);
    draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
    cancelNow(draft, subscription, invoice.id);
    return draft.done('done', subscription.id, invoice.id);
  }
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  if (method === null) {
    lastChargeFailed(draft, subscription, invoice, {
      ...noMethodFailure,
      provider: subscription.provider ?? 'platform',
    });
    return draft.done('done', subscription.id, invoice.id);
  }
  requestCharge(draft, subscription, invoice, method, false);
  draft.item = { outcome: 'canceled', invoiceId: invoice.id, detail: null };
  return draft.done('charging', subscription.id, invoice.id);
}

/** Whether an invoice is the last one of a subscription that ends at the boundary it was issued for. */
export const isLastInvoice = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
  subscription.cancelAtPeriodEnd &&
  invoice.type === 'overage' &&
  invoice.periodEnd >= boundOf(subscription, subscription.periodEnd);

/** Settles the last charge and ends the subscription (SUB-25). */
export function lastChargeSettled(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
): void {
  const paid = payInvoice(draft, invoice, transaction);
  draft.emit(paymentReceived(draft.customer, paid, transaction));
  cancelNow(draft, subscription, invoice.id);
}

/**
 * Handles the failed last charge: gives up the invoice without dunning, and ends the subscription (SUB-25).
 */
export function lastChargeFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  draft.emit(paymentFailed(draft.customer, giveUpInvoice(draft, invoice), failure, null));
  cancelNow(draft, subscription, invoice.id);
}

function cancelNow(draft: Draft, subscription: SubscriptionRow, invoiceId: string | null): void {
  const endDate = subscription.cancelEffectiveAt ?? draft.dueAt;
  const canceledAt = subscription.cancellationScheduledAt ?? draft.now;
  endSubscription(draft, subscription, {
    reason: subscription.cancelReason ?? 'requested',
    canceledAt,
    endDate,
  });
  draft.item = { outcome: 'canceled', invoiceId, detail: null };
}
