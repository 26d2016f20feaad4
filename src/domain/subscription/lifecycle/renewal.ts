// Collects the invoices of active subscriptions for billing periods and usage windows.
import {
  type FailureDetails,
  invoiceEvent,
  paymentFailed,
  paymentReceived,
} from '../../events/payment-events.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { endAddons } from '../allowances/addon-effects.ts';
import { noMethodFailure, requestCharge } from '../invoicing/charging.ts';
import { isBelowMinimum, minimumCharge } from '../invoicing/invoicing.ts';
import { payFromAccount } from '../invoicing/receipts.ts';
import { carryOver, markUncollectible, payInvoice } from '../invoicing/settling.ts';
import { methodOf, planOf } from '../pricing/lookup.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { announcePastDue, startDunning } from './dunning.ts';
import { leaveUncharged } from './payer-collection.ts';

/**
 * Emits and charges the invoice of an active subscription for a billing period or usage window. An invoice below the
 * minimum charge isn't charged; its charges are carried over to the next invoice (BIL-6 step 9, BIL-35). Money on account pays the
 * invoice first (INS-73).
 */
export function collect(draft: Draft, subscription: SubscriptionRow, issued: InvoiceRow): Decision {
  if (isBelowMinimum(draft, subscription, issued)) {
    const invoice = issued;
    // Don't carry the charges over if customer credit was used, because the credit could expire before the
    // next invoice.
    if (invoice.total > 0n && invoice.creditApplied === 0n) {
      draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
      carryOver(draft, subscription, invoice);
    } else {
      const paid = payInvoice(draft, invoice, null);
      draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
    }
    return draft.done('done', subscription.id, invoice.id);
  }
  const least = minimumCharge(draft, subscription, issued.currency);
  const { invoice, transaction } = payFromAccount(draft, issued, least);
  if (transaction !== null) {
    draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
    renewalSettled(draft, subscription, invoice, transaction);
    return draft.done('done', subscription.id, invoice.id);
  }
  const method = methodOf(draft, subscription);
  const isLeft = leaveUncharged(draft, subscription, invoice, method);
  draft.emit(invoiceEvent('invoice.created', draft.customer, draft.invoices.get(invoice.id)));
  if (isLeft) return draft.done('done', subscription.id, invoice.id);
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

/**
 * Settles the charge of an invoice for a billing period or usage window. The result of the deadline that issued the
 * invoice doesn't change.
 */
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
 * Handles a failed charge of an invoice for a billing period or usage window. Starts dunning unless another invoice
 * is already in dunning (BIL-40). On a free plan, ends the add-ons instead (BIL-11).
 */
export function renewalFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  if (planOf(draft, subscription).isFree) endUnpaidAddons(draft, subscription, invoice, failure);
  else if (subscription.status === 'past_due') scheduleOverdue(draft, subscription, invoice);
  else announcePastDue(draft, startDunning(draft, subscription, invoice), invoice, failure);
  draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
}

/**
 * Ends the add-ons of a free plan and marks their unpaid invoice as uncollectible. Free plans have no other
 * charges (BIL-11).
 */
function endUnpaidAddons(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  draft.emit(paymentFailed(draft.customer, markUncollectible(draft, invoice), failure, null));
  endAddons(draft, subscription);
}
