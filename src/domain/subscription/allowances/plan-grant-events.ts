// Payloads of plan grant events. The documentation lists every field, so don't add fields.
import type { EventBody } from '../../events/event-data.ts';
import { stateChanged } from '../../events/subscription-events.ts';
import type { CustomerRow, PlanGrantRow, SubscriptionRow } from '../state/aggregate.ts';

type PlanGrantEvent =
  | 'plan_grant.created'
  | 'plan_grant.updated'
  | 'plan_grant.expired'
  | 'plan_grant.revoked';

const planGrantEvent = (kind: PlanGrantEvent, customer: CustomerRow, grant: PlanGrantRow): EventBody => ({
  kind,
  subscriptionId: grant.subscriptionId,
  data: {
    id: grant.id,
    // Unlike other events, plan grant events contain the customer ID instead of the external ID.
    customerId: customer.id,
    subscriptionId: grant.subscriptionId,
    basePlanId: grant.basePlanId,
    targetPlanId: grant.planId,
    targetPlanReleaseId: grant.planReleaseId,
    status: grant.status,
    duration: grant.duration,
    durationCycles: grant.durationCycles,
    startsAt: grant.startsAt.toISOString(),
    expiresAt: grant.expiresAt?.toISOString() ?? null,
    reason: grant.reason,
    source: grant.timeline.at(-1)?.source ?? grant.source,
    revokedAt: grant.revokedAt?.toISOString() ?? null,
    createdAt: grant.createdAt.toISOString(),
    updatedAt: grant.updatedAt.toISOString(),
    events: grant.timeline,
  },
});

/** Returns the events for a new plan grant and for the access that it adds (SUB-56). */
export const planGrantCreated = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  grant: PlanGrantRow,
): EventBody[] => [
  planGrantEvent('plan_grant.created', customer, grant),
  stateChanged(customer, subscription, 'plan_access_granted'),
];

/** Returns the event for a plan grant whose duration changed (SUB-56). */
export const planGrantUpdated = (customer: CustomerRow, grant: PlanGrantRow): EventBody =>
  planGrantEvent('plan_grant.updated', customer, grant);

/** Returns the events for an ended plan grant and for the remaining access (SUB-56). */
export const planGrantEnded = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  grant: PlanGrantRow,
): EventBody[] => [
  planGrantEvent(grant.status === 'expired' ? 'plan_grant.expired' : 'plan_grant.revoked', customer, grant),
  stateChanged(customer, subscription, 'plan_access_ended'),
];
