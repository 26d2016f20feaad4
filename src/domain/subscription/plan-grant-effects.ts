// What begins and ends with a plan grant, whoever causes it.
import { coverRises } from '../consumption/counts.ts';
import { withoutGrant } from '../consumption/plan-grant-terms.ts';
import type { PlanGrantEntry, PlanGrantRow, SubscriptionRow } from './aggregate.ts';
import { deadline, deadlineId } from './deadlines.ts';
import { planById } from './lookup.ts';
import { planGrantEnded } from './plan-grant-events.ts';
import { pairRefusal } from './plan-grant-fit.ts';
import type { Work } from './work.ts';

/** The plan grant that widens the access of a subscription; null without one. */
export const activeGrant = (work: Work, { id }: Pick<SubscriptionRow, 'id'>): PlanGrantRow | null =>
  work.grants.all().find(({ subscriptionId, status }) => subscriptionId === id && status === 'active') ?? null;

/** What is said of something that happens to a plan grant now; the end asks for no duration. */
type Said = Pick<PlanGrantEntry, 'type' | 'reason' | 'source'> &
  Partial<Pick<PlanGrantEntry, 'duration' | 'durationCycles' | 'requestedExpiresAt'>>;

/** An entry of the timeline of a plan grant, from how it was to end to how it is to end now. */
export const entryOf = (work: Work, said: Said, previousExpiresAt: Date | null, expiresAt: Date | null): PlanGrantEntry => ({
  id: work.newId('gre'),
  duration: null,
  durationCycles: null,
  requestedExpiresAt: null,
  ...said,
  previousExpiresAt: previousExpiresAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: work.now.toISOString(),
});

/** Has a plan grant end when it is to end, and not before (SUB-55). */
export function scheduleExpiry(work: Work, subscription: SubscriptionRow, { expiresAt }: PlanGrantRow): void {
  if (expiresAt === null) work.unschedule(deadlineId('grant_expiry', subscription.id));
  else work.schedule(deadline(subscription, 'grant_expiry', expiresAt));
}

/** How a plan grant ends. */
export type GrantEnd = { readonly type: 'expired' | 'revoked' } & Pick<PlanGrantEntry, 'reason' | 'source'>;

/**
 * What was used and held until now was the grant's to allow: should the plan by itself sell use meanwhile, it is not billed (SUB-54). What comes
 * after is.
 */
function coverUse(work: Work, { id, customerId, windowStart }: SubscriptionRow): void {
  for (const counter of work.counters.all()) {
    const isOpen = counter.subscriptionId === id && counter.windowStart.getTime() === windowStart?.getTime();
    if (isOpen && counter.total > counter.covered) work.counters.put({ ...counter, covered: counter.total });
  }
  for (const count of work.counts.all()) {
    if (count.customerId === customerId && count.steps.length > 0) work.counts.put(coverRises(count, work.now));
  }
}

/** Ends a plan grant at once and tells of it (SUB-56); counts stay as they are (SUB-57). Answers the subscription with its own access. */
export function endGrant(work: Work, subscription: SubscriptionRow, grant: PlanGrantRow, end: GrantEnd): SubscriptionRow {
  const ended = work.grants.put({
    ...grant,
    status: end.type,
    reason: end.reason,
    revokedAt: end.type === 'revoked' ? work.now : null,
    timeline: [...grant.timeline, entryOf(work, end, grant.expiresAt, grant.expiresAt)],
    updatedAt: work.now,
  });
  work.unschedule(deadlineId('grant_expiry', subscription.id));
  coverUse(work, subscription);
  const bare = work.subscriptions.put(withoutGrant(subscription));
  for (const event of planGrantEnded(work.customer, bare, ended)) work.emit(event);
  return bare;
}

/** Ends the plan grant of a subscription that ends itself (SUB-28). Answers the subscription without it, unchanged where there was none. */
export function endGrants(work: Work, subscription: SubscriptionRow): SubscriptionRow {
  const grant = activeGrant(work, subscription);
  if (grant === null) return subscription;
  return endGrant(work, subscription, grant, { type: 'revoked', reason: 'The subscription ended.', source: 'system' });
}

/**
 * Ends the plan grant of a subscription whose plan has just changed, unless the two plans could still be granted beside each other: the granted
 * one ranks above the new one, and neither sells use (SUB-45, SUB-53). One that stays keeps its end. Answers the subscription as it then is.
 */
export function reviewGrants(work: Work, changed: SubscriptionRow): SubscriptionRow {
  const grant = activeGrant(work, changed);
  if (grant === null || changed.grantedReleaseSeq === null) return changed;
  if (pairRefusal(work, changed, planById(work, grant.planId), changed.grantedReleaseSeq) === null) {
    work.grants.put({ ...grant, basePlanId: changed.planId, updatedAt: work.now });
    return changed;
  }
  return endGrant(work, changed, grant, { type: 'revoked', reason: 'The plan of the subscription changed.', source: 'system' });
}
