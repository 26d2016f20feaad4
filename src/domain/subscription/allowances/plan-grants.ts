// Durations and lookup of plan grants, which give temporary access to a higher plan and don't affect billing
// (SUB-53 to SUB-58).

import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { PlanGrantDuration, PlanGrantSource } from '../../rows/enums.ts';
import { boundOf } from '../../rows/period-bound.ts';
import { boundary, boundaryNumber, periodInterval } from '../../time/period.ts';
import type { PlanGrantRow, SubscriptionRow } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';

/**
 * Duration of a plan grant (SUB-55). `durationCycles` is set only for `cycles`, and `requestedExpiresAt` only
 * for `until_date`.
 */
export type GrantTerm = {
  readonly duration: PlanGrantDuration;
  /** Number of billing periods until the grant expires, at least 1. */
  readonly durationCycles: number | null;
  readonly requestedExpiresAt: Date | null;
};

/** Reason for creating or changing a plan grant, and the source of the request. */
export type GrantCause = { readonly reason: string; readonly source: PlanGrantSource };

/**
 * Returns the expiration time of a plan grant that starts now (SUB-55). Billing periods are counted from the
 * subscription's anchor, starting with the current period. `null` if the grant lasts until it's revoked.
 */
export function endOf(
  subscription: SubscriptionRow,
  { duration, durationCycles, requestedExpiresAt }: GrantTerm,
  now: Date,
): Date | null {
  if (duration !== 'cycles') return requestedExpiresAt;
  const anchor = boundOf(subscription, subscription.anchorDate);
  const interval = periodInterval(subscription.billingInterval);
  return boundary(anchor, interval, boundaryNumber(anchor, interval, now) + (durationCycles ?? 1));
}

/** Returns the reason why a plan grant can't start now with this duration, or `null` if it can start. */
export const termRejection = ({ requestedExpiresAt }: GrantTerm, now: Date): Rejection | null =>
  requestedExpiresAt !== null && requestedExpiresAt <= now
    ? fieldRejection('expiresAt', 'expiresAt must lie in the future.')
    : null;

/** Converts the requested duration to the format of timeline entries. */
export const requestedDuration = ({ duration, durationCycles, requestedExpiresAt }: GrantTerm) => ({
  duration,
  durationCycles,
  requestedExpiresAt: requestedExpiresAt?.toISOString() ?? null,
});

export const unknownGrant: Rejection = specificRejection('not_found', 'plan_grant', { param: 'grantId' });

/** Returns an active plan grant with its subscription. `null` if the grant doesn't exist or has ended. */
export function findActive(
  draft: Draft,
  grantId: string,
): { readonly grant: PlanGrantRow; readonly subscription: SubscriptionRow } | null {
  const grant = draft.grants.find(grantId);
  const subscription = grant === null ? null : draft.subscriptions.find(grant.subscriptionId);
  return grant?.status !== 'active' || subscription === null ? null : { grant, subscription };
}
