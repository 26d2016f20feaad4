// Ends a subscription at the end of its period, after billing the final charges (SUB-25).
import { chargesWaived } from '../../events/deadline-events.ts';
import {
  type FailureDetails,
  invoiceEvent,
  paymentFailed,
  paymentReceived,
} from '../../events/payment-events.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { TaxNotComputedError } from '../../tax/tax.ts';
import { type Arrears, periodArrears } from '../allowances/arrears.ts';
import { lastArrears } from '../allowances/billable-arrears.ts';
import { billedUsage, settlePrices } from '../allowances/final-prices.ts';
import { noMethodFailure, requestCharge } from '../invoicing/charging.ts';
import { isBelowMinimum, issueWindowInvoice, minimumCharge } from '../invoicing/invoicing.ts';
import { payFromAccount } from '../invoicing/receipts.ts';
import { markUncollectible, payInvoice } from '../invoicing/settling.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { methodOf } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { endSubscription } from './end-subscription.ts';
import { leaveUncharged } from './payer-collection.ts';

/**
 * Runs a scheduled cancellation: bills the final charges of the ending period, then ends the subscription
 * (SUB-25). Charges that can't be billed don't prevent the end (SUB-25a).
 */
export function cancelAtBoundary(draft: Draft, subscription: SubscriptionRow): Decision {
  const invoice = issueLast(draft, subscription, periodArrears(draft, subscription), true);
  if (invoice !== null) return collectLast(draft, subscription, invoice);
  cancelNow(draft, subscription, null);
  return draft.done('done', subscription.id);
}

/**
 * Issues the final invoice for the ending usage window. Returns `null` if there is nothing to charge. Waives charges
 * that don't fit on an invoice and emits an event. Settles the prices of the usage window. Waives all charges if the tax can't be computed, so that the
 * subscription can always end (SUB-25a).
 */
export function issueLast(
  draft: Draft,
  subscription: SubscriptionRow,
  arrears: Arrears,
  isLast = false,
): InvoiceRow | null {
  const period = { start: boundOf(subscription, subscription.windowStart), end: draft.dueAt };
  const canIssue = isTaxKnown(draft);
  const { billable, waived } = lastArrears(arrears, canIssue);
  settlePrices(draft, subscription, billedUsage(billable));
  const details = { period, arrears: billable, isPeriodEnd: false, isLast };
  const invoice = canIssue ? issueWindowInvoice(draft, subscription, details) : null;
  if (waived.length > 0) draft.emit(chargesWaived(draft.customer, subscription, waived));
  return invoice;
}

/** Returns true if the tax of a new invoice can be computed. */
function isTaxKnown(draft: Draft): boolean {
  try {
    customerTax(draft);
    return true;
  } catch (error) {
    if (error instanceof TaxNotComputedError) return false;
    throw error;
  }
}

// Charges the final invoice. The subscription ends when the result of the charge is known or a bank debit is accepted, and
// doesn't change until then.
function collectLast(draft: Draft, subscription: SubscriptionRow, issued: InvoiceRow): Decision {
  if (isBelowMinimum(draft, subscription, issued)) {
    const invoice = issued;
    const paid = payInvoice(draft, invoice, null);
    draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
    cancelNow(draft, subscription, invoice.id);
    return draft.done('done', subscription.id, invoice.id);
  }
  const least = minimumCharge(draft, subscription, issued.currency);
  const { invoice, transaction } = payFromAccount(draft, issued, least);
  if (transaction !== null) {
    draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
    lastChargeSettled(draft, subscription, invoice, transaction);
    return draft.done('done', subscription.id, invoice.id);
  }
  const method = methodOf(draft, subscription);
  const isLeft = leaveUncharged(draft, subscription, invoice, method);
  draft.emit(invoiceEvent('invoice.created', draft.customer, draft.invoices.get(invoice.id)));
  if (isLeft) {
    cancelNow(draft, subscription, invoice.id);
    return draft.done('done', subscription.id, invoice.id);
  }
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

/** Returns true if the invoice is the final invoice of a subscription that ends with the invoiced period. */
export const isLastInvoice = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
  subscription.cancelAtPeriodEnd &&
  invoice.type === 'overage' &&
  invoice.periodEnd >= boundOf(subscription, subscription.periodEnd);

/** Settles the final charge and ends the subscription (SUB-25). */
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
 * Handles a failed final charge: marks the invoice as uncollectible without dunning, and ends the
 * subscription (SUB-25).
 */
export function lastChargeFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  draft.emit(paymentFailed(draft.customer, markUncollectible(draft, invoice), failure, null));
  cancelNow(draft, subscription, invoice.id);
}

/** Ends the subscription when the final bank debit is accepted. The debit is still collected. */
export const lastDebitAccepted = (draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void =>
  cancelNow(draft, subscription, invoice.id, true);

function cancelNow(
  draft: Draft,
  subscription: SubscriptionRow,
  invoiceId: string | null,
  keepsScheduled = false,
): void {
  const endDate = subscription.cancelEffectiveAt ?? draft.dueAt;
  const canceledAt = subscription.cancellationScheduledAt ?? draft.now;
  endSubscription(draft, subscription, {
    reason: subscription.cancelReason ?? 'requested',
    canceledAt,
    endDate,
    isSettled: true,
    ...(keepsScheduled ? { keepsScheduled } : {}),
  });
  draft.item = { outcome: 'canceled', invoiceId, detail: null };
}
