import { stateChanged, subscriptionActivated } from '../subscription-events.ts';
import type { PaymentProvider } from '../words.ts';
import { acceptQuote } from './acceptance.ts';
import { beginCounts, openCounts, resetPools } from './allowance.ts';
import { openingCadence } from './cadence.ts';
import { openedPeriod, schedulePeriod } from './periods.ts';
import type { InvoiceRow, SubscriptionRow } from './rows.ts';
import { moveSubscription } from './state.ts';
import type { Work } from './work.ts';

/**
 * Puts a subscription in force with a period that opens now, and schedules what ends it (SUB-15, SUB-60). Sends nothing. `changes` are
 * further fields to set with it.
 */
export function activate(work: Work, subscription: SubscriptionRow, changes: Partial<SubscriptionRow> = {}): SubscriptionRow {
  const active = work.subscriptions.put(
    moveSubscription(subscription, 'active', {
      ...changes,
      ...openedPeriod(subscription, work.now, openingCadence(work, subscription)),
      activatedAt: subscription.activatedAt ?? work.now,
      checkoutInvoiceId: null,
      pendingCheckout: null,
      updatedAt: work.now,
    }),
  );
  // A trial has put the chosen seats in force already.
  if (active.trialEndsAt === null) beginCounts(work, active);
  else openCounts(work, active);
  resetPools(work, active, true);
  schedulePeriod(work, active);
  return active;
}

/**
 * Puts a subscription in force over its first invoice, which gets the period that opens with it, and accepts the offer quoted with it (SUB-15,
 * BIL-30, OFR-15). Sends nothing.
 */
export function activateOver(
  work: Work,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  changes: Partial<SubscriptionRow> = {},
): { active: SubscriptionRow; paid: InvoiceRow } {
  const active = activate(work, subscription, { ...changes, currency: invoice.currency });
  const periods = { periodStart: active.periodStart ?? invoice.periodStart, periodEnd: active.periodEnd ?? invoice.periodEnd };
  acceptQuote(work, active);
  return { active, paid: work.invoices.put({ ...invoice, ...periods }) };
}

/** Tells of an activation: `subscription.activated` unless that was sent before (SUB-19), then the change of state. */
export function announceActivation(
  work: Work,
  before: SubscriptionRow,
  active: SubscriptionRow,
  invoice: InvoiceRow | null,
  provider: PaymentProvider | null,
): void {
  if (before.activatedAt === null) work.emit(subscriptionActivated(work.customer, active, invoice, provider));
  work.emit(stateChanged(work.customer, active, 'subscription_activated'));
}
