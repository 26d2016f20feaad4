// The interval a plan base is billed in: the plan's, or that of a fixed price with an interval of its own
// (OFR-13).

import type { RecurringInterval } from '../../enums.ts';
import { cadenceOf, type DiscountPhase, discountAt, firstDiscount } from '../../offers/terms.ts';
import type { Draft } from '../state/draft.ts';
import type { OfferApplicationRow, SubscriptionRow } from '../state/rows.ts';

/** The applications of a subscription that are in force. */
const running = (draft: Draft, { id }: SubscriptionRow): OfferApplicationRow[] =>
  draft.offerApplications
    .all()
    .filter((row) => row.subscriptionId === id && row.status === 'applied' && row.endedAt === null);

/**
 * The phase that the period beginning at an instant is in, with its application; null when none is (OFR-10,
 * BIL-17).
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

/** How the period that begins at an instant is billed. */
export type Cadence = {
  /** Null for that of the plan. */
  readonly interval: RecurringInterval | null;
  /**
   * Whether a phase billed in an interval of its own begins or ends at the instant, which then is the anchor.
   */
  readonly isTurn: boolean;
};

/** How the period that follows at an instant is billed. */
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
 * The interval of the first period, which opens now: that of the offer quoted with it, else of the one
 * accepted with its trial, whose first phase is billed even when the payment comes later. Null for that of
 * the plan.
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
