// A scheduled change is executed at the end of the period or trial, before its invoice is built (SUB-49), or
// dropped (SUB-50).

import { planChanged } from '../../plan-change-events.ts';
import { priceAt, type ResolvedPrice, selectPriceRow } from '../../pricing/resolve.ts';
import { stateChanged } from '../../subscription-events.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, SubscriptionRow } from '../state/rows.ts';
import type { PlanTarget } from './change-target.ts';
import { changedRateRejection, targetFields } from './change-terms.ts';
import { revokeScheduled } from './scheduled-change.ts';
import { leavePlan } from './switch-plan.ts';

/**
 * The price of the plan in the interval settled when the change was asked for, at the due instant; null
 * without one.
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
 * The target of the scheduled change. Null without one, and where the plan can no longer be chosen or priced
 * (SUB-50). Changes nothing.
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
 * What the period that opens changes of a subscription: plan, price and interval where a change was due. No
 * change waits any more.
 */
export const changeFields = (
  subscription: SubscriptionRow,
  target: PlanTarget | null,
): Partial<SubscriptionRow> => ({
  ...(target === null ? {} : targetFields(subscription, target)),
  scheduledChange: null,
});

/**
 * Ends what belonged to the plan before, or drops the change that is not possible. `changed` is written.
 * Returns the subscription as it stands.
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

/** Emits the events of a change at a boundary, which credits nothing and costs the new base (SUB-49). */
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
