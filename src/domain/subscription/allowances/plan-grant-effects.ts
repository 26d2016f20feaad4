// What begins and ends with a plan grant.
import { coverRises } from '../../usage/counts.ts';
import { planById } from '../pricing/lookup.ts';
import type { PlanGrantEntry, PlanGrantRow, SubscriptionRow } from '../state/aggregate.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { planGrantEnded } from './plan-grant-events.ts';
import { pairRejection } from './plan-grant-fit.ts';

/** The plan grant that widens the access of a subscription; null without one. */
export const activeGrant = (draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): PlanGrantRow | null =>
  draft.grants.all().find(({ subscriptionId, status }) => subscriptionId === id && status === 'active') ??
  null;

/** A timeline entry of a plan grant without its id and times; an end has no duration. */
type Said = Pick<PlanGrantEntry, 'type' | 'reason' | 'source'> &
  Partial<Pick<PlanGrantEntry, 'duration' | 'durationCycles' | 'requestedExpiresAt'>>;

/** An entry of the timeline of a plan grant, from how it was to end to how it is to end now. */
export const entryOf = (
  draft: Draft,
  said: Said,
  previousExpiresAt: Date | null,
  expiresAt: Date | null,
): PlanGrantEntry => ({
  id: draft.newId('gre'),
  duration: null,
  durationCycles: null,
  requestedExpiresAt: null,
  ...said,
  previousExpiresAt: previousExpiresAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: draft.now.toISOString(),
});

/** Schedules the end of a plan grant (SUB-55). */
export function scheduleExpiry(
  draft: Draft,
  subscription: SubscriptionRow,
  { expiresAt }: PlanGrantRow,
): void {
  if (expiresAt === null) draft.unschedule(deadlineId('grant_expiry', subscription.id));
  else draft.schedule(deadline(subscription, 'grant_expiry', expiresAt));
}

/** How a plan grant ends. */
export type GrantEnd = { readonly type: 'expired' | 'revoked' } & Pick<PlanGrantEntry, 'reason' | 'source'>;

/**
 * What was used and held until now was the grant's to allow: if the plan itself sells usage by now, that
 * usage is not billed (SUB-54). Later usage is.
 */
function coverUse(draft: Draft, { id, customerId, windowStart }: SubscriptionRow): void {
  for (const counter of draft.counters.all()) {
    const isOpen = counter.subscriptionId === id && counter.windowStart.getTime() === windowStart?.getTime();
    if (isOpen && counter.total > counter.covered)
      draft.counters.patch(counter.id, { covered: counter.total });
  }
  for (const count of draft.counts.all()) {
    if (count.customerId === customerId && count.steps.length > 0)
      draft.counts.patch(count.id, coverRises(count, draft.now));
  }
}

/**
 * Ends a plan grant at once and describes it (SUB-56); counts stay as they are (SUB-57). Returns the
 * subscription with its own access.
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

/** Ends the plan grant of a subscription that ends itself (SUB-28). Does nothing without one. */
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
 * Ends the plan grant of a subscription whose plan has just changed, unless the two plans could still be
 * granted beside each other: the granted one ranks above the new one, and neither sells use (SUB-45, SUB-53).
 * One that stays keeps its end. Returns the subscription as it stands.
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
