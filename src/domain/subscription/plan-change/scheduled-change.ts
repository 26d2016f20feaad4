// The change that is scheduled for the end of the period (SUB-48). There is at most one.
import { specificRejection } from '../../errors.ts';
import { planChangeRevoked, planChangeScheduled } from '../../plan-change-events.ts';
import { planOf } from '../pricing/lookup.ts';
import { boundOf } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import type { ScheduledChange, SubscriptionRow } from '../state/rows.ts';
import type { PlanTarget } from './change-target.ts';

/**
 * Drops the scheduled change and emits the event of it. Returns the subscription without it. Does nothing
 * without a scheduled change.
 */
export function revokeScheduled(draft: Draft, subscription: SubscriptionRow): SubscriptionRow {
  const { scheduledChange } = subscription;
  if (scheduledChange === null) return subscription;
  draft.emit(planChangeRevoked(draft.customer, subscription, planOf(draft, subscription), scheduledChange));
  return draft.subscriptions.patch(subscription.id, { scheduledChange: null, updatedAt: draft.now });
}

/** The stored form of a scheduled change. The interval is null where it stays the same, and on free plans. */
function scheduledOf(subscription: SubscriptionRow, { plan, price }: PlanTarget): ScheduledChange {
  const interval = price?.price.billingInterval ?? null;
  return {
    changeType: plan.id === subscription.planId ? 'interval_change' : 'plan_downgrade',
    newPlanId: plan.id,
    newPlanName: plan.name,
    newBillingInterval: interval === subscription.billingInterval ? null : interval,
    scheduledFor: boundOf(
      subscription,
      subscription.status === 'trialing' ? subscription.trialEndsAt : subscription.periodEnd,
    ).toISOString(),
  };
}

const isSame = (a: ScheduledChange | null, b: ScheduledChange): boolean =>
  a !== null && a.newPlanId === b.newPlanId && a.newBillingInterval === b.newBillingInterval;

/**
 * Schedules a change for the end of the period or trial. It replaces another one; the same change once more
 * changes nothing.
 */
export function scheduleChange(draft: Draft, subscription: SubscriptionRow, target: PlanTarget): Decision {
  const wanted = scheduledOf(subscription, target);
  if (isSame(subscription.scheduledChange, wanted)) return draft.done('unchanged', subscription.id);
  revokeScheduled(draft, subscription);
  const scheduled = draft.subscriptions.patch(subscription.id, {
    scheduledChange: wanted,
    updatedAt: draft.now,
  });
  draft.emit(planChangeScheduled(draft.customer, scheduled, planOf(draft, scheduled), wanted));
  return draft.done('done', scheduled.id);
}

/** Withdraws the scheduled change (OQ-13). Rejects with `no_change_requested` without one. */
export function revokeChange(draft: Draft, subscription: SubscriptionRow): Decision {
  if (subscription.scheduledChange === null) {
    return draft.reject(specificRejection('no_change_requested', 'no_scheduled_change'));
  }
  revokeScheduled(draft, subscription);
  return draft.done('done', subscription.id);
}
