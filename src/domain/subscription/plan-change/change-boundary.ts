// Runs a scheduled plan change at the end of the period or trial, before the next invoice is created
// (SUB-49), or cancels it (SUB-50).

import { planChanged } from '../../events/plan-change-events.ts';
import { stateChanged } from '../../events/subscription-events.ts';
import { priceAt, type ResolvedPrice, selectPriceRow } from '../../pricing/resolve.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import type { PlanTarget } from './change-target.ts';
import { changedRateRejection, targetFields } from './change-terms.ts';
import { revokeScheduled } from './scheduled-change.ts';
import { leavePlan } from './switch-plan.ts';

/**
 * Returns the current price of the plan in the interval that was chosen with the request. `null` if the plan
 * has no price for it.
 */
function duePrice(draft: Draft, subscription: SubscriptionRow, planId: string): ResolvedPrice | null {
  const { catalog } = draft.aggregate;
  const billingInterval = subscription.scheduledChange?.newBillingInterval ?? subscription.billingInterval;
  const row = selectPriceRow(catalog, planId, { billingInterval });
  if ('failure' in row) return null;
  const price = priceAt(catalog, row, draft.dueAt, {
    market: subscription.marketId,
    currency: subscription.currency,
  });
  return 'failure' in price ? null : price;
}

/**
 * Returns the target of a scheduled change. `null` if no change is scheduled, or if the plan is no longer
 * available or has no price (SUB-50). Changes nothing.
 */
export function dueChange(draft: Draft, subscription: SubscriptionRow): PlanTarget | null {
  const { scheduledChange } = subscription;
  const plan =
    scheduledChange === null ? undefined : draft.aggregate.catalog.plans.get(scheduledChange.newPlanId);
  if (plan === undefined || plan.deletedAt !== null) return null;
  const price = plan.isFree ? null : duePrice(draft, subscription, plan.id);
  if (price === null && !plan.isFree) return null;
  const target = { plan, price };
  const next = {
    ...subscription,
    ...targetFields(subscription, target),
    status: 'active',
    termsFrom: draft.dueAt,
  } as const;
  return changedRateRejection(draft, next) === null ? target : null;
}

/**
 * Returns the subscription fields that a due change sets when a period opens. These fields also clear the
 * scheduled change.
 */
export const changeFields = (
  subscription: SubscriptionRow,
  target: PlanTarget | null,
): Partial<SubscriptionRow> => ({
  ...(target === null ? {} : targetFields(subscription, target)),
  scheduledChange: null,
});

/**
 * Ends offers, add-ons, and grants that the new plan doesn't continue, or cancels a change that is no longer possible.
 * `changed` must already be written. Returns the updated subscription.
 */
export function settleChange(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  target: PlanTarget | null,
): SubscriptionRow {
  if (target !== null) return leavePlan(draft, changed);
  if (before.scheduledChange === null) return changed;
  return revokeScheduled(draft, before);
}

/**
 * Emits the events for a plan change that took effect at the end of a period. Such a change credits nothing and charges
 * the full new base price (SUB-49).
 */
export function announceChange(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  invoice: InvoiceRow | null,
): void {
  const plans = { previous: planOf(draft, before), current: planOf(draft, changed) };
  const figures = {
    creditMinor: 0n,
    chargeMinor: changed.effectiveBaseMinor,
    totalMinor: invoice?.total ?? 0n,
  };
  draft.emit(planChanged(draft.customer, changed, plans, figures));
  draft.emit(stateChanged(draft.customer, changed, 'plan_change'));
}
