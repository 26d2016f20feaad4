// Which offer a new subscription gets (OFR-26), and why one cannot be given.
import type { Refusal } from '../errors.ts';
import { type CardPromotionRow, intervalRefusal, isForInterval } from '../offer/card-promotion.ts';
import { applicability, canBeTiedToCards, canIntroduce, type OfferRow } from '../offer/offer.ts';
import type { OfferPhase } from '../offer/phase.ts';
import { normalizedCode, type PromoCodeRow, promoCodeRefusal, unknownPromoCode } from '../offer/promo-code.ts';
import { ownCadence, resolvedPhases } from '../offer/terms.ts';
import type { ResolvedPrice } from '../pricing/resolve.ts';
import type { CreateSelection } from './commands.ts';
import type { ApplicationPhase, OfferApplicationRow } from './rows.ts';
import type { Work } from './work.ts';

/** Terms a checkout will be quoted with, in the currency of its price. */
export type Terms = Pick<OfferApplicationRow, 'name' | 'offerId' | 'promoCodeId' | 'cardPromotionId' | 'source' | 'phases'>;

/** What of terms, or of their application, decides about a base. */
export type Quoted = Pick<Terms, 'name' | 'source' | 'phases'>;

/** Where terms are to be used; `isBeginning` where a subscription begins or starts anew with them. */
export type Use = { readonly planId: string; readonly price: ResolvedPrice; readonly isBeginning?: boolean };

type By = { readonly promoCodeId?: string; readonly cardPromotionId?: string };

const termsOf = (offer: OfferRow, { price }: Use, source: Terms['source'], { promoCodeId, cardPromotionId }: By = {}): Terms => ({
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
export const offerById = (work: Work, id: string): OfferRow | undefined => work.aggregate.offers.find((offer) => offer.id === id);

/** Whether a phase is billed in another interval than the plan's where that cannot be: on a plan charged once, or in its midst (OFR-13). */
const hasOtherCadence = (phases: readonly OfferPhase[], { price, isBeginning = false }: Use): boolean => {
  const { billingInterval } = price.price;
  const isPossible = isBeginning && billingInterval !== 'one_time';
  return !isPossible && phases.some((phase) => ownCadence(phase, billingInterval) !== null);
};

/** The refusal of an offer with such a phase. */
const otherCadence = (param: string): Refusal =>
  notApplicable('The fixed price has another interval than the plan.', param, 'interval_not_supported');

/** The refusal of an offer that exists but cannot be given; `reason` says why in `details`. */
export const notApplicable = (message: string, param: string, reason: string): Refusal => ({
  code: 'offer_not_applicable',
  message,
  param,
  details: { reason },
});

/** The terms of an offer the seller names (OFR-6, OFR-32), or why it cannot be given. */
export function directTerms(work: Work, offerId: string, use: Use): Terms | Refusal {
  const offer = offerById(work, offerId);
  const can = offer === undefined ? 'deleted' : applicability(offer, use.price.currency, work.now);
  if (offer === undefined || can === 'deleted') return { code: 'offer_not_found', message: 'There is no such offer.', param: 'offerId' };
  if (can === 'currency_not_configured') return notApplicable(`The offer has no amount in ${use.price.currency}.`, 'offerId', can);
  if (can !== 'applicable') return notApplicable('The offer cannot be given out now.', 'offerId', 'offer_inactive');
  if (hasOtherCadence(offer.phases, use)) return otherCadence('offerId');
  return termsOf(offer, use, 'direct');
}

/** The introductory offer that awaits the customer on a price (OFR-28 to OFR-30); null when none does. */
function introduction(work: Work, { price }: Use): OfferRow | null {
  const isKnown = work.subscriptions.all().some(({ status }) => status === 'active' || status === 'past_due');
  const base = work.aggregate.catalog.prices.get(price.price.inheritsFromPriceId ?? price.price.id);
  if (isKnown || base === undefined || base.introductoryOfferId === null) return null;
  const offer = offerById(work, base.introductoryOfferId);
  if (offer === undefined || !canIntroduce(offer.phases)) return null;
  return applicability(offer, price.currency, work.now) === 'applicable' ? offer : null;
}

/** The promo code of the aggregate that a text means. */
const codeNamed = (work: Work, text: string): PromoCodeRow | undefined =>
  work.aggregate.promoCodes.find(({ code }) => code === normalizedCode(text));

/** Whether the customer has redeemed a code before (OFR-36). */
export const hasRedeemed = (work: Work, promoCodeId: string): boolean =>
  work.redemptions.all().some((redemption) => redemption.promoCodeId === promoCodeId);

/** The terms of a promo code, or why it cannot be used: checks 1 to 9 of OFR-34. */
export function promoTerms(work: Work, text: string, use: Use): Terms | Refusal {
  const code = codeNamed(work, text);
  const offer = code === undefined ? undefined : offerById(work, code.offerId);
  if (code === undefined || offer === undefined) return unknownPromoCode;
  const refusal = promoCodeRefusal(code, offer, {
    now: work.now,
    planId: use.planId,
    billingInterval: use.price.price.billingInterval,
    currency: use.price.currency,
    isRedeemed: hasRedeemed(work, code.id),
    hasIntroduction: introduction(work, use) !== null,
  });
  return refusal ?? termsOf(offer, use, 'promo_code', { promoCodeId: code.id });
}

/** The terms of a card promotion for a price, or why it cannot be used there (OFR-38, OFR-39). Whether the card is right is not asked. */
export function cardTerms(work: Work, promotion: CardPromotionRow, use: Use): Terms | Refusal {
  const param = 'cardPromotionId';
  if (!isForInterval(promotion, use.price.price.billingInterval)) return intervalRefusal(param);
  const offer = offerById(work, promotion.offerId);
  const can = offer === undefined ? 'deleted' : applicability(offer, use.price.currency, work.now);
  if (can === 'currency_not_configured') return notApplicable(`The offer has no amount in ${use.price.currency}.`, param, can);
  const isUsable = offer !== undefined && can === 'applicable' && canBeTiedToCards(offer.phases);
  if (!isUsable) return notApplicable('The offer of the card promotion cannot be given out now.', param, 'offer_inactive');
  if (hasOtherCadence(offer.phases, use)) return otherCadence(param);
  return termsOf(offer, use, 'card_promotion', { cardPromotionId: promotion.id });
}

/** The terms of a preselected card promotion, which hold for its cards only, or why it cannot be quoted. */
function preselectedTerms(work: Work, id: string, use: Use): Terms | Refusal {
  const param = 'cardPromotionId';
  const { environment, cardPromotions } = work.aggregate;
  if (!environment.cardPromotions) {
    return { code: 'card_promotions_not_available', message: 'The organization has no card promotions.', param };
  }
  const promotion = cardPromotions.find((row) => row.id === id);
  return promotion === undefined
    ? { code: 'offer_not_found', message: 'There is no such card promotion.', param }
    : cardTerms(work, promotion, use);
}

/** The controls of a selection that settle its terms. */
export type Controls = Pick<CreateSelection, 'offerId' | 'promoCode' | 'cardPromotionId' | 'customTrialDays' | 'skipTrial'>;

/** The terms a creation leads to; the first line of OFR-26 that matches decides. Null for none, a refusal for a control that cannot be honoured. */
export function chosenTerms(work: Work, selection: Controls, use: Use): Terms | Refusal | null {
  const { offerId = null, promoCode = null, cardPromotionId = null, customTrialDays = null, skipTrial = false } = selection;
  if (offerId !== null) return directTerms(work, offerId, use);
  if (cardPromotionId !== null) return preselectedTerms(work, cardPromotionId, use);
  if (promoCode !== null) return promoTerms(work, promoCode, use);
  if (customTrialDays !== null) return trialTerms(customTrialDays);
  if (skipTrial === true) return null;
  const introductory = introduction(work, use);
  if (introductory !== null) return termsOf(introductory, use, 'introductory');
  return use.price.trialDays > 0 ? trialTerms(use.price.trialDays) : null;
}

/** Days of the free trial terms begin with; 0 when they begin with a payment. */
export const trialDaysOf = (phases: readonly ApplicationPhase[]): number => (phases[0]?.type === 'free_trial' ? phases[0].durationDays : 0);
