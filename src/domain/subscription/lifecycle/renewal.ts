// The invoices of periods and windows of a running subscription: collected, settled or failed.
import { type FailureDetails, invoiceEvent, paymentFailed, paymentReceived } from '../../payment-events.ts';
import { endAddons } from '../allowances/addon-effects.ts';
import { noMethodFailure, requestCharge } from '../invoicing/charging.ts';
import { isBelowMinimum } from '../invoicing/invoicing.ts';
import { giveUpInvoice, payInvoice } from '../invoicing/settling.ts';
import { methodOf, planOf } from '../pricing/lookup.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../state/rows.ts';
import { announcePastDue, startDunning } from './dunning.ts';

/**
 * Announces the invoice of a period or window of a subscription in force and charges it. An invoice below the
 * minimum is not charged (BIL-6 step 9).
 */
export function collect(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): Decision {
  if (isBelowMinimum(draft, subscription, invoice)) {
    const paid = payInvoice(draft, invoice, null);
    draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
    return draft.done('done', subscription.id, invoice.id);
  }
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  const method = methodOf(draft, subscription);
  if (method === null) {
    renewalFailed(draft, subscription, invoice, {
      ...noMethodFailure,
      provider: subscription.provider ?? 'platform',
    });
    return draft.done('done', subscription.id, invoice.id);
  }
  requestCharge(draft, subscription, invoice, method, false);
  return draft.done('charging', subscription.id, invoice.id);
}

/** Settles the charge of a renewal or a window. Its run item stays as it is. */
export function renewalSettled(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
): void {
  const paid = payInvoice(draft, invoice, transaction);
  draft.emit(paymentReceived(draft.customer, paid, transaction));
  draft.release(subscription.id);
}

/**
 * Handles the failed charge of a renewal or a window: starts dunning, if it is not under way for another
 * invoice (BIL-40).
 */
export function renewalFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  if (planOf(draft, subscription).isFree) giveUpAddons(draft, subscription, invoice, failure);
  else if (subscription.status === 'past_due') scheduleOverdue(draft, subscription, invoice);
  else announcePastDue(draft, startDunning(draft, subscription, invoice), invoice, failure);
  draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
}

/**
 * Ends the add-ons of a free plan and gives up their unpaid invoice: a free plan charges nothing else
 * (BIL-11).
 */
function giveUpAddons(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  draft.emit(paymentFailed(draft.customer, giveUpInvoice(draft, invoice), failure, null));
  endAddons(draft, subscription);
}
