import { isPricedIn, type OfferPhase } from './phase.ts';

/** Reusable terms (OFR-1). */
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

/** Whether an offer can be given out: now, and in a currency; else why not (OFR-6). */
export type Applicability =
  | 'applicable'
  | 'deleted'
  | 'inactive'
  | 'outside_window'
  | 'currency_not_configured';

/**
 * Whether an offer can be given out now in a currency (OFR-6). Its window is half-open: `startsAt` is
 * included.
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
 * Whether phases can be placed on a price (OFR-28): at most a leading trial and at most one finite share or
 * amount off.
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
 * Whether phases can be offered to a customer who is about to leave (OFR-41): discounts, since a trial can
 * only begin a subscription.
 */
export const canRetain = (phases: readonly OfferPhase[]): boolean =>
  phases.length > 0 && phases.every(({ type }) => type !== 'free_trial');

/** Whether phases can be handed out by a promo code (OFR-33): exactly one share or amount off. */
export const canBePromoted = (phases: readonly OfferPhase[]): boolean =>
  phases.length === 1 && phases.every(isShareOrAmount);

/** Whether phases can be tied to cards (OFR-38): they begin with a discount. */
export const canBeTiedToCards = ([first]: readonly OfferPhase[]): boolean =>
  first !== undefined && first.type !== 'free_trial';
