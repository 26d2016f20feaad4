// Plan change scheduled for the end of the period (SUB-48). A subscription has at most one.
import { specificRejection } from '../../errors/errors.ts';
import { planChangeRevoked, planChangeScheduled } from '../../events/plan-change-events.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { ScheduledChange, SubscriptionRow } from '../../rows/rows.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import type { PlanTarget } from './change-target.ts';

/** Cancels the scheduled change and emits its event. Returns the updated subscription. Does nothing if no change is scheduled. */
export function revokeScheduled(draft: Draft, subscription: SubscriptionRow): SubscriptionRow {
  const { scheduledChange } = subscription;
  if (scheduledChange === null) return subscription;
  draft.emit(planChangeRevoked(draft.customer, subscription, planOf(draft, subscription), scheduledChange));
  return draft.subscriptions.patch(subscription.id, { scheduledChange: null, updatedAt: draft.now });
}

/** Converts a change to its stored form. The interval is `null` if it doesn't change, and for free plans. */
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
 * Schedules a change for the end of the period or trial. Replaces an earlier scheduled change. Does nothing
 * if the same change is already scheduled.
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

/** Cancels the scheduled change (OQ-13). Fails with `no_change_requested` if no change is scheduled. */
export function revokeChange(draft: Draft, subscription: SubscriptionRow): Decision {
  if (subscription.scheduledChange === null) {
    return draft.reject(specificRejection('no_change_requested', 'no_scheduled_change'));
  }
  revokeScheduled(draft, subscription);
  return draft.done('done', subscription.id);
}
