// Applies immediate plan changes after their invoice is settled, or immediately if they're free (SUB-43 to
// SUB-45).

import { invoiceEvent, paymentReceived } from '../../events/payment-events.ts';
import { type ChangeFigures, planChanged, trialConverted } from '../../events/plan-change-events.ts';
import { stateChanged, subscriptionActivated } from '../../events/subscription-events.ts';
import type { InvoiceRow, PlanChangePurchase, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { earlier } from '../../time/period.ts';
import { acceptQuote } from '../allowances/acceptance.ts';
import { addCredit } from '../invoicing/credits.ts';
import { putPaidPeriod } from '../invoicing/invoicing.ts';
import { type SettledBy, settleBy, voidInvoice } from '../invoicing/settling.ts';
import { planById, planOf, quotedOffer } from '../pricing/lookup.ts';
import { dropQuote } from '../pricing/quotes.ts';
import { openedPeriod, schedulePeriod } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import { deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed } from '../state/rejections.ts';
import { moveSubscription } from '../state/transitions.ts';
import { changeFigures, changeOf, remainderOf } from './change-amounts.ts';
import { revokeScheduled } from './scheduled-change.ts';
import { leavePlan, restartAllowances } from './switch-plan.ts';

type Terms = Pick<
  SubscriptionRow,
  | 'planId'
  | 'priceId'
  | 'billingInterval'
  | 'currency'
  | 'marketId'
  | 'listBaseMinor'
  | 'effectiveBaseMinor'
  | 'minimumSpend'
>;

/**
 * Writes the new terms of the subscription. A new period opens today, which ends a trial (SUB-43, SUB-44).
 * Removes a scheduled change.
 */
function switchTo(draft: Draft, subscription: SubscriptionRow, terms: Terms): SubscriptionRow {
  const { id, trialEndsAt, activatedAt, status } = subscription;
  const changes = {
    ...terms,
    ...openedPeriod({ ...subscription, ...terms }, draft.now),
    trialEndsAt: trialEndsAt === null ? null : earlier(trialEndsAt, draft.now),
    activatedAt: activatedAt ?? draft.now,
    scheduledChange: null,
    checkoutInvoiceId: null,
    pendingCheckout: null,
    updatedAt: draft.now,
  };
  return status === 'trialing'
    ? moveSubscription(draft, subscription, 'active', changes)
    : draft.subscriptions.patch(id, changes);
}

/**
 * Removes the deadlines of the previous period and an earlier scheduled change, and schedules the deadlines
 * of the new period.
 */
function replaceDeadlines(draft: Draft, before: SubscriptionRow, changed: SubscriptionRow): void {
  revokeScheduled(draft, before);
  draft.unschedule(deadlineId('trial_end', changed.id));
  draft.unschedule(deadlineId('daily_scan', changed.id, 'trial'));
  schedulePeriod(draft, changed);
}

function announce(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  paid: { readonly invoice: InvoiceRow | null; readonly transaction: TransactionRow | null },
  figures: ChangeFigures,
): void {
  const { customer } = draft;
  const plan = planOf(draft, changed);
  const isTrial = before.status === 'trialing';
  if (before.activatedAt === null)
    draft.emit(subscriptionActivated(customer, changed, paid.invoice, paid.transaction?.provider ?? null));
  if (isTrial) draft.emit(trialConverted(customer, changed, plan));
  draft.emit(planChanged(customer, changed, { previous: planOf(draft, before), current: plan }, figures));
  draft.emit(stateChanged(customer, changed, 'plan_change'));
  if (isTrial) draft.emit(stateChanged(customer, changed, 'trial_converted'));
}

/** Switches between free plans. There is no charge. */
export function changeFree(draft: Draft, subscription: SubscriptionRow, planId: string): Decision {
  const { currency, marketId } = subscription;
  const changed = switchTo(draft, subscription, {
    planId,
    priceId: null,
    billingInterval: null,
    currency,
    marketId,
    listBaseMinor: 0n,
    effectiveBaseMinor: 0n,
    minimumSpend: null,
  });
  replaceDeadlines(draft, subscription, changed);
  announce(
    draft,
    subscription,
    changed,
    { invoice: null, transaction: null },
    { creditMinor: 0n, chargeMinor: 0n, totalMinor: 0n },
  );
  restartAllowances(draft, subscription, leavePlan(draft, changed), null);
  return draft.done('done', changed.id);
}

/** Grants a customer credit for the part of the credited old base price that exceeds the invoice total (SUB-41). */
function keepRemainder(draft: Draft, invoice: InvoiceRow, change: PlanChangePurchase): void {
  const amountMinor = remainderOf(invoice, change);
  if (amountMinor === 0n) return;
  const reason = `Unused time of ${planById(draft, change.fromPlanId).name}`;
  addCredit(
    draft,
    {
      id: draft.newId('crd'),
      amountMinor,
      currency: invoice.currency,
      creditSource: 'plan_change',
      sourceId: invoice.id,
      reason,
      expiresAt: null,
    },
    'credit.prorated',
  );
}

/**
 * Settlement of a plan change's invoice. `isInvoiceEmitted` is true if `invoice.created` was already emitted.
 */
export type Settlement = { readonly by: SettledBy; readonly isInvoiceEmitted: boolean };

/** Settles the invoice for a plan change and applies the change. */
export function changeSettled(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  { by, isInvoiceEmitted }: Settlement,
): void {
  const change = changeOf(invoice);
  if (change === null) throw new Error(`The invoice ${invoice.id} changes no plan.`);
  const transaction = typeof by === 'object' ? by : null;
  const settled = settleBy(draft, invoice, by);
  const { toPlanId: planId, priceId, billingInterval, currency, marketId } = change;
  const effectiveBaseMinor = BigInt(change.effectiveBaseMinor);
  const changed = switchTo(draft, subscription, {
    planId,
    priceId,
    billingInterval,
    currency,
    marketId,
    listBaseMinor: BigInt(change.listBaseMinor ?? change.effectiveBaseMinor),
    effectiveBaseMinor,
    minimumSpend: change.minimumSpend ?? null,
  });
  const paid = putPaidPeriod(draft, settled, changed);
  if (!isInvoiceEmitted) draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
  if (transaction !== null) draft.emit(paymentReceived(draft.customer, paid, transaction));
  replaceDeadlines(draft, subscription, changed);
  keepRemainder(draft, paid, change);
  announce(draft, subscription, changed, { invoice: paid, transaction }, changeFigures(paid, change));
  // The old plan's offer must end before the offer that was quoted with the change is accepted.
  const left = leavePlan(draft, changed);
  acceptQuote(draft, left);
  restartAllowances(draft, subscription, left, { ...change, at: invoice.createdAt, seq: invoice.seq });
  draft.release(changed.id);
}

/**
 * Handles a failed charge for a plan change: voids the invoice and removes the quoted offer. The
 * subscription doesn't change (SUB-43).
 */
export function changeFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: { readonly code: string; readonly message: string },
): Decision {
  cancelUnpaidChange(draft, subscription, invoice);
  draft.release(subscription.id);
  return draft.reject(chargeFailed(failure.code, failure.message));
}

/** Cancels an unpaid plan change: voids the invoice and removes the quoted offer. */
export function cancelUnpaidChange(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  voidInvoice(draft, invoice);
  const quoted = quotedOffer(draft, subscription);
  if (quoted !== null) dropQuote(draft, quoted, 'expired');
}
