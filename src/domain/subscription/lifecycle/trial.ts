// Starts a trial after a setup checkout (SUB-16), and ends the trial (BIL-12).
import {
  type FailureDetails,
  invoiceEvent,
  paymentFailed,
  paymentReceived,
} from '../../events/payment-events.ts';
import { stateChanged, subscriptionActivated, trialEvent } from '../../events/subscription-events.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { addDays, boundary, earlier, utcMidnight } from '../../time/period.ts';
import { acceptQuote } from '../allowances/acceptance.ts';
import { beginCounts, resetPools } from '../allowances/allowance.ts';
import { parkedInvoice } from '../invoicing/open-invoice.ts';
import { finalizeInvoice, payInvoice, voidInvoice } from '../invoicing/settling.ts';
import { planOf, quotedTrialDays } from '../pricing/lookup.ts';
import { scheduleExpiring, scheduleTrialNotice } from '../schedule/notices.ts';
import { schedulePeriod, scheduleWindow } from '../schedule/periods.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { moveSubscription } from '../state/transitions.ts';
import { announcePastDue, startDunning } from './dunning.ts';

/**
 * Starts the trial of a setup checkout. The trial ends at 00:00 UTC, the quoted number of days after today
 * (SUB-16).
 */
export function startTrial(
  draft: Draft,
  subscription: SubscriptionRow,
  paymentMethodId: string,
): SubscriptionRow {
  const parked = parkedInvoice(draft, subscription);
  if (parked !== null) voidInvoice(draft, parked);
  const start = utcMidnight(draft.now);
  const trialEndsAt = addDays(start, quotedTrialDays(draft, subscription));
  const trialing = moveSubscription(draft, subscription, 'trialing', {
    paymentMethodId,
    pendingCheckout: null,
    trialEndsAt,
    anchorDate: start,
    periodStart: start,
    periodEnd: trialEndsAt,
    windowStart: start,
    windowEnd: earlier(boundary(start, 'monthly', 1), trialEndsAt),
    termsFrom: draft.now,
    updatedAt: draft.now,
  });
  draft.unschedule(deadlineId('checkout_expiry', trialing.id));
  acceptQuote(draft, trialing);
  beginCounts(draft, trialing);
  resetPools(draft, trialing, 'first');
  draft.schedule(deadline(trialing, 'trial_end', trialEndsAt));
  scheduleExpiring(draft, trialing);
  scheduleWindow(draft, trialing);
  scheduleTrialNotice(draft, trialing);
  draft.emit(trialEvent('trial.started', draft.customer, trialing, planOf(draft, trialing)));
  draft.emit(stateChanged(draft.customer, trialing, 'trial_started'));
  return trialing;
}

export const emitExpired = (draft: Draft, subscription: SubscriptionRow): void =>
  draft.emit(trialEvent('trial.expired', draft.customer, subscription, planOf(draft, subscription)));

/**
 * Ends a trial after its first charge succeeded or wasn't needed, and activates the subscription for the
 * first time (SUB-19).
 */
export function trialConverted(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow | null,
): void {
  const paid = payInvoice(draft, invoice, transaction);
  convert(draft, subscription, paid, transaction, () => {
    draft.emit(invoiceEvent('invoice.created', draft.customer, transaction === null ? paid : invoice));
    if (transaction !== null) draft.emit(paymentReceived(draft.customer, paid, transaction));
  });
}

/** Ends a trial after its first bank debit was accepted. The invoice stays outstanding until the debit settles (INS-32). */
export function trialDebited(
  draft: Draft,
  subscription: SubscriptionRow,
  open: InvoiceRow,
  transaction: TransactionRow,
  announce: () => void,
): void {
  const invoice = finalizeInvoice(draft, open);
  convert(draft, subscription, invoice, transaction, () => {
    draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
    announce();
  });
}

function convert(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow | null,
  announce: () => void,
): void {
  const active = moveSubscription(draft, subscription, 'active', {
    activatedAt: draft.now,
    updatedAt: draft.now,
  });
  schedulePeriod(draft, active);
  emitExpired(draft, active);
  announce();
  draft.emit(subscriptionActivated(draft.customer, active, invoice, transaction?.provider ?? null));
  draft.emit(stateChanged(draft.customer, active, 'trial_expired'));
  draft.item = { outcome: 'trial_converted', invoiceId: invoice.id, detail: null };
}

/** Ends a trial whose first charge was declined. The customer keeps access during dunning. */
export function trialDeclined(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  const pastDue = startDunning(draft, subscription, invoice);
  schedulePeriod(draft, pastDue);
  emitExpired(draft, pastDue);
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  announcePastDue(draft, pastDue, invoice, failure);
  draft.item = { outcome: 'trial_past_due', invoiceId: invoice.id, detail: failure.code };
}

/**
 * Ends a trial whose first charge can't be made without the customer, because it requires authentication or
 * no payment method is stored. Access ends until the customer pays at the checkout. Dunning doesn't start.
 */
export function trialUnpaid(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: FailureDetails,
): void {
  const noPeriod = {
    anchorDate: null,
    periodStart: null,
    periodEnd: null,
    windowStart: null,
    windowEnd: null,
    termsFrom: null,
  };
  const pending = moveSubscription(draft, subscription, 'pending_payment', {
    ...noPeriod,
    checkoutInvoiceId: invoice.id,
    pendingCheckout: null,
    updatedAt: draft.now,
  });
  draft.unschedule(deadlineId('window_reset', pending.id));
  emitExpired(draft, pending);
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  draft.emit(paymentFailed(draft.customer, invoice, failure, { page: 'checkout', subjectId: pending.id }));
  draft.emit(stateChanged(draft.customer, pending, 'trial_expired'));
  draft.item = { outcome: 'trial_pending_payment', invoiceId: invoice.id, detail: failure.code };
}
