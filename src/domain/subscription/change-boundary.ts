// A change that waited is executed at the end of the period or trial, before its invoice is built (SUB-49), or dropped (SUB-50).

import { planChanged } from '../plan-change-events.ts';
import { priceAt, type ResolvedPrice, selectPriceRow } from '../pricing/resolve.ts';
import { stateChanged } from '../subscription-events.ts';
import { leavePlan } from './change-switch.ts';
import type { PlanTarget } from './change-target.ts';
import { changedRateRefusal, targetFields } from './change-terms.ts';
import { planOf } from './lookup.ts';
import type { InvoiceRow, SubscriptionRow } from './rows.ts';
import { revokeScheduled } from './scheduled-change.ts';
import type { Work } from './work.ts';

/** The price of the plan in the interval settled when the change was asked for, at the due instant; null without one. */
function duePrice(work: Work, subscription: SubscriptionRow, planId: string): ResolvedPrice | null {
  const { catalog } = work.aggregate;
  const billingInterval = subscription.scheduledChange?.newBillingInterval ?? subscription.billingInterval;
  const row = selectPriceRow(catalog, planId, { billingInterval });
  if ('failure' in row) return null;
  const price = priceAt(catalog, row, work.dueAt, { market: subscription.marketId, currency: subscription.currency });
  return 'failure' in price ? null : price;
}

/** What the change that waits leads to now; null where none waits, or where it cannot be chosen or priced any more (SUB-50). Changes nothing. */
export function dueChange(work: Work, subscription: SubscriptionRow): PlanTarget | null {
  const { scheduledChange } = subscription;
  const plan = scheduledChange === null ? undefined : work.aggregate.catalog.plans.get(scheduledChange.newPlanId);
  if (plan === undefined || plan.deletedAt !== null) return null;
  const price = plan.isFree ? null : duePrice(work, subscription, plan.id);
  if (price === null && !plan.isFree) return null;
  const target = { plan, price };
  const next = { ...subscription, ...targetFields(subscription, target), status: 'active', termsFrom: work.dueAt } as const;
  return changedRateRefusal(work, next) === null ? target : null;
}

/** The subscription as the period that opens finds it: on the plan, price and interval of the change, if there is one. Not written. */
export const afterChange = (subscription: SubscriptionRow, target: PlanTarget | null): SubscriptionRow => ({
  ...subscription,
  ...(target === null ? {} : targetFields(subscription, target)),
  scheduledChange: null,
});

/**
 * Ends what belonged to the plan before, or drops the change that could not be had. `changed` is written already, and is answered as it then
 * is.
 */
export function settleChange(work: Work, before: SubscriptionRow, changed: SubscriptionRow, target: PlanTarget | null): SubscriptionRow {
  if (target !== null) return leavePlan(work, changed);
  if (before.scheduledChange === null) return changed;
  revokeScheduled(work, before);
  return work.subscriptions.put(changed);
}

/** Tells of a change at a boundary: it gives nothing back, and costs the new base (SUB-49). */
export function announceChange(work: Work, before: SubscriptionRow, changed: SubscriptionRow, invoice: InvoiceRow | null): void {
  const plans = { previous: planOf(work, before), current: planOf(work, changed) };
  const figures = { creditMinor: 0n, chargeMinor: changed.effectiveBaseMinor, totalMinor: invoice?.total ?? 0n };
  work.emit(planChanged(work.customer, changed, plans, figures));
  work.emit(stateChanged(work.customer, changed, 'plan_change'));
}
