// The offer to stay: what a customer who is about to leave agrees to, and what follows (OFR-41 to OFR-45).
import { type Rejection, specificRejection } from '../../errors.ts';
import { reducedBase } from '../../offers/terms.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import { subscriptionRetained } from '../../subscription-events.ts';
import type { Terms } from '../pricing/offering.ts';
import type { Draft } from '../state/draft.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../state/rows.ts';
import { defaultCancelReason } from './cancel.ts';
import { revokeCancellation } from './revoke-cancellation.ts';

/** What a customer who stays agreed to. */
export type Retention = {
  /** `retainedTerms` of what was shown; null to find out what they would be. */
  readonly agreed: string | null;
  /** Since when the cancellation is scheduled that is taken back with it; null for none. */
  readonly cancellationScheduledAt: Date | null;
  /** Why the customer was about to leave; null where unknown. */
  readonly reason: string | null;
};

type Agreed = Pick<OfferApplicationRow, 'offerId' | 'name' | 'currency' | 'subtotalMinor' | 'totalMinor'> &
  Pick<OfferApplicationRow, 'phases'>;

/** The terms of an application as one text: equal where a customer would be told the same. */
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
    // Stored members have another order.
    phases.map((phase) => Object.entries(phase).sort(([one], [other]) => (one < other ? -1 : 1))),
  ]);

const ofRetention = (draft: Draft, subscriptionId: string): OfferApplicationRow[] =>
  draft.offerApplications
    .all()
    .filter((row) => row.subscriptionId === subscriptionId && row.source === 'retention');

/** Whether the very terms are applied already and nothing is left to take back: accepting them again changes nothing (OFR-43). */
export const isRetained = (
  draft: Draft,
  { id, cancelAtPeriodEnd }: SubscriptionRow,
  { agreed }: Retention,
): boolean =>
  !cancelAtPeriodEnd &&
  ofRetention(draft, id).some((row) => row.endedAt === null && retainedTerms(row) === agreed);

const rejected = (reason: 'retention_used' | 'retention_changed' | 'retention_saves_nothing'): Rejection =>
  specificRejection('offer_not_applicable', reason, { param: 'key', details: { reason } });

/** The rejection of an offer to stay that does not lower the plan base; null for one that does. */
export const savesNothing = ({ phases }: Terms, { amountMinor }: ResolvedPrice): Rejection | null =>
  phases.some(
    (phase) => phase.type !== 'free_trial' && reducedBase(amountMinor, phase).effectiveMinor < amountMinor,
  )
    ? null
    : rejected('retention_saves_nothing');

/** The rejection where the terms are others than those that were shown; null where they are the same. */
export const otherTerms = (application: Agreed, { agreed }: Retention): Rejection | null =>
  agreed === null || agreed === retainedTerms(application) ? null : rejected('retention_changed');

/**
 * The rejection of an offer to stay: before a subscription is in force, once it was accepted before (OFR-42), and when it is canceled otherwise
 * than was shown; null for none.
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
  return scheduledAt === cancellationScheduledAt?.getTime() ? null : rejected('retention_changed');
}

/** Tells that an offer kept the customer, and takes back the scheduled cancellation, if there is one (OFR-44). */
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
