import type { Rejection } from '../../errors/errors.ts';
import { datedPhases } from '../../offers/terms.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../../rows/rows.ts';
import { paymentInProgress, trialRejection } from '../invoicing/apply-offer.ts';
import { belowMinimum, fallsBelowMinimum } from '../invoicing/minimum.ts';
import { reprice, undiscounted } from '../invoicing/reprice.ts';
import {
  isRetained,
  otherTerms,
  type Retention,
  retain,
  retentionRejection,
  savesNothing,
} from '../lifecycle/retention.ts';
import { boundPrice, isCharging, quotedOffer } from '../pricing/lookup.ts';
import { directTerms, notApplicable } from '../pricing/offering.ts';
import { dropQuote, newApplication } from '../pricing/quotes.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection, statusRejection } from '../state/rejections.ts';

/**
 * Parameters for applying an offer (OFR-21). `expiresAt` is the expiration time of the quote. `retention` is set if the
 * customer accepts a retention offer (OFR-43).
 */
type Input = OnSubscription & {
  readonly offerId: string;
  readonly expiresAt: Date | null;
  readonly retention?: Retention | undefined;
};

/**
 * Quotes an offer in an open checkout and replaces the current quote. For an active or trialing subscription,
 * applies the offer from the next billing cycle. The first failed check determines the error (OFR-23).
 */
export const offerApply = subscriptionCommand({
  kind: 'offer.apply',
  needs: ({ offerId }: Input) => ({ offers: [{ offerId }] }),
  decide(draft: Draft, subscription: SubscriptionRow, { offerId, expiresAt, retention }: Input): Decision {
    if (retention !== undefined && isRetained(draft, subscription, retention))
      return draft.done('unchanged', subscription.id);
    const isPast = expiresAt !== null && expiresAt <= draft.now;
    const problem = problemRejection(
      isPast ? [{ field: 'expiresAt', message: 'expiresAt must be in the future.' }] : [],
    );
    const rejection =
      problem ??
      statusRejection('applyOffer', subscription) ??
      (retention === undefined ? null : retentionRejection(draft, subscription, offerId, retention)) ??
      trialRejection(draft, offerId) ??
      runningRejection(draft, subscription);
    if (rejection !== null) return draft.reject(rejection);
    if (subscription.status === 'pending_payment') return quoteOffer(draft, subscription, offerId, expiresAt);
    return acceptOffer(draft, subscription, offerId, retention);
  },
});

/** Returns true if an accepted offer discounts the plan now or later. Trials don't count (OFR-8). */
const isRunning = ({ status, endedAt, phases }: OfferApplicationRow, now: Date): boolean =>
  status === 'applied' &&
  endedAt === null &&
  phases.some(({ type, endsAt }) => type !== 'free_trial' && (endsAt === null || new Date(endsAt) > now));

/** Returns the rejection if another offer discounts the plan. `null` if no offer discounts the plan. */
function runningRejection(draft: Draft, { id }: SubscriptionRow): Rejection | null {
  const running = draft.offerApplications
    .all()
    .find((row) => row.subscriptionId === id && isRunning(row, draft.now));
  return running === undefined
    ? null
    : notApplicable(
        `The subscription already has the offer ${running.name}, which has remaining phases.`,
        'offerId',
        'other_offer_active',
      );
}

/** Rejection for an offer if the plan's price is no longer available in the subscription's currency. */
const unpriced = notApplicable(
  "The price has no amount in the subscription's currency.",
  'offerId',
  'currency_not_configured',
);

const isSameQuote = (quoted: OfferApplicationRow | null, offerId: string, expiresAt: Date | null): boolean =>
  quoted?.source === 'direct' &&
  quoted.offerId === offerId &&
  quoted.expiresAt?.getTime() === expiresAt?.getTime();

function quoteOffer(
  draft: Draft,
  subscription: SubscriptionRow,
  offerId: string,
  expiresAt: Date | null,
): Decision {
  const quoted = quotedOffer(draft, subscription);
  if (isSameQuote(quoted, offerId, expiresAt)) return draft.done('unchanged', subscription.id);
  const price = undiscounted(draft, subscription);
  if ('failure' in price) return draft.reject(unpriced);
  const terms = directTerms(draft, offerId, { planId: subscription.planId, price });
  if ('code' in terms) return draft.reject(terms);
  if (fallsBelowMinimum(draft, subscription, price, terms)) return draft.reject(belowMinimum(terms));
  if (isCharging(draft, subscription)) return draft.reject(paymentInProgress);
  if (quoted !== null) dropQuote(draft, quoted, 'expired');
  const open = reprice(draft, subscription, price, terms, expiresAt);
  return draft.done('done', open.id, open.checkoutInvoiceId);
}

function acceptOffer(
  draft: Draft,
  subscription: SubscriptionRow,
  offerId: string,
  retention: Retention | undefined,
): Decision {
  const { billingInterval, status, planId } = subscription;
  const hasNextCycle = billingInterval !== null && (billingInterval !== 'one_time' || status === 'trialing');
  if (!hasNextCycle) {
    return draft.reject(
      notApplicable(
        "The subscription has no further charge for its plan, so an offer can't lower the price.",
        'offerId',
        'no_next_cycle',
      ),
    );
  }
  const price = boundPrice(draft, subscription);
  if ('failure' in price) return draft.reject(unpriced);
  const terms = directTerms(draft, offerId, { planId, price });
  if ('code' in terms) return draft.reject(terms);
  const isTrial = status === 'trialing';
  const firstPeriodStart = boundOf(subscription, isTrial ? subscription.trialEndsAt : subscription.periodEnd);
  const anchor = isTrial ? firstPeriodStart : boundOf(subscription, subscription.anchorDate);
  const acceptance = {
    acceptedAt: draft.now,
    trialEndsAt: null,
    firstPeriodStart,
    anchor,
    interval: billingInterval,
  };
  const application: OfferApplicationRow = {
    ...newApplication(draft, subscription, terms, price),
    source: retention === undefined ? 'direct' : 'retention',
    status: 'applied',
    appliedAt: draft.now,
    phases: datedPhases(terms.phases, acceptance),
  };
  const rejection =
    retention === undefined ? null : (savesNothing(terms, price) ?? otherTerms(application, retention));
  if (rejection !== null) return draft.reject(rejection);
  draft.offerApplications.add(application);
  draft.subscriptions.patch(subscription.id, { updatedAt: draft.now });
  if (retention !== undefined) retain(draft, subscription, application, retention);
  return draft.done('done', subscription.id);
}
