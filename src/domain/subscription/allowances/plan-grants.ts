// Temporary access to a higher plan, without any effect on billing: given, prolonged or shortened, taken
// back, run out (SUB-53 to SUB-58).
import type { PlanGrantDuration, PlanGrantSource } from '../../enums.ts';
import { type Rejection, specificRejection } from '../../errors.ts';
import { boundary, boundaryNumber, periodInterval } from '../../period.ts';
import { boundOf } from '../schedule/periods.ts';
import type { PlanGrantRow, SubscriptionRow } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';

/**
 * How long a plan grant lasts (SUB-55): `durationCycles` with `cycles` only, `requestedExpiresAt` with
 * `until_date` only.
 */
export type GrantTerm = {
  readonly duration: PlanGrantDuration;
  /** Boundaries from now on, at least 1. */
  readonly durationCycles: number | null;
  readonly requestedExpiresAt: Date | null;
};

/** Why a plan grant is made or changed, and by whom. */
export type GrantCause = { readonly reason: string; readonly source: PlanGrantSource };

/**
 * When a term that begins now ends (SUB-55): boundaries are counted from the anchor, the next one being the
 * first; null until it is revoked.
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

/** Why a term cannot begin now; null when it can. */
export const termRejection = ({ requestedExpiresAt }: GrantTerm, now: Date): Rejection | null =>
  requestedExpiresAt !== null && requestedExpiresAt <= now
    ? fieldRejection('expiresAt', 'expiresAt must lie in the future.')
    : null;

/** The requested duration as timeline entries hold it. */
export const said = ({ duration, durationCycles, requestedExpiresAt }: GrantTerm) => ({
  duration,
  durationCycles,
  requestedExpiresAt: requestedExpiresAt?.toISOString() ?? null,
});

export const unknownGrant: Rejection = specificRejection('not_found', 'plan_grant', { param: 'grantId' });

/** An active plan grant with its subscription; null when it is unknown or has ended. */
export function findActive(
  draft: Draft,
  grantId: string,
): { readonly grant: PlanGrantRow; readonly subscription: SubscriptionRow } | null {
  const grant = draft.grants.find(grantId);
  const subscription = grant === null ? null : draft.subscriptions.find(grant.subscriptionId);
  return grant?.status !== 'active' || subscription === null ? null : { grant, subscription };
}
