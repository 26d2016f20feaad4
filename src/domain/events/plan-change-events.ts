// Payloads of events about plan and interval changes.

import { wireAmount } from '../money/money.ts';
import type { PlanRow } from '../pricing/catalog.ts';
import type { CustomerRow, ScheduledChange, SubscriptionRow } from '../rows/rows.ts';
import { type EventBody, shownCustomerId } from './event-data.ts';

const named = ({ id, name }: Pick<PlanRow, 'id' | 'name'>) => ({ id, name });

const about = (customer: CustomerRow, subscription: SubscriptionRow) => ({
  subscriptionId: subscription.id,
  customerId: shownCustomerId(customer),
});

/** Amounts of a plan change, in minor units. */
export type ChangeFigures = {
  readonly creditMinor: bigint;
  readonly chargeMinor: bigint;
  readonly totalMinor: bigint;
};

/**
 * Returns the event for an applied plan or interval change. `subscription` must be the changed subscription.
 */
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

/** Returns the event for a plan or interval change that was scheduled for the end of the period (SUB-48). */
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

/** Returns the event for a scheduled plan or interval change that was canceled (SUB-48, SUB-50). */
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

/** Returns the event for a trial that ended because the customer changed to a paid plan (SUB-44). */
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
