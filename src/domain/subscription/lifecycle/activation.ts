import { stateChanged, subscriptionActivated } from '../../events/subscription-events.ts';
import type { PaymentProvider } from '../../rows/enums.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { acceptQuote } from '../allowances/acceptance.ts';
import { beginCounts, openCounts, resetPools } from '../allowances/allowance.ts';
import { putPaidPeriod } from '../invoicing/invoicing.ts';
import { openingCadence } from '../pricing/cadence.ts';
import { openedPeriod, schedulePeriod } from '../schedule/periods.ts';
import { deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { moveSubscription } from '../state/transitions.ts';

/**
 * Activates a subscription with a period that opens now, and schedules the end of the period (SUB-15,
 * SUB-60). Emits no events. `changes` contains additional fields to set.
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
  draft.unschedule(deadlineId('checkout_expiry', active.id));
  // If the subscription had a trial, the chosen seats were already applied at the start of the trial.
  if (active.trialEndsAt === null) beginCounts(draft, active);
  else openCounts(draft, active);
  resetPools(draft, active, 'first');
  schedulePeriod(draft, active);
  return active;
}

/**
 * Activates a subscription with its first invoice. Sets the period and buyer of the invoice and accepts the
 * quoted offer (SUB-15, BIL-30, OFR-15). Emits no events.
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
 * Emits the events for an activation: `subscription.activated` on the first activation (SUB-19), then
 * the state change event.
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
