// Retention offers for customers who want to cancel (OFR-41 to OFR-45).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { subscriptionRetained } from '../../events/subscription-events.ts';
import { reducedBase } from '../../offers/terms.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../../rows/rows.ts';
import type { Terms } from '../pricing/offering.ts';
import type { Draft } from '../state/draft.ts';
import { defaultCancelReason } from './cancel.ts';
import { isEnding, revokeCancellation } from './revoke-cancellation.ts';

export type Retention = {
  /** Result of `retainedTerms` for the offer that the customer saw. If `null`, the terms aren't compared. */
  readonly agreed: string | null;
  /**
   * Time at which the scheduled cancellation was requested. Accepting the offer revokes this cancellation.
   * `null` if no cancellation is scheduled.
   */
  readonly cancellationScheduledAt: Date | null;
  /** Cancellation reason that the customer chose. `null` if it's unknown. */
  readonly reason: string | null;
};

type Agreed = Pick<OfferApplicationRow, 'offerId' | 'name' | 'currency' | 'subtotalMinor' | 'totalMinor'> &
  Pick<OfferApplicationRow, 'phases'>;

/**
 * Returns the offer terms as a string for comparison. Two strings are equal only if a customer would see the
 * same terms.
 */
export const retainedTerms = ({
  offerId,
  name,
  currency,
  subtotalMinor,
  totalMinor,
  phases,
}: Agreed): string =>
  JSON.stringify([
    offerId,
    name,
    currency,
    String(subtotalMinor),
    String(totalMinor),
    // Sort the keys, because stored JSON objects can have a different key order.
    phases.map((phase) => Object.entries(phase).sort(([one], [other]) => (one < other ? -1 : 1))),
  ]);

const ofRetention = (draft: Draft, subscriptionId: string): OfferApplicationRow[] =>
  draft.offerApplications
    .all()
    .filter((row) => row.subscriptionId === subscriptionId && row.source === 'retention');

/**
 * Returns true if the same terms are already applied and no cancellation is scheduled. Accepting the offer
 * again then changes nothing (OFR-43).
 */
export const isRetained = (
  draft: Draft,
  { id, cancelAtPeriodEnd }: SubscriptionRow,
  { agreed }: Retention,
): boolean =>
  !cancelAtPeriodEnd &&
  ofRetention(draft, id).some((row) => row.endedAt === null && retainedTerms(row) === agreed);

const rejected = (reason: 'retention_used' | 'retention_changed' | 'retention_saves_nothing'): Rejection =>
  specificRejection('offer_not_applicable', reason, { param: 'key', details: { reason } });

/**
 * Returns the rejection for a retention offer that doesn't discount the plan. `null` if the offer discounts the plan.
 */
export const savesNothing = ({ phases }: Terms, { amountMinor }: ResolvedPrice): Rejection | null =>
  phases.some(
    (phase) => phase.type !== 'free_trial' && reducedBase(amountMinor, phase).effectiveMinor < amountMinor,
  )
    ? null
    : rejected('retention_saves_nothing');

/**
 * Returns the rejection if the offer terms differ from those that the customer saw, or `null` if the terms are equal.
 */
export const otherTerms = (application: Agreed, { agreed }: Retention): Rejection | null =>
  agreed === null || agreed === retainedTerms(application) ? null : rejected('retention_changed');

/**
 * Returns the reason why a retention offer can't be accepted, or `null` if acceptance is possible. Rejects a
 * subscription with an open checkout, an offer that was accepted before (OFR-42), and a cancellation other than the one
 * that the customer saw.
 */
export function retentionRejection(
  draft: Draft,
  subscription: SubscriptionRow,
  offerId: string,
  { cancellationScheduledAt }: Retention,
): Rejection | null {
  if (subscription.status === 'pending_payment')
    return specificRejection('invalid_subscription_status', 'retention');
  if (ofRetention(draft, subscription.id).some((row) => row.offerId === offerId))
    return rejected('retention_used');
  const scheduledAt = subscription.cancellationScheduledAt?.getTime();
  const isSame = scheduledAt === cancellationScheduledAt?.getTime();
  return isSame && !isEnding(draft, subscription) ? null : rejected('retention_changed');
}

/** Emits `subscription.retained` and cancels the scheduled cancellation, if any (OFR-44). */
export function retain(
  draft: Draft,
  subscription: SubscriptionRow,
  application: OfferApplicationRow,
  { reason }: Retention,
): void {
  const { cancellationScheduledAt, cancelReason } = subscription;
  const isRevoked = subscription.cancelAtPeriodEnd && cancellationScheduledAt !== null;
  const known = isRevoked && cancelReason !== defaultCancelReason ? cancelReason : null;
  draft.emit(
    subscriptionRetained(draft.customer, subscription, application, { reason: reason ?? known, isRevoked }),
  );
  if (isRevoked) revokeCancellation(draft, subscription, cancellationScheduledAt);
}
