// A direct offer is put on a subscription that exists, or taken off its open checkout again (OFR-21 to OFR-25).
import type { Refusal } from '../errors.ts';
import { datedPhases } from '../offer/terms.ts';
import type { ApplyOfferCommand, Decision, QuoteExpiryCommand } from './aggregate.ts';
import { boundPrice, isCharging, quotedOffer } from './lookup.ts';
import { belowMinimum, fallsBelowMinimum } from './minimum.ts';
import { directTerms, notApplicable, offerById } from './offering.ts';
import { boundOf } from './periods.ts';
import { dropQuote, newApplication } from './quotes.ts';
import { priceRefusal, problemRefusal, statusRefusal } from './refusals.ts';
import { reprice, undiscounted } from './reprice.ts';
import type { OfferApplicationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/**
 * Quotes an offer in an open checkout in place of the quote there is, or applies it to a running subscription from its next billing cycle on.
 * The first check that fails decides (OFR-23).
 */
export function applyOffer(work: Work, subscription: SubscriptionRow, { offerId, expiresAt }: ApplyOfferCommand): Decision {
  const isPast = expiresAt !== null && expiresAt <= work.now;
  const problem = problemRefusal(isPast ? [{ field: 'expiresAt', message: 'expiresAt must lie in the future.' }] : []);
  const refusal = problem ?? statusRefusal('applyOffer', subscription) ?? trialRefusal(work, offerId) ?? runningRefusal(work, subscription);
  if (refusal !== null) return work.refuse(refusal);
  if (subscription.status === 'pending_payment') return quoteOffer(work, subscription, offerId, expiresAt);
  return acceptOffer(work, subscription, offerId);
}

/** A trial begins with the checkout or not at all (seed rule 4). */
export function trialRefusal(work: Work, offerId: string): Refusal | null {
  const offer = offerById(work, offerId);
  const hasTrial = offer?.deletedAt === null && offer.phases.some(({ type }) => type === 'free_trial');
  return hasTrial ? notApplicable('An offer with a free trial can only be given at creation.', 'offerId', 'free_trial') : null;
}

/** Whether an accepted offer still lowers the plan base, or will; a trial does not (OFR-8). */
const isRunning = ({ status, endedAt, phases }: OfferApplicationRow, now: Date): boolean =>
  status === 'applied' &&
  endedAt === null &&
  phases.some(({ type, endsAt }) => type !== 'free_trial' && (endsAt === null || new Date(endsAt) > now));

/** One offer at a time lowers the plan base (seed rule 3). */
function runningRefusal(work: Work, { id }: SubscriptionRow): Refusal | null {
  const running = work.offerApplications.all().find((row) => row.subscriptionId === id && isRunning(row, work.now));
  return running === undefined
    ? null
    : notApplicable(`The offer ${running.name} is applied and has phases left.`, 'offerId', 'other_offer_active');
}

/** The refusal of an offer on a price that is not sold in the subscription's currency any more. */
const unpriced = notApplicable('The price has no value in the currency of the subscription.', 'offerId', 'currency_not_configured');

/** The refusal while the gateway has not said whether the checkout at its present price is paid. */
const paymentUnderWay: Refusal = {
  code: 'invalid_subscription_status',
  message: 'A payment of the checkout is under way.',
};

const isSameQuote = (quoted: OfferApplicationRow | null, offerId: string, expiresAt: Date | null): boolean =>
  quoted?.source === 'direct' && quoted.offerId === offerId && quoted.expiresAt?.getTime() === expiresAt?.getTime();

function quoteOffer(work: Work, subscription: SubscriptionRow, offerId: string, expiresAt: Date | null): Decision {
  const quoted = quotedOffer(work, subscription);
  if (isSameQuote(quoted, offerId, expiresAt)) return work.done('unchanged', subscription.id);
  const price = undiscounted(work, subscription);
  if ('failure' in price) return work.refuse(unpriced);
  const terms = directTerms(work, offerId, { planId: subscription.planId, price });
  if ('code' in terms) return work.refuse(terms);
  if (fallsBelowMinimum(work, subscription, price, terms)) return work.refuse(belowMinimum(terms));
  if (isCharging(work, subscription)) return work.refuse(paymentUnderWay);
  if (quoted !== null) dropQuote(work, quoted, 'expired');
  const open = reprice(work, subscription, price, terms, expiresAt);
  return work.done('done', open.id, open.checkoutInvoiceId);
}

function acceptOffer(work: Work, subscription: SubscriptionRow, offerId: string): Decision {
  const { billingInterval, status, planId } = subscription;
  const hasNextCycle = billingInterval !== null && (billingInterval !== 'one_time' || status === 'trialing');
  if (!hasNextCycle) {
    return work.refuse(notApplicable('The plan is not charged again, so there is nothing to lower.', 'offerId', 'no_next_cycle'));
  }
  const price = boundPrice(work, subscription);
  if ('failure' in price) return work.refuse(unpriced);
  const terms = directTerms(work, offerId, { planId, price });
  if ('code' in terms) return work.refuse(terms);
  const isTrial = status === 'trialing';
  const firstPeriodStart = boundOf(subscription, isTrial ? subscription.trialEndsAt : subscription.periodEnd);
  const anchor = isTrial ? firstPeriodStart : boundOf(subscription, subscription.anchorDate);
  const acceptance = { acceptedAt: work.now, trialEndsAt: null, firstPeriodStart, anchor, interval: billingInterval };
  work.offerApplications.add({
    ...newApplication(work, subscription, terms, price),
    status: 'applied',
    appliedAt: work.now,
    phases: datedPhases(terms.phases, acceptance),
  });
  work.subscriptions.put({ ...subscription, updatedAt: work.now });
  return work.done('done', subscription.id);
}

/** Takes the direct offer off an open checkout, which shows the undiscounted price again at the same address (OFR-24). */
export function removeOffer(work: Work, subscription: SubscriptionRow): Decision {
  const refusal = statusRefusal('removeOffer', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const quoted = quotedOffer(work, subscription);
  if (quoted?.source !== 'direct') return work.refuse({ code: 'offer_not_found', message: 'The checkout has no direct offer.' });
  if (isCharging(work, subscription)) return work.refuse(paymentUnderWay);
  return withoutQuote(work, subscription, quoted);
}

/** Ends a quote whose time is up, unless it was accepted or replaced; one that is being paid waits for the answer (OFR-17). */
export function quoteExpiry(work: Work, subscription: SubscriptionRow, command: QuoteExpiryCommand): Decision {
  const quoted = quotedOffer(work, subscription);
  if (quoted?.expiresAt?.getTime() !== command.dueAt.getTime()) {
    work.complete(command);
    return work.done('unchanged', subscription.id);
  }
  if (isCharging(work, subscription)) return work.finish({ kind: 'park' });
  work.item = { outcome: 'quote_expired', invoiceId: null, detail: null };
  return withoutQuote(work, subscription, quoted);
}

function withoutQuote(work: Work, subscription: SubscriptionRow, quoted: OfferApplicationRow): Decision {
  const price = undiscounted(work, subscription);
  if ('failure' in price) return work.refuse(priceRefusal(price.failure));
  dropQuote(work, quoted, 'expired');
  const { id, checkoutInvoiceId } = reprice(work, subscription, price, null);
  if (work.item !== null) work.item = { ...work.item, invoiceId: checkoutInvoiceId };
  return work.done('done', id, checkoutInvoiceId);
}
