// Which offer a new subscription gets (OFR-26), and why one cannot be given.
import type { Rejection } from '../../errors.ts';
import { defaultRejection, specificRejection } from '../../errors.ts';
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
import type { Draft } from '../state/draft.ts';
import type { ApplicationPhase, OfferApplicationRow } from '../state/rows.ts';
import type { OfferControls } from '../state/selection-rows.ts';

/** Terms a checkout will be quoted with, in the currency of its price. */
export type Terms = Pick<
  OfferApplicationRow,
  'name' | 'offerId' | 'promoCodeId' | 'cardPromotionId' | 'source' | 'phases'
>;

/** The fields of terms that decide about a base. */
export type Quoted = Pick<Terms, 'name' | 'offerId' | 'source' | 'phases'>;

/** Where terms are to be used; `isBeginning` where a subscription begins or starts again with them. */
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

/** An offer of the aggregate, deleted or not. */
export const offerById = (draft: Draft, id: string): OfferRow | undefined =>
  draft.aggregate.offers.find((offer) => offer.id === id);

/**
 * Whether a phase is billed in another interval than the plan's where that cannot be: on a plan charged once,
 * or in its midst (OFR-13).
 */
const hasOtherCadence = (phases: readonly OfferPhase[], { price, isBeginning = false }: Use): boolean => {
  const { billingInterval } = price.price;
  const isPossible = isBeginning && billingInterval !== 'one_time';
  return !isPossible && phases.some((phase) => ownCadence(phase, billingInterval) !== null);
};

/** The rejection of an offer with such a phase. */
const otherCadence = (param: string): Rejection =>
  notApplicable('The fixed price has another interval than the plan.', param, 'interval_not_supported');

/** The rejection of an offer that exists but cannot be given; `reason` says why in `details`. */
export const notApplicable = (message: string, param: string, reason: string): Rejection => ({
  code: 'offer_not_applicable',
  message,
  param,
  details: { reason },
});

/** The terms of an offer the seller names (OFR-6, OFR-32), or why it cannot be given. */
export function directTerms(draft: Draft, offerId: string, use: Use): Terms | Rejection {
  const offer = offerById(draft, offerId);
  const can = offer === undefined ? 'deleted' : applicability(offer, use.price.currency, draft.now);
  if (offer === undefined || can === 'deleted')
    return defaultRejection('offer_not_found', { param: 'offerId' });
  if (can === 'currency_not_configured')
    return notApplicable(`The offer has no amount in ${use.price.currency}.`, 'offerId', can);
  if (can !== 'applicable')
    return notApplicable('The offer cannot be given out now.', 'offerId', 'offer_inactive');
  if (hasOtherCadence(offer.phases, use)) return otherCadence('offerId');
  return termsOf(offer, use, 'direct');
}

/** The introductory offer that awaits the customer on a price (OFR-28 to OFR-30); null when none does. */
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

/** The promo code of the aggregate that a text means. */
const codeNamed = (draft: Draft, text: string): PromoCodeRow | undefined =>
  draft.aggregate.promoCodes.find(({ code }) => code === normalizedCode(text));

/** Whether the customer has redeemed a code before (OFR-36). */
export const hasRedeemed = (draft: Draft, promoCodeId: string): boolean =>
  draft.redemptions.all().some((redemption) => redemption.promoCodeId === promoCodeId);

/** The terms of a promo code, or why it cannot be used: checks 1 to 9 of OFR-34. */
export function promoTerms(draft: Draft, text: string, use: Use): Terms | Rejection {
  const code = codeNamed(draft, text);
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
 * The terms of a card promotion for a price, or why it cannot be used there (OFR-38, OFR-39). The card is
 * checked later.
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
    return notApplicable('The offer of the card promotion cannot be given out now.', param, 'offer_inactive');
  if (hasOtherCadence(offer.phases, use)) return otherCadence(param);
  return termsOf(offer, use, 'card_promotion', { cardPromotionId: promotion.id });
}

/** The terms of a preselected card promotion, which hold for its cards only, or why it cannot be quoted. */
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
 * The terms a creation leads to; the first line of OFR-26 that matches decides. Null for none, a rejection
 * for a control that cannot be honoured.
 */
export function chosenTerms(draft: Draft, selection: OfferControls, use: Use): Terms | Rejection | null {
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

/** Days of the free trial terms begin with; 0 when they begin with a payment. */
export const trialDaysOf = (phases: readonly ApplicationPhase[]): number =>
  phases[0]?.type === 'free_trial' ? phases[0].durationDays : 0;
