// A plan change takes effect at once: nothing was to be paid, or its invoice is settled (SUB-43 to SUB-45).

import { postCreditGranted } from '../../ledger/documents.ts';
import { invoiceEvent, paymentReceived } from '../../payment-events.ts';
import { earlier } from '../../period.ts';
import { type ChangeFigures, planChanged, trialConverted } from '../../plan-change-events.ts';
import { stateChanged, subscriptionActivated } from '../../subscription-events.ts';
import { acceptQuote } from '../allowances/acceptance.ts';
import { putPaidPeriod } from '../invoicing/invoicing.ts';
import { type SettledBy, settleBy, voidInvoice } from '../invoicing/settling.ts';
import { planById, planOf, quotedOffer } from '../pricing/lookup.ts';
import { dropQuote } from '../pricing/quotes.ts';
import { openedPeriod, schedulePeriod } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import { deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed } from '../state/rejections.ts';
import type { InvoiceRow, PlanChangePurchase, SubscriptionRow, TransactionRow } from '../state/rows.ts';
import { moveSubscription } from '../state/transitions.ts';
import { changeFigures, changeOf, remainderOf } from './change-amounts.ts';
import { revokeScheduled } from './scheduled-change.ts';
import { leavePlan, restartAllowances } from './switch-plan.ts';

type Terms = Pick<
  SubscriptionRow,
  'planId' | 'priceId' | 'billingInterval' | 'currency' | 'marketId' | 'listBaseMinor' | 'effectiveBaseMinor'
>;

/**
 * Writes the subscription on other terms, in a period that opens today, which ends a trial (SUB-43, SUB-44).
 * No change waits any more.
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
 * Drops the change that was scheduled before, and replaces the deadlines of the old period by those of the
 * new one.
 */
function replaceDeadlines(draft: Draft, before: SubscriptionRow, changed: SubscriptionRow): void {
  revokeScheduled(draft, before);
  draft.unschedule(deadlineId('trial_end', changed.id));
  draft.unschedule(deadlineId('daily_scan', changed.id, 'trial'));
  schedulePeriod(draft, changed);
}

/** Emits the events of a change. */
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

/** A change between free plans, which costs nothing. */
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

/** Grants the customer a credit for what is left of the old base beyond the invoice (SUB-41). */
function keepRemainder(draft: Draft, invoice: InvoiceRow, change: PlanChangePurchase): void {
  const amountMinor = remainderOf(invoice, change);
  if (amountMinor === 0n) return;
  const credit = draft.credits.add({
    id: draft.newId('crd'),
    seq: null,
    customerId: invoice.customerId,
    currency: invoice.currency,
    source: 'plan_change',
    reason: `Unused time of ${planById(draft, change.fromPlanId).name}`,
    amountMinor,
    appliedMinor: 0n,
    reversedMinor: 0n,
    revokedMinor: 0n,
    remainingMinor: amountMinor,
    expiresAt: null,
    createdAt: draft.now,
    updatedAt: draft.now,
  });
  draft.ledger.push(...postCreditGranted(credit, 'credit.prorated', draft.newId, draft.now));
}

/** How the invoice of a change was settled, and whether `invoice.created` was emitted before. */
export type Settlement = { readonly by: SettledBy; readonly isInvoiceEmitted: boolean };

/** Settles the invoice of a change and puts the change in force. */
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
  });
  const paid = putPaidPeriod(draft, settled, changed);
  if (!isInvoiceEmitted) draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
  if (transaction !== null) draft.emit(paymentReceived(draft.customer, paid, transaction));
  replaceDeadlines(draft, subscription, changed);
  keepRemainder(draft, paid, change);
  announce(draft, subscription, changed, { invoice: paid, transaction }, changeFigures(paid, change));
  // The offer accepted for the old plan ends before the one quoted with the change is accepted.
  const left = leavePlan(draft, changed);
  acceptQuote(draft, left);
  restartAllowances(draft, subscription, left, change);
  draft.release(changed.id);
}

/**
 * Handles the failed charge of a change: voids its invoice and drops the offer quoted with it. Nothing else
 * changes (SUB-43).
 */
export function changeFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: { readonly code: string; readonly message: string },
): Decision {
  giveUpChange(draft, subscription, invoice);
  draft.release(subscription.id);
  return draft.reject(chargeFailed(failure.code, failure.message));
}

/** Drops a change that was not paid for: voids its invoice and drops the offer quoted with it. */
export function giveUpChange(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  voidInvoice(draft, invoice);
  const quoted = quotedOffer(draft, subscription);
  if (quoted !== null) dropQuote(draft, quoted, 'expired');
}
