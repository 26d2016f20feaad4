// Billing interval of a plan's base price: the plan's interval, unless an offer with a fixed price has its own interval (OFR-13).

import { cadenceOf, type DiscountPhase, discountAt, firstDiscount } from '../../offers/terms.ts';
import type { RecurringInterval } from '../../rows/enums.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';

/** Returns the accepted offers of a subscription that haven't ended. */
const running = (draft: Draft, { id }: SubscriptionRow): OfferApplicationRow[] =>
  draft.offerApplications
    .all()
    .filter((row) => row.subscriptionId === id && row.status === 'applied' && row.endedAt === null);

/**
 * Returns the offer phase, with its application, for the period that starts at a given time. `null` if no
 * phase applies (OFR-10, BIL-17).
 */
export function phaseAt(
  draft: Draft,
  subscription: SubscriptionRow,
  at: Date,
): { readonly application: OfferApplicationRow; readonly phase: DiscountPhase } | null {
  for (const application of running(draft, subscription)) {
    const phase = discountAt(application.phases, at);
    if (phase !== null) return { application, phase };
  }
  return null;
}

export type Cadence = {
  /** Billing interval set by the offer phase. `null` if the plan's interval applies. */
  readonly interval: RecurringInterval | null;
  /**
   * True if an offer phase with its own interval starts or ends at the given time, which then becomes the
   * anchor.
   */
  readonly isTurn: boolean;
};

export function cadenceAt(draft: Draft, subscription: SubscriptionRow, at: Date): Cadence {
  const isTurn = running(draft, subscription).some(({ phases }) =>
    phases.some(
      (phase) =>
        phase.type === 'fixed_price' &&
        cadenceOf(phase) !== null &&
        [phase.startsAt, phase.endsAt].includes(at.toISOString()),
    ),
  );
  return { interval: cadenceOf(phaseAt(draft, subscription, at)?.phase ?? null), isTurn };
}

/**
 * Returns the interval of the first period, which opens now. Uses the quoted offer, otherwise the offer
 * accepted with the trial. The first phase of that offer applies even if the payment is late. `null` if the
 * plan's interval applies.
 */
export function openingCadence(draft: Draft, subscription: SubscriptionRow): RecurringInterval | null {
  const quoted = draft.offerApplications
    .all()
    .find((row) => row.subscriptionId === subscription.id && row.status === 'quoted');
  if (quoted !== undefined) return cadenceOf(firstDiscount(quoted.phases));
  return subscription.trialEndsAt === null
    ? null
    : cadenceAt(draft, subscription, subscription.trialEndsAt).interval;
}
