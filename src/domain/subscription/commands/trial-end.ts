import type { Rejection } from '../../errors/errors.ts';
import { stateChanged, subscriptionActivated } from '../../events/subscription-events.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { addonRateRejection } from '../allowances/addon-bases.ts';
import { openCounts, resetPools } from '../allowances/allowance.ts';
import { noArrears } from '../allowances/arrears.ts';
import { settleUnbilled } from '../allowances/final-prices.ts';
import { noMethodFailure, requestCharge } from '../invoicing/charging.ts';
import { isBelowMinimum, issuePeriodInvoice, issueWindowInvoice } from '../invoicing/invoicing.ts';
import { cancelAtBoundary } from '../lifecycle/last-charge.ts';
import { collect } from '../lifecycle/renewal.ts';
import { emitExpired, trialConverted, trialUnpaid } from '../lifecycle/trial.ts';
import { announceChange, changeFields, dueChange, settleChange } from '../plan-change/change-boundary.ts';
import type { PlanTarget } from '../plan-change/change-target.ts';
import { cadenceAt } from '../pricing/cadence.ts';
import { boundPrice, isCharging, methodOf } from '../pricing/lookup.ts';
import { basesOf, firstBase, periodBase } from '../pricing/priced-base.ts';
import { seatRateRejection } from '../pricing/seats.ts';
import { openedPeriod, schedulePeriod } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { moveSubscription } from '../state/transitions.ts';

/**
 * Ends a trial (BIL-12). Cancels the subscription if a cancellation is scheduled. Otherwise opens the first
 * paid period, and issues and charges its invoice.
 */
export const trialEnd = subscriptionCommand({
  kind: 'trial_end',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    if (
      subscription.status !== 'trialing' ||
      subscription.trialEndsAt?.getTime() !== command.dueAt.getTime()
    ) {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    if (isCharging(draft, subscription)) return draft.finish({ kind: 'park' });
    if (subscription.cancelAtPeriodEnd) {
      emitExpired(draft, { ...subscription, status: 'canceled' });
      return cancelAtBoundary(draft, subscription);
    }
    const change = dueChange(draft, subscription);
    if (change?.price === null) return becomeFree(draft, subscription, change, command);
    const terms = changeFields(subscription, change);
    const bound = { ...subscription, ...terms };
    const price = change?.price ?? boundPrice(draft, bound);
    if ('failure' in price) return draft.reject(priceRejection(price.failure));
    const missing = change === null ? rateRejection(draft, bound, price.currency) : null;
    if (missing !== null) return draft.reject(missing);
    draft.complete(command);
    settleUnbilled(draft, subscription);
    const period = openedPeriod(
      bound,
      draft.dueAt,
      change === null ? cadenceAt(draft, bound, draft.dueAt).interval : null,
    );
    const base =
      change === null
        ? periodBase(draft, bound, price.amountMinor, draft.dueAt)
        : firstBase(price.amountMinor, null);
    const opened = draft.subscriptions.patch(subscription.id, {
      ...terms,
      ...period,
      ...basesOf(base),
      updatedAt: draft.now,
    });
    settleChange(draft, subscription, opened, change);
    const span = { start: boundOf(opened, period.periodStart), end: boundOf(opened, period.periodEnd) };
    // The terms of the paid period apply, without the trial's restrictions (CON-3).
    const paid: SubscriptionRow = { ...opened, status: 'active' };
    openCounts(draft, paid);
    const invoice = issuePeriodInvoice(draft, paid, price, base, {
      period: span,
      arrears: noArrears,
      isFirst: true,
    });
    resetPools(draft, paid, 'changed');
    if (change !== null) announceChange(draft, subscription, opened, invoice);
    return collectFirst(draft, opened, invoice);
  },
});

/**
 * Returns the reason why the first paid period can't be charged in its currency (CAT-28, CAT-44), or `null` if the
 * charge is possible.
 */
const rateRejection = (draft: Draft, subscription: SubscriptionRow, currency: string): Rejection | null =>
  seatRateRejection(
    draft.aggregate.catalog,
    subscription.planId,
    subscription.initialSeats,
    { currency, market: subscription.marketId },
    draft.dueAt,
  ) ?? addonRateRejection(draft, subscription);

/**
 * Switches from a trial to a free plan (SUB-44, SUB-49, BIL-10). Charges only the add-ons for the first usage window.
 * The subscription becomes active even if this charge fails.
 */
function becomeFree(draft: Draft, subscription: SubscriptionRow, change: PlanTarget, command: Due): Decision {
  draft.complete(command);
  settleUnbilled(draft, subscription);
  const terms = changeFields(subscription, change);
  const bound = { ...subscription, ...terms };
  const left = moveSubscription(draft, subscription, 'active', {
    ...terms,
    ...openedPeriod(bound, draft.dueAt),
    listBaseMinor: 0n,
    effectiveBaseMinor: 0n,
    minimumSpend: null,
    activatedAt: draft.now,
    updatedAt: draft.now,
  });
  const active = settleChange(draft, subscription, left, change);
  openCounts(draft, active);
  const ended = { start: boundOf(subscription, subscription.windowStart), end: draft.dueAt };
  const invoice = issueWindowInvoice(draft, active, { period: ended, arrears: noArrears, isPeriodEnd: true });
  resetPools(draft, active, 'changed');
  schedulePeriod(draft, active);
  emitExpired(draft, active);
  draft.emit(subscriptionActivated(draft.customer, active, null, null));
  draft.emit(stateChanged(draft.customer, active, 'trial_expired'));
  announceChange(draft, subscription, active, invoice);
  draft.item = { outcome: 'plan_changed', invoiceId: invoice?.id ?? null, detail: null };
  return invoice === null ? draft.done('done', active.id) : collect(draft, active, invoice);
}

// `trial.expired` must be the first event and contain the status after the trial, so all events are emitted
// after the charge result.
function collectFirst(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): Decision {
  const method = methodOf(draft, subscription);
  if (isBelowMinimum(draft, subscription, invoice)) {
    trialConverted(draft, subscription, invoice, null);
    return draft.done('done', subscription.id, invoice.id);
  }
  if (method === null) {
    trialUnpaid(draft, subscription, invoice, {
      ...noMethodFailure,
      provider: subscription.provider ?? 'platform',
    });
    return draft.done('done', subscription.id, invoice.id);
  }
  requestCharge(draft, subscription, invoice, method, false);
  draft.item = { outcome: 'trial_converted', invoiceId: invoice.id, detail: null };
  return draft.done('charging', subscription.id, invoice.id);
}
