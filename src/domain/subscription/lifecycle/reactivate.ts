// Reactivates past-due subscriptions by charging the outstanding invoice, and canceled subscriptions with a new invoice
// and period (SUB-30 to SUB-34).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { invoiceEvent, paymentReceived } from '../../events/payment-events.ts';
import { stateChanged, subscriptionActivated } from '../../events/subscription-events.ts';
import type { InvoiceRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { earlier } from '../../time/period.ts';
import { acceptQuote } from '../allowances/acceptance.ts';
import { openCounts, resetPools } from '../allowances/allowance.ts';
import { abandonAuthentication, owedAuthentication } from '../invoicing/charging.ts';
import { type SettledBy, settleBy } from '../invoicing/settling.ts';
import { openingCadence } from '../pricing/cadence.ts';
import { isCharging, isCollectingDebit, planOf } from '../pricing/lookup.ts';
import { openedPeriod, schedulePeriod } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress } from '../state/rejections.ts';
import { blockingStatuses, moveSubscription } from '../state/transitions.ts';
import { endSubscription } from './end-subscription.ts';

/**
 * Returns the reason why a canceled subscription can't be reactivated, or `null` if reactivation is possible. Runs the
 * checks of SUB-31 and SUB-33 in order.
 */
export function restartRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  const { activatedAt, trialEndsAt, billingInterval, cancelReason } = subscription;
  if (activatedAt === null && trialEndsAt === null) {
    return specificRejection('invalid_subscription_status', 'never_began');
  }
  const others = draft.subscriptions.all().filter(({ id }) => id !== subscription.id);
  const blocking = others.find(({ status }) => blockingStatuses.includes(status));
  if (blocking !== undefined) {
    return specificRejection('already_has_active_subscription', 'subscription', {
      values: { id: blocking.id },
    });
  }
  const isBusy = (one: SubscriptionRow): boolean => isCharging(draft, one) || isCollectingDebit(draft, one);
  if ([subscription, ...others].some(isBusy)) return chargeInProgress;
  const isReturned = billingInterval === 'one_time' && cancelReason === 'refund';
  const isGone = planOf(draft, subscription).deletedAt !== null || isReturned;
  return isGone ? specificRejection('plan_unavailable', 'own_plan_gone') : null;
}

/** Returns true if the invoice reactivates this canceled subscription once it's paid. */
export const isReactivation = (
  { id }: SubscriptionRow,
  { subscriptionId, type, status }: InvoiceRow,
): boolean => subscriptionId === id && type === 'reactivation' && status === 'outstanding';

/** Settles a reactivation invoice. The subscription is active from today (SUB-31). */
export function reactivated(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  by: SettledBy,
): void {
  const transaction = typeof by === 'object' ? by : null;
  abandonAuthentication(draft, owedAuthentication(subscription));
  const settled = settleBy(draft, invoice, by);
  const active = run(draft, subscription);
  const periods = {
    periodStart: active.periodStart ?? settled.periodStart,
    periodEnd: active.periodEnd ?? settled.periodEnd,
  };
  const paid = draft.invoices.patch(settled.id, periods);
  acceptQuote(draft, active);
  if (by === 'nothing') draft.emit(invoiceEvent('invoice.created', draft.customer, paid));
  if (transaction !== null) draft.emit(paymentReceived(draft.customer, paid, transaction));
  announce(draft, active, paid, transaction);
}

export function announce(
  draft: Draft,
  active: SubscriptionRow,
  invoice: InvoiceRow | null,
  transaction: TransactionRow | null,
): void {
  const provider = transaction?.provider ?? null;
  draft.emit(subscriptionActivated(draft.customer, active, invoice, provider, 'subscription.reactivated'));
  draft.emit(stateChanged(draft.customer, active, 'subscription_activated'));
}

/**
 * Reactivates a canceled subscription with a period that opens today. Seats and quota counts don't change.
 * Allowances reset.
 */
export function run(draft: Draft, subscription: SubscriptionRow): SubscriptionRow {
  for (const other of draft.subscriptions.all()) {
    // A pending checkout of the customer is canceled, because paying it would create a second subscription.
    if (other.status === 'pending_payment')
      endSubscription(draft, other, { reason: 'replaced', canceledAt: draft.now, endDate: draft.now });
  }
  const { trialEndsAt } = subscription;
  const active = moveSubscription(draft, subscription, 'active', {
    ...openedPeriod(subscription, draft.now, openingCadence(draft, subscription)),
    activatedAt: subscription.activatedAt ?? draft.now,
    trialEndsAt: trialEndsAt === null ? null : earlier(trialEndsAt, draft.now),
    endDate: null,
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelReason: null,
    cancelEffectiveAt: null,
    canceledAt: null,
    dunningInvoiceId: null,
    dunningStartedAt: null,
    dunningAttempts: 0,
    retryTerms: null,
    pendingCheckout: null,
    updatedAt: draft.now,
  });
  openCounts(draft, active);
  resetPools(draft, active, 'changed');
  schedulePeriod(draft, active);
  return active;
}
