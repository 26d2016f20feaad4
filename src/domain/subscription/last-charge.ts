// The end of a subscription at its boundary: what the last period leaves is billed and charged once, then it ends (SUB-25).
import { type FailureFacts, invoiceEvent, paymentFailed, paymentReceived } from '../payment-events.ts';
import type { Decision } from './aggregate.ts';
import { periodArrears } from './arrears.ts';
import { noMethodFailure, requestCharge } from './charging.ts';
import { endSubscription } from './ending.ts';
import { giveUpInvoice, isBelowMinimum, issueWindowInvoice, payInvoice } from './invoicing.ts';
import { methodOf } from './lookup.ts';
import { boundOf } from './periods.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import type { Work } from './work.ts';

/** Ends a subscription whose scheduled cancellation has come, after a last charge of what is owed for the period that ends (SUB-25). */
export function cancelAtBoundary(work: Work, subscription: SubscriptionRow): Decision {
  const period = { start: boundOf(subscription, subscription.windowStart), end: work.dueAt };
  const invoice = issueWindowInvoice(work, subscription, { period, arrears: periodArrears(work, subscription), isPeriodEnd: false });
  if (invoice !== null) return collectLast(work, subscription, invoice);
  cancelNow(work, subscription, null);
  return work.done('done', subscription.id);
}

// The subscription stays as it was until the charge is answered: the answer ends it.
function collectLast(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): Decision {
  const method = methodOf(work, subscription);
  if (isBelowMinimum(work, subscription, invoice)) {
    const paid = payInvoice(work, invoice, null);
    work.emit(invoiceEvent('invoice.created', work.customer, paid));
    cancelNow(work, subscription, invoice.id);
    return work.done('done', subscription.id, invoice.id);
  }
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  if (method === null) {
    lastChargeFailed(work, subscription, invoice, { ...noMethodFailure, provider: subscription.provider ?? 'platform' });
    return work.done('done', subscription.id, invoice.id);
  }
  requestCharge(work, subscription, invoice, method, false);
  work.item = { outcome: 'canceled', invoiceId: invoice.id, detail: null };
  return work.done('charging', subscription.id, invoice.id);
}

/** Whether an invoice is the last one of a subscription that ends at the boundary it was issued for. */
export const isLastInvoice = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
  subscription.cancelAtPeriodEnd && invoice.type === 'overage' && invoice.periodEnd >= boundOf(subscription, subscription.periodEnd);

/** The last charge settled: the subscription ends (SUB-25). */
export function lastChargeSettled(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, transaction: TransactionRow): void {
  const paid = payInvoice(work, invoice, transaction);
  work.emit(paymentReceived(work.customer, paid, transaction));
  cancelNow(work, subscription, invoice.id);
}

/** The last charge failed: the invoice is given up without dunning, and the subscription ends (SUB-25). */
export function lastChargeFailed(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, failure: FailureFacts): void {
  work.emit(paymentFailed(work.customer, giveUpInvoice(work, invoice), failure, null));
  cancelNow(work, subscription, invoice.id);
}

function cancelNow(work: Work, subscription: SubscriptionRow, invoiceId: string | null): void {
  const endDate = subscription.cancelEffectiveAt ?? work.dueAt;
  const canceledAt = subscription.cancellationScheduledAt ?? work.now;
  endSubscription(work, subscription, { reason: subscription.cancelReason ?? 'requested', canceledAt, endDate });
  work.item = { outcome: 'canceled', invoiceId, detail: null };
}
