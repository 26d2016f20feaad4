import { isPricedIn, type OfferPhase } from './phase.ts';

/** Offer, which can be applied to many subscriptions (OFR-1). */
export type OfferRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly name: string;
  readonly phases: readonly OfferPhase[];
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly active: boolean;
  readonly deletedAt: Date | null;
};

/** `applicable`, or the reason why an offer can't currently be applied in a currency (OFR-6). */
export type Applicability =
  | 'applicable'
  | 'deleted'
  | 'inactive'
  | 'outside_window'
  | 'currency_not_configured';

/**
 * Checks whether an offer can currently be applied in a currency (OFR-6). `startsAt` is inclusive and
 * `endsAt` is exclusive.
 */
export function applicability(offer: OfferRow, currency: string, now: Date): Applicability {
  if (offer.deletedAt !== null) return 'deleted';
  if (!offer.active) return 'inactive';
  const isBefore = offer.startsAt !== null && now < offer.startsAt;
  if (isBefore || (offer.endsAt !== null && now >= offer.endsAt)) return 'outside_window';
  return offer.phases.every((phase) => isPricedIn(phase, currency))
    ? 'applicable'
    : 'currency_not_configured';
}

const isShareOrAmount = (phase: OfferPhase): boolean =>
  phase.type === 'percentage' || phase.type === 'amount_off';

/**
 * Returns true if the phases are allowed in an introductory offer (OFR-28). An optional trial comes first, followed by
 * at most one percentage or amount discount with a limited duration.
 */
export function canIntroduce(phases: readonly OfferPhase[]): boolean {
  const discounts = phases.filter((phase) => phase.type !== 'free_trial');
  const areFinite = discounts.every((phase) => isShareOrAmount(phase) && phase.durationCycles !== null);
  return (
    phases.length > 0 &&
    phases.slice(1).every(({ type }) => type !== 'free_trial') &&
    discounts.length <= 1 &&
    areFinite
  );
}

/**
 * Returns true if the phases are allowed in a retention offer (OFR-41): only discounts, because trials can
 * only start a subscription.
 */
export const canRetain = (phases: readonly OfferPhase[]): boolean =>
  phases.length > 0 && phases.every(({ type }) => type !== 'free_trial');

/**
 * Returns true if the phases are allowed for a promo code (OFR-33): exactly one percentage or amount
 * discount.
 */
export const canBePromoted = (phases: readonly OfferPhase[]): boolean =>
  phases.length === 1 && phases.every(isShareOrAmount);

/**
 * Returns true if the phases are allowed for a card promotion (OFR-38): the first phase must be a discount.
 */
export const canBeTiedToCards = ([first]: readonly OfferPhase[]): boolean =>
  first !== undefined && first.type !== 'free_trial';
