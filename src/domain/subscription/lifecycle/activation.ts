import type { PaymentProvider } from '../../enums.ts';
import { stateChanged, subscriptionActivated } from '../../subscription-events.ts';
import { acceptQuote } from '../allowances/acceptance.ts';
import { beginCounts, openCounts, resetPools } from '../allowances/allowance.ts';
import { putPaidPeriod } from '../invoicing/invoicing.ts';
import { openingCadence } from '../pricing/cadence.ts';
import { openedPeriod, schedulePeriod } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, SubscriptionRow } from '../state/rows.ts';
import { moveSubscription } from '../state/transitions.ts';

/**
 * Puts a subscription in force with a period that opens now, and schedules what ends it (SUB-15, SUB-60).
 * Emits nothing. `changes` are further fields to set with it.
 */
export function activate(
  draft: Draft,
  subscription: SubscriptionRow,
  changes: Partial<SubscriptionRow> = {},
): SubscriptionRow {
  const active = moveSubscription(draft, subscription, 'active', {
    ...changes,
    ...openedPeriod(subscription, draft.now, openingCadence(draft, subscription)),
    activatedAt: subscription.activatedAt ?? draft.now,
    checkoutInvoiceId: null,
    pendingCheckout: null,
    updatedAt: draft.now,
  });
  // A trial has put the chosen seats in force already.
  if (active.trialEndsAt === null) beginCounts(draft, active);
  else openCounts(draft, active);
  resetPools(draft, active, true);
  schedulePeriod(draft, active);
  return active;
}

/**
 * Puts a subscription in force over its first invoice, which gets the period that opens with it and its
 * buyer, and accepts the offer quoted with it (SUB-15, BIL-30, OFR-15). Emits nothing.
 */
export function activateOver(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  changes: Partial<SubscriptionRow> = {},
): { active: SubscriptionRow; paid: InvoiceRow } {
  const active = activate(draft, subscription, { ...changes, currency: invoice.currency });
  acceptQuote(draft, active);
  return { active, paid: putPaidPeriod(draft, invoice, active) };
}

/**
 * Emits the events of an activation: `subscription.activated` unless it was emitted before (SUB-19), then the
 * change of state.
 */
export function announceActivation(
  draft: Draft,
  before: SubscriptionRow,
  active: SubscriptionRow,
  invoice: InvoiceRow | null,
  provider: PaymentProvider | null,
): void {
  if (before.activatedAt === null)
    draft.emit(subscriptionActivated(draft.customer, active, invoice, provider));
  draft.emit(stateChanged(draft.customer, active, 'subscription_activated'));
}
