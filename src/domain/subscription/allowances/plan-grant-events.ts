// The payload of plan grant events, with exactly the documented fields.
import type { EventBody } from '../../event-data.ts';
import { stateChanged } from '../../subscription-events.ts';
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
    // The one event that names customers by our id.
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

/** Access was widened, and so the customer may do more (SUB-56). */
export const planGrantCreated = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  grant: PlanGrantRow,
): EventBody[] => [
  planGrantEvent('plan_grant.created', customer, grant),
  stateChanged(customer, subscription, 'plan_access_granted'),
];

/** The duration of a plan grant was replaced (SUB-56). */
export const planGrantUpdated = (customer: CustomerRow, grant: PlanGrantRow): EventBody =>
  planGrantEvent('plan_grant.updated', customer, grant);

/** Access is what the plan alone gives again. Takes the ended row (SUB-56). */
export const planGrantEnded = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  grant: PlanGrantRow,
): EventBody[] => [
  planGrantEvent(grant.status === 'expired' ? 'plan_grant.expired' : 'plan_grant.revoked', customer, grant),
  stateChanged(customer, subscription, 'plan_access_ended'),
];
