// A plan change takes effect at once: nothing was to be paid, or its invoice is settled (SUB-43 to SUB-45).

import { postCreditGranted } from '../ledger.ts';
import { invoiceEvent, paymentReceived } from '../payment-events.ts';
import { earlier } from '../period.ts';
import { type ChangeFigures, planChanged, trialConverted } from '../plan-change-events.ts';
import { stateChanged, subscriptionActivated } from '../subscription-events.ts';
import { acceptQuote } from './acceptance.ts';
import type { Decision } from './aggregate.ts';
import { changeFigures, changeOf, remainderOf } from './change-amounts.ts';
import { leavePlan, restartAllowances } from './change-switch.ts';
import { deadlineId } from './deadlines.ts';
import { type SettledBy, settleBy, voidInvoice } from './invoicing.ts';
import { planById, planOf, quotedOffer } from './lookup.ts';
import { openedPeriod, schedulePeriod } from './periods.ts';
import { dropQuote } from './quotes.ts';
import { chargeFailed } from './refusals.ts';
import type { InvoiceRow, PlanChangePurchase, SubscriptionRow, TransactionRow } from './rows.ts';
import { revokeScheduled } from './scheduled-change.ts';
import { moveSubscription } from './state.ts';
import type { Work } from './work.ts';

type Terms = Pick<SubscriptionRow, 'planId' | 'priceId' | 'billingInterval' | 'currency' | 'marketId' | 'effectiveBaseMinor'>;

/** The subscription on other terms, in a period that opens today, which ends a trial (SUB-43, SUB-44); not written. */
function switched(work: Work, subscription: SubscriptionRow, terms: Terms): SubscriptionRow {
  const { trialEndsAt, activatedAt, status } = subscription;
  const changes = {
    ...terms,
    ...openedPeriod({ ...subscription, ...terms }, work.now),
    trialEndsAt: trialEndsAt === null ? null : earlier(trialEndsAt, work.now),
    activatedAt: activatedAt ?? work.now,
    scheduledChange: null,
    checkoutInvoiceId: null,
    pendingCheckout: null,
    updatedAt: work.now,
  };
  return status === 'trialing' ? moveSubscription(subscription, 'active', changes) : { ...subscription, ...changes };
}

/** Writes the switched subscription in place of the one before, whose scheduled change is dropped, with the deadlines of its period. */
function putSwitched(work: Work, before: SubscriptionRow, changed: SubscriptionRow): void {
  revokeScheduled(work, before);
  work.subscriptions.put(changed);
  work.unschedule(deadlineId('trial_end', changed.id));
  work.unschedule(deadlineId('daily_scan', changed.id, 'trial'));
  schedulePeriod(work, changed);
}

/** Tells of a change, then ends and begins what goes with the plans. */
function announce(
  work: Work,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  paid: { readonly invoice: InvoiceRow | null; readonly transaction: TransactionRow | null },
  figures: ChangeFigures,
): void {
  const { customer } = work;
  const plan = planOf(work, changed);
  const isTrial = before.status === 'trialing';
  if (before.activatedAt === null) work.emit(subscriptionActivated(customer, changed, paid.invoice, paid.transaction?.provider ?? null));
  if (isTrial) work.emit(trialConverted(customer, changed, plan));
  work.emit(planChanged(customer, changed, { previous: planOf(work, before), current: plan }, figures));
  work.emit(stateChanged(customer, changed, 'plan_change'));
  if (isTrial) work.emit(stateChanged(customer, changed, 'trial_converted'));
}

/** A change between free plans, which costs nothing. */
export function changeFree(work: Work, subscription: SubscriptionRow, planId: string): Decision {
  const { currency, marketId } = subscription;
  const changed = switched(work, subscription, {
    planId,
    priceId: null,
    billingInterval: null,
    currency,
    marketId,
    effectiveBaseMinor: 0n,
  });
  putSwitched(work, subscription, changed);
  announce(work, subscription, changed, { invoice: null, transaction: null }, { creditMinor: 0n, chargeMinor: 0n, totalMinor: 0n });
  restartAllowances(work, subscription, leavePlan(work, changed), null);
  return work.done('done', changed.id);
}

/** What is left of the old base beyond what the invoice asks for stays with the customer (SUB-41). */
function keepRemainder(work: Work, invoice: InvoiceRow, change: PlanChangePurchase): void {
  const amountMinor = remainderOf(invoice, change);
  if (amountMinor === 0n) return;
  const credit = work.credits.add({
    id: work.newId('crd'),
    seq: null,
    customerId: invoice.customerId,
    currency: invoice.currency,
    source: 'plan_change',
    reason: `Unused time of ${planById(work, change.fromPlanId).name}`,
    amountMinor,
    appliedMinor: 0n,
    reversedMinor: 0n,
    revokedMinor: 0n,
    remainingMinor: amountMinor,
    expiresAt: null,
    createdAt: work.now,
    updatedAt: work.now,
  });
  work.ledger.push(...postCreditGranted(credit, 'credit.prorated', work.newId, work.now));
}

/** How the invoice of a change was settled, and whether its issue was told before. */
export type Settlement = { readonly by: SettledBy; readonly isInvoiceTold: boolean };

/** The invoice of a change is settled: everything the change leads to takes effect. */
export function changeSettled(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow, { by, isInvoiceTold }: Settlement): void {
  const change = changeOf(invoice);
  if (change === null) throw new Error(`The invoice ${invoice.id} changes no plan.`);
  const transaction = typeof by === 'object' ? by : null;
  const settled = settleBy(work, invoice, by);
  const { toPlanId: planId, priceId, billingInterval, currency, marketId } = change;
  const effectiveBaseMinor = BigInt(change.effectiveBaseMinor);
  const changed = switched(work, subscription, { planId, priceId, billingInterval, currency, marketId, effectiveBaseMinor });
  const periods = { periodStart: changed.periodStart ?? settled.periodStart, periodEnd: changed.periodEnd ?? settled.periodEnd };
  const paid = work.invoices.put({ ...settled, ...periods });
  if (!isInvoiceTold) work.emit(invoiceEvent('invoice.created', work.customer, paid));
  if (transaction !== null) work.emit(paymentReceived(work.customer, paid, transaction));
  putSwitched(work, subscription, changed);
  keepRemainder(work, paid, change);
  announce(work, subscription, changed, { invoice: paid, transaction }, changeFigures(paid, change));
  // The offer accepted for the old plan ends before the one quoted with the change is accepted.
  const left = leavePlan(work, changed);
  acceptQuote(work, left);
  restartAllowances(work, subscription, left, change);
  work.release(changed.id);
}

/** The charge of a change failed: its invoice is void, the offer quoted with it gone, and nothing else has changed (SUB-43). */
export function changeFailed(
  work: Work,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failure: { readonly code: string; readonly message: string },
): Decision {
  giveUpChange(work, subscription, invoice);
  work.release(subscription.id);
  return work.refuse(chargeFailed(failure.code, failure.message));
}

/** Gives up a change that was not paid for: voids its invoice and lets the offer quoted with it go. */
export function giveUpChange(work: Work, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  voidInvoice(work, invoice);
  const quoted = quotedOffer(work, subscription);
  if (quoted !== null) dropQuote(work, quoted, 'expired');
}
