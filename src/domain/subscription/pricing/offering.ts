// Determines the offer of a new subscription (OFR-26), and the reason why an offer can't be applied.
import type { Rejection } from '../../errors/errors.ts';
import { defaultRejection, specificRejection } from '../../errors/errors.ts';
import { type CardPromotionRow, intervalRejection, isForInterval } from '../../offers/card-promotion.ts';
import { applicability, canBeTiedToCards, canIntroduce, type OfferRow } from '../../offers/offer.ts';
import type { OfferPhase } from '../../offers/phase.ts';
import {
  normalizedCode,
  type PromoCodeRow,
  promoCodeRejection,
  unknownPromoCode,
} from '../../offers/promo-code.ts';
import { ownCadence, resolvedPhases } from '../../offers/terms.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { ApplicationPhase, OfferApplicationRow } from '../../rows/rows.ts';
import type { OfferControls } from '../../rows/selection-rows.ts';
import type { Draft } from '../state/draft.ts';

/** Offer terms of a checkout, in the currency of its price. */
export type Terms = Pick<
  OfferApplicationRow,
  'name' | 'offerId' | 'promoCodeId' | 'cardPromotionId' | 'source' | 'phases'
>;

/** Offer terms that determine the discounted base price. */
export type Quoted = Pick<Terms, 'name' | 'offerId' | 'source' | 'phases'>;

/** Context for applying offer terms. `isBeginning` is true if the subscription starts or is reactivated. */
export type Use = { readonly planId: string; readonly price: ResolvedPrice; readonly isBeginning?: boolean };

type By = { readonly promoCodeId?: string; readonly cardPromotionId?: string };

const termsOf = (
  offer: OfferRow,
  { price }: Use,
  source: Terms['source'],
  { promoCodeId, cardPromotionId }: By = {},
): Terms => ({
  name: offer.name,
  offerId: offer.id,
  promoCodeId: promoCodeId ?? null,
  cardPromotionId: cardPromotionId ?? null,
  source,
  phases: resolvedPhases(offer.phases, price.currency, price.price.billingInterval),
});

const trialTerms = (durationDays: number): Terms => ({
  name: `Free trial of ${durationDays} ${durationDays === 1 ? 'day' : 'days'}`,
  offerId: null,
  promoCodeId: null,
  cardPromotionId: null,
  source: 'custom',
  phases: [{ type: 'free_trial', durationDays, durationInterval: null, startsAt: null, endsAt: null }],
});

/** Returns an offer from the aggregate, including deleted offers. */
export const offerById = (draft: Draft, id: string): OfferRow | undefined =>
  draft.aggregate.offers.find((offer) => offer.id === id);

/**
 * Returns true if a phase has a billing interval that isn't allowed. Phases can't have billing intervals on one-time
 * plans, or after the subscription has started (OFR-13).
 */
const hasOtherCadence = (phases: readonly OfferPhase[], { price, isBeginning = false }: Use): boolean => {
  const { billingInterval } = price.price;
  const isPossible = isBeginning && billingInterval !== 'one_time';
  return !isPossible && phases.some((phase) => ownCadence(phase, billingInterval) !== null);
};

/** Returns the rejection for an offer phase whose own billing interval isn't allowed. */
const otherCadence = (param: string): Rejection =>
  notApplicable(
    'The interval of the fixed price must match the billing interval of the plan.',
    param,
    'interval_not_supported',
  );

/**
 * Returns the rejection for an existing offer that can't be applied. `reason` is the machine-readable
 * reason in `details`.
 */
export const notApplicable = (message: string, param: string, reason: string): Rejection => ({
  code: 'offer_not_applicable',
  message,
  param,
  details: { reason },
});

/**
 * Returns the terms of an offer that the merchant selected, or a rejection if it can't be applied (OFR-6,
 * OFR-32).
 */
export function directTerms(draft: Draft, offerId: string, use: Use): Terms | Rejection {
  const offer = offerById(draft, offerId);
  const can = offer === undefined ? 'deleted' : applicability(offer, use.price.currency, draft.now);
  if (offer === undefined || can === 'deleted')
    return defaultRejection('offer_not_found', { param: 'offerId' });
  if (can === 'currency_not_configured')
    return notApplicable(`The offer has no amount in ${use.price.currency}.`, 'offerId', can);
  if (can !== 'applicable')
    return notApplicable(
      "The offer isn't active, so it can't be applied. Choose an active offer.",
      'offerId',
      'offer_inactive',
    );
  if (hasOtherCadence(offer.phases, use)) return otherCadence('offerId');
  return termsOf(offer, use, 'direct');
}

/** Returns a price's introductory offer if it applies to the customer, otherwise `null` (OFR-28 to OFR-30). */
function introduction(draft: Draft, { price }: Use): OfferRow | null {
  const isKnown = draft.subscriptions
    .all()
    .some(({ status }) => status === 'active' || status === 'past_due');
  const base = draft.aggregate.catalog.prices.get(price.price.inheritsFromPriceId ?? price.price.id);
  if (isKnown || base === undefined || base.introductoryOfferId === null) return null;
  const offer = offerById(draft, base.introductoryOfferId);
  if (offer === undefined || !canIntroduce(offer.phases)) return null;
  return applicability(offer, price.currency, draft.now) === 'applicable' ? offer : null;
}

/** Returns the loaded promo code that matches the entered code. */
const promoCodeFor = (draft: Draft, text: string): PromoCodeRow | undefined =>
  draft.aggregate.promoCodes.find(({ code }) => code === normalizedCode(text));

/** Returns true if the customer has redeemed a promo code before (OFR-36). */
export const hasRedeemed = (draft: Draft, promoCodeId: string): boolean =>
  draft.redemptions.all().some((redemption) => redemption.promoCodeId === promoCodeId);

/** Returns the terms of a promo code, or a rejection if it fails checks 1 to 9 of OFR-34. */
export function promoTerms(draft: Draft, text: string, use: Use): Terms | Rejection {
  const code = promoCodeFor(draft, text);
  const offer = code === undefined ? undefined : offerById(draft, code.offerId);
  if (code === undefined || offer === undefined) return unknownPromoCode;
  const rejection = promoCodeRejection(code, offer, {
    now: draft.now,
    planId: use.planId,
    billingInterval: use.price.price.billingInterval,
    currency: use.price.currency,
    isRedeemed: hasRedeemed(draft, code.id),
    hasIntroduction: introduction(draft, use) !== null,
  });
  return rejection ?? termsOf(offer, use, 'promo_code', { promoCodeId: code.id });
}

/**
 * Returns the terms of a card promotion for a price, or a rejection (OFR-38, OFR-39). Doesn't check the card.
 */
export function cardTerms(draft: Draft, promotion: CardPromotionRow, use: Use): Terms | Rejection {
  const param = 'cardPromotionId';
  if (!isForInterval(promotion, use.price.price.billingInterval)) return intervalRejection(param);
  const offer = offerById(draft, promotion.offerId);
  const can = offer === undefined ? 'deleted' : applicability(offer, use.price.currency, draft.now);
  if (can === 'currency_not_configured')
    return notApplicable(`The offer has no amount in ${use.price.currency}.`, param, can);
  const isUsable = offer !== undefined && can === 'applicable' && canBeTiedToCards(offer.phases);
  if (!isUsable)
    return notApplicable(
      "The card promotion's offer isn't active, so it can't be applied.",
      param,
      'offer_inactive',
    );
  if (hasOtherCadence(offer.phases, use)) return otherCadence(param);
  return termsOf(offer, use, 'card_promotion', { cardPromotionId: promotion.id });
}

/**
 * Returns the terms of a card promotion that was selected at creation, or a rejection if it can't be quoted.
 * The terms apply only to matching cards.
 */
function preselectedTerms(draft: Draft, id: string, use: Use): Terms | Rejection {
  const param = 'cardPromotionId';
  const { environment, cardPromotions } = draft.aggregate;
  if (!environment.cardPromotions) {
    return {
      ...defaultRejection('card_promotions_not_available'),
      param,
    };
  }
  const promotion = cardPromotions.find((row) => row.id === id);
  return promotion === undefined
    ? specificRejection('offer_not_found', 'card_promotion', { param })
    : cardTerms(draft, promotion, use);
}

/**
 * Returns true if the organization allows one trial per customer and the customer has already had one
 * (OFR-30).
 */
export const isTrialUsed = ({ aggregate: { environment, trials } }: Draft): boolean =>
  environment.oneTrialPerCustomer && trials.length > 0;

export const trialUsed = (param: string): Rejection =>
  specificRejection('offer_not_applicable', 'trial_used', { param, details: { reason: 'trial_used' } });

/** Returns terms without their free trial. `null` if no other phase remains. */
export function withoutTrial<T extends Pick<Terms, 'phases'>>(terms: T): T | null {
  const phases = terms.phases.filter(({ type }) => type !== 'free_trial');
  return phases.length === 0 ? null : { ...terms, phases };
}

/**
 * Returns the offer terms of a new subscription according to the first matching line of OFR-26. `null` if no
 * offer applies. Returns a rejection if a requested offer can't be applied. If the customer's only trial is
 * used, omits the trial phase, or rejects a trial that was requested explicitly (OFR-30).
 */
export function chosenTerms(draft: Draft, selection: OfferControls, use: Use): Terms | Rejection | null {
  const terms = selectedTerms(draft, selection, use);
  if (terms === null || 'code' in terms || trialDaysOf(terms.phases) === 0 || !isTrialUsed(draft))
    return terms;
  if (selection.offerId != null) return trialUsed('offerId');
  return selection.customTrialDays == null ? withoutTrial(terms) : trialUsed('customTrialDays');
}

function selectedTerms(draft: Draft, selection: OfferControls, use: Use): Terms | Rejection | null {
  const {
    offerId = null,
    promoCode = null,
    cardPromotionId = null,
    customTrialDays = null,
    skipTrial = false,
  } = selection;
  if (offerId !== null) return directTerms(draft, offerId, use);
  if (cardPromotionId !== null) return preselectedTerms(draft, cardPromotionId, use);
  if (promoCode !== null) return promoTerms(draft, promoCode, use);
  if (customTrialDays !== null) return trialTerms(customTrialDays);
  if (skipTrial === true) return null;
  const introductory = introduction(draft, use);
  if (introductory !== null) return termsOf(introductory, use, 'introductory');
  return use.price.trialDays > 0 ? trialTerms(use.price.trialDays) : null;
}

/**
 * Returns the number of days of the free trial in the first phase. 0 if the first phase isn't a free trial.
 */
export const trialDaysOf = (phases: readonly ApplicationPhase[]): number =>
  phases[0]?.type === 'free_trial' ? phases[0].durationDays : 0;
