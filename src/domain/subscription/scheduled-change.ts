// The one slot for a change that waits for the end of the period (SUB-48): taken, replaced and given up.
import { planChangeRevoked, planChangeScheduled } from '../plan-change-events.ts';
import type { Decision } from './aggregate.ts';
import type { PlanTarget } from './change-target.ts';
import { planOf } from './lookup.ts';
import { boundOf } from './periods.ts';
import type { ScheduledChange, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** Gives up the change that waits and says so; the subscription without it, not written where nothing waited. */
export function revokeScheduled(work: Work, subscription: SubscriptionRow): SubscriptionRow {
  const { scheduledChange } = subscription;
  if (scheduledChange === null) return subscription;
  work.emit(planChangeRevoked(work.customer, subscription, planOf(work, subscription), scheduledChange));
  return work.subscriptions.put({ ...subscription, scheduledChange: null, updatedAt: work.now });
}

/** What is stored of a change that waits. The interval is null where it stays, and on free plans. */
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

/** Lets a change wait for the end of the period or trial, in place of another one; the same once more changes nothing. */
export function scheduleChange(work: Work, subscription: SubscriptionRow, target: PlanTarget): Decision {
  const wanted = scheduledOf(subscription, target);
  if (isSame(subscription.scheduledChange, wanted)) return work.done('unchanged', subscription.id);
  const free = revokeScheduled(work, subscription);
  const scheduled = work.subscriptions.put({ ...free, scheduledChange: wanted, updatedAt: work.now });
  work.emit(planChangeScheduled(work.customer, scheduled, planOf(work, scheduled), wanted));
  return work.done('done', scheduled.id);
}

/** Withdraws the change that waits (OQ-13). Refused with `no_change_requested` where none does. */
export function revokeChange(work: Work, subscription: SubscriptionRow): Decision {
  if (subscription.scheduledChange === null) {
    return work.refuse({ code: 'no_change_requested', message: 'No change of the subscription is scheduled.' });
  }
  revokeScheduled(work, subscription);
  return work.done('done', subscription.id);
}
