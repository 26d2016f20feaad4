import { coverRises } from '../../usage/counts.ts';
import { planById } from '../pricing/lookup.ts';
import type { PlanGrantEntry, PlanGrantRow, SubscriptionRow } from '../state/aggregate.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { planGrantEnded } from './plan-grant-events.ts';
import { pairRejection } from './plan-grant-fit.ts';
import { countedSoFar } from './window-total.ts';

export const activeGrant = (draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): PlanGrantRow | null =>
  draft.grants.all().find(({ subscriptionId, status }) => subscriptionId === id && status === 'active') ??
  null;

/**
 * Entry for a plan grant's timeline, without its ID and times. Entries for the end of a grant have no
 * duration.
 */
type EntryDetails = Pick<PlanGrantEntry, 'type' | 'reason' | 'source'> &
  Partial<Pick<PlanGrantEntry, 'duration' | 'durationCycles' | 'requestedExpiresAt'>>;

/** Returns a timeline entry for a plan grant, with the expirations before and after the change. */
export const entryOf = (
  draft: Draft,
  details: EntryDetails,
  previousExpiresAt: Date | null,
  expiresAt: Date | null,
): PlanGrantEntry => ({
  id: draft.newId('gre'),
  duration: null,
  durationCycles: null,
  requestedExpiresAt: null,
  ...details,
  previousExpiresAt: previousExpiresAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: draft.now.toISOString(),
});

/** Schedules the expiration of a plan grant (SUB-55). */
export function scheduleExpiry(
  draft: Draft,
  subscription: SubscriptionRow,
  { expiresAt }: PlanGrantRow,
): void {
  if (expiresAt === null) draft.unschedule(deadlineId('grant_expiry', subscription.id));
  else draft.schedule(deadline(subscription, 'grant_expiry', expiresAt));
}

export type GrantEnd = { readonly type: 'expired' | 'revoked' } & Pick<PlanGrantEntry, 'reason' | 'source'>;

/**
 * Marks the usage so far as covered by the plan grant (SUB-54). This usage isn't billed, even if the plan gets
 * overage pricing before the end of the usage window. Later usage is billed.
 */
function coverUse(draft: Draft, subscription: SubscriptionRow): void {
  const { id, customerId, windowStart } = subscription;
  for (const counter of draft.counters.all()) {
    const isOpen = counter.subscriptionId === id && counter.windowStart.getTime() === windowStart?.getTime();
    if (!isOpen) continue;
    const { total } = countedSoFar(draft, subscription, counter);
    if (total > counter.covered) draft.counters.patch(counter.id, { covered: total });
  }
  for (const count of draft.counts.all()) {
    if (count.customerId === customerId && count.steps.length > 0)
      draft.counts.patch(count.id, coverRises(count, draft.now));
  }
}

/**
 * Ends a plan grant immediately and emits the events (SUB-56). Seats and quota don't change (SUB-57). Returns the
 * subscription without the granted access.
 */
export function endGrant(
  draft: Draft,
  subscription: SubscriptionRow,
  grant: PlanGrantRow,
  end: GrantEnd,
): SubscriptionRow {
  const ended = draft.grants.patch(grant.id, {
    status: end.type,
    reason: end.reason,
    revokedAt: end.type === 'revoked' ? draft.now : null,
    timeline: [...grant.timeline, entryOf(draft, end, grant.expiresAt, grant.expiresAt)],
    updatedAt: draft.now,
  });
  draft.unschedule(deadlineId('grant_expiry', subscription.id));
  coverUse(draft, subscription);
  const bare = draft.subscriptions.patch(subscription.id, { grantedPlanId: null, grantedReleaseSeq: null });
  for (const event of planGrantEnded(draft.customer, bare, ended)) draft.emit(event);
  return bare;
}

/** Ends the plan grant of an ended subscription (SUB-28). Does nothing if there is no active plan grant. */
export function endGrants(draft: Draft, subscription: SubscriptionRow): void {
  const grant = activeGrant(draft, subscription);
  if (grant === null) return;
  endGrant(draft, subscription, grant, {
    type: 'revoked',
    reason: 'The subscription ended.',
    source: 'system',
  });
}

/**
 * Ends the plan grant after a plan change, unless the grant remains valid (SUB-45, SUB-53). A grant remains valid if
 * the granted plan ranks above the new plan, and if neither of the two plans has overage pricing. Its expiration then
 * doesn't change. Returns the updated subscription.
 */
export function reviewGrants(draft: Draft, changed: SubscriptionRow): SubscriptionRow {
  const grant = activeGrant(draft, changed);
  if (grant === null || changed.grantedReleaseSeq === null) return changed;
  if (pairRejection(draft, changed, planById(draft, grant.planId), changed.grantedReleaseSeq) === null) {
    draft.grants.patch(grant.id, { basePlanId: changed.planId, updatedAt: draft.now });
    return changed;
  }
  return endGrant(draft, changed, grant, {
    type: 'revoked',
    reason: 'The plan of the subscription changed.',
    source: 'system',
  });
}
