// The payload of each event about a change of plan or interval.
import { type EventBody, shownCustomerId } from './event-data.ts';
import { wireAmount } from './money.ts';
import type { PlanRow } from './pricing/catalog.ts';
import type { CustomerRow, ScheduledChange, SubscriptionRow } from './subscription/state/rows.ts';

const named = ({ id, name }: Pick<PlanRow, 'id' | 'name'>) => ({ id, name });

const about = (customer: CustomerRow, subscription: SubscriptionRow) => ({
  subscriptionId: subscription.id,
  customerId: shownCustomerId(customer),
});

/** The amounts of a change, minor units. */
export type ChangeFigures = {
  readonly creditMinor: bigint;
  readonly chargeMinor: bigint;
  readonly totalMinor: bigint;
};

/** A change took effect; the row is the changed one. */
export const planChanged = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plans: { readonly previous: PlanRow; readonly current: PlanRow },
  figures: ChangeFigures,
): EventBody => ({
  kind: 'subscription.plan_changed',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    previousPlan: named(plans.previous),
    currentPlan: named(plans.current),
    billingInterval: subscription.billingInterval,
    credit: wireAmount(figures.creditMinor),
    charge: wireAmount(figures.chargeMinor),
    totalCharged: wireAmount(figures.totalMinor),
  },
});

const scheduledPlan = ({ newPlanId: id, newPlanName: name }: ScheduledChange) => ({ id, name });

/** A change was scheduled for the end of the period (SUB-48). */
export const planChangeScheduled = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
  change: ScheduledChange,
): EventBody => ({
  kind: 'subscription.plan_change_scheduled',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    status: subscription.status,
    currentPlan: named(plan),
    scheduledPlan: scheduledPlan(change),
    billingInterval: subscription.billingInterval,
    scheduledBillingInterval: change.newBillingInterval,
    effectiveAt: change.scheduledFor,
  },
});

/** A scheduled change was dropped (SUB-48, SUB-50). */
export const planChangeRevoked = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
  change: ScheduledChange,
): EventBody => ({
  kind: 'subscription.plan_change_revoked',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    status: subscription.status,
    currentPlan: named(plan),
    revokedPlan: scheduledPlan(change),
    billingInterval: subscription.billingInterval,
    revokedBillingInterval: change.newBillingInterval,
  },
});

/** The customer changed plan during the trial and paid, which ends the trial (SUB-44). */
export const trialConverted = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
): EventBody => ({
  kind: 'trial.converted',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    status: subscription.status,
    planId: plan.id,
    planName: plan.name,
  },
});
