// Temporary access to a higher plan, without any effect on billing: given, prolonged or shortened, taken back, run out (SUB-53 to SUB-58).

import { activeAddons } from '../consumption/terms.ts';
import type { Refusal } from '../errors.ts';
import { boundary, boundaryNumber, periodInterval } from '../period.ts';
import type {
  CreateGrantCommand,
  Decision,
  GrantExpiryCommand,
  GrantTerm,
  PlanGrantRow,
  RevokeGrantCommand,
  SubscriptionRow,
  UpdateGrantCommand,
} from './aggregate.ts';
import { addonsOf } from './allowance.ts';
import { chargeUnderWay } from './lookup.ts';
import { boundOf, isRecurring } from './periods.ts';
import { activeGrant, endGrant, entryOf, scheduleExpiry } from './plan-grant-effects.ts';
import { planGrantCreated, planGrantUpdated } from './plan-grant-events.ts';
import { pairRefusal, releaseOf } from './plan-grant-fit.ts';
import { chargeInProgress, fieldRefusal, statusRefusal } from './refusals.ts';
import type { Work } from './work.ts';

/** When a term that begins now ends (SUB-55): boundaries are counted from the anchor, the next one being the first; null until it is revoked. */
function endOf(subscription: SubscriptionRow, { duration, durationCycles, requestedExpiresAt }: GrantTerm, now: Date): Date | null {
  if (duration !== 'cycles') return requestedExpiresAt;
  const anchor = boundOf(subscription, subscription.anchorDate);
  const interval = periodInterval(subscription.billingInterval);
  return boundary(anchor, interval, boundaryNumber(anchor, interval, now) + (durationCycles ?? 1));
}

/** Why a term cannot begin now; null when it can. */
const termRefusal = ({ requestedExpiresAt }: GrantTerm, now: Date): Refusal | null =>
  requestedExpiresAt !== null && requestedExpiresAt <= now ? fieldRefusal('expiresAt', 'expiresAt must lie in the future.') : null;

/** How a timeline says what was asked for. */
const said = ({ duration, durationCycles, requestedExpiresAt }: GrantTerm) => ({
  duration,
  durationCycles,
  requestedExpiresAt: requestedExpiresAt?.toISOString() ?? null,
});

/** Whether an add-on begins once the gateway has answered: it and a plan grant exclude each other (SUB-53, SUB-70). */
function isBuyingAddon(work: Work, subscription: SubscriptionRow): boolean {
  const invoiceId = chargeUnderWay(work, subscription)?.invoiceId ?? null;
  return invoiceId !== null && work.invoices.find(invoiceId)?.type === 'addon_activation';
}

/** Why a subscription can have no plan grant beside the one asked for, whatever the plan (SUB-53); null when it can. */
function subscriptionRefusal(work: Work, subscription: SubscriptionRow): Refusal | null {
  if (!isRecurring(subscription)) return fieldRefusal('subscriptionId', 'The subscription has no billing interval that recurs.');
  if (activeGrant(work, subscription) !== null) {
    return { code: 'duplicate', message: 'The subscription has an active plan grant.', param: 'subscriptionId' };
  }
  if (activeAddons(addonsOf(work, subscription)).length > 0) {
    return fieldRefusal('subscriptionId', 'The subscription has active add-ons.');
  }
  return isBuyingAddon(work, subscription) ? chargeInProgress : null;
}

/**
 * Gives a subscription access to a higher plan as it stands now (SUB-53, SUB-54). Refuses, in this order, the status, an unknown plan, an
 * interval that does not recur, another active grant, active add-ons, an add-on whose charge is under
 * way, plans that do not go together, and an end in the past.
 */
export function createGrant(work: Work, subscription: SubscriptionRow, command: CreateGrantCommand): Decision {
  const refusal = statusRefusal('grant', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const { catalog } = work.aggregate;
  const target = catalog.plans.get(command.planId);
  if (target === undefined || target.deletedAt !== null) {
    return work.refuse({ code: 'plan_not_found', message: 'There is no such plan.', param: 'planId' });
  }
  const release = releaseOf(catalog, target.id);
  const unfit =
    subscriptionRefusal(work, subscription) ?? pairRefusal(work, subscription, target, release.seq) ?? termRefusal(command, work.now);
  if (unfit !== null) return work.refuse(unfit);
  const widened = work.subscriptions.put({ ...subscription, grantedPlanId: target.id, grantedReleaseSeq: release.seq });
  const expiresAt = endOf(subscription, command, work.now);
  const { reason, source } = command;
  const grant = work.grants.add({
    id: command.grantId,
    seq: null,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    basePlanId: subscription.planId,
    planId: target.id,
    planReleaseId: release.id,
    status: 'active',
    duration: command.duration,
    durationCycles: command.durationCycles,
    startsAt: work.now,
    expiresAt,
    reason,
    source,
    revokedAt: null,
    timeline: [entryOf(work, { type: 'created', reason, source, ...said(command) }, null, expiresAt)],
    createdAt: work.now,
    updatedAt: work.now,
  });
  scheduleExpiry(work, widened, grant);
  for (const event of planGrantCreated(work.customer, widened, grant)) work.emit(event);
  return work.done('done', subscription.id);
}

const unknownGrant: Refusal = { code: 'not_found', message: 'The customer has no such plan grant in force.', param: 'grantId' };

/** An active plan grant with its subscription; null when it is unknown or has ended. */
function findActive(work: Work, grantId: string): { readonly grant: PlanGrantRow; readonly subscription: SubscriptionRow } | null {
  const grant = work.grants.find(grantId);
  const subscription = grant === null ? null : work.subscriptions.find(grant.subscriptionId);
  return grant?.status !== 'active' || subscription === null ? null : { grant, subscription };
}

/** Replaces the duration of an active plan grant; boundaries are counted afresh from now (SUB-56). Refuses one that is not active, and an end in the past. */
export function updateGrant(work: Work, command: UpdateGrantCommand): Decision {
  const found = findActive(work, command.grantId);
  if (found === null) return work.refuse(unknownGrant);
  const { grant, subscription } = found;
  const refusal = termRefusal(command, work.now);
  if (refusal !== null) return work.refuse(refusal);
  const expiresAt = endOf(subscription, command, work.now);
  const { reason, source } = command;
  const updated = work.grants.put({
    ...grant,
    duration: command.duration,
    durationCycles: command.durationCycles,
    expiresAt,
    reason,
    timeline: [...grant.timeline, entryOf(work, { type: 'updated', reason, source, ...said(command) }, grant.expiresAt, expiresAt)],
    updatedAt: work.now,
  });
  scheduleExpiry(work, subscription, updated);
  work.emit(planGrantUpdated(work.customer, updated));
  return work.done('done', subscription.id);
}

/** Ends an active plan grant at once (SUB-56). Refuses one that is not active. */
export function revokeGrant(work: Work, { grantId, reason, source }: RevokeGrantCommand): Decision {
  const found = findActive(work, grantId);
  if (found === null) return work.refuse(unknownGrant);
  endGrant(work, found.subscription, found.grant, { type: 'revoked', reason, source });
  return work.done('done', found.subscription.id);
}

/** Ends a plan grant whose time is up, unless its end was moved (SUB-56). */
export function grantExpiry(work: Work, subscription: SubscriptionRow, command: GrantExpiryCommand): Decision {
  work.complete(command);
  const grant = activeGrant(work, subscription);
  if (grant?.expiresAt?.getTime() !== command.dueAt.getTime()) return work.done('unchanged', subscription.id);
  endGrant(work, subscription, grant, { type: 'expired', reason: 'The plan grant reached its end.', source: 'system' });
  work.item = { outcome: 'grant_expired', invoiceId: null, detail: null };
  return work.done('done', subscription.id);
}
