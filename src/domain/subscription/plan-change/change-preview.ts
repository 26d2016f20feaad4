// The preview of a plan change that takes effect at once (SUB-51, SUB-52).

import { type Rejection, specificRejection } from '../../errors.ts';
import { maxOf } from '../../money.ts';
import { firstBase } from '../pricing/priced-base.ts';
import { newApplication } from '../pricing/quotes.ts';
import type { Aggregate, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import type { OfferApplicationRow } from '../state/rows.ts';
import { unusedBase } from './change-amounts.ts';
import { dueChange } from './change-boundary.ts';
import type { ChangeRequest } from './change-target.ts';
import { changeTarget } from './change-target.ts';
import { asChanged, type SeatsBeyond, seatRejection, seatsBeyond } from './change-terms.ts';

/**
 * Amounts in minor units: the base only, without tax, arrears, seats, add-ons and customer credits (OQ-17).
 */
export type ChangePreview = {
  readonly currency: string;
  readonly creditMinor: bigint;
  readonly chargeMinor: bigint;
  readonly totalMinor: bigint;
  readonly effectiveDate: Date;
  readonly daysRemaining: number;
  readonly totalDays: number;
  /** Whether it happens at once, which every change that can be previewed does. */
  readonly isUpgrade: boolean;
  /** The offer as it would be quoted; it is not stored. */
  readonly offerApplication: OfferApplicationRow | null;
};

/**
 * Computes a change on the state of a customer and changes nothing. A change that would wait is rejected with
 * `plan_change_scheduled`.
 */
export function previewChange(
  aggregate: Aggregate,
  about: { readonly subscriptionId: string; readonly request: ChangeRequest; readonly now: Date },
  deps: DecisionDeps,
): ChangePreview | Rejection {
  const { subscriptionId, request, now } = about;
  const draft = new Draft(aggregate, { dueAt: now, now }, deps);
  const subscription = draft.subscriptions.find(subscriptionId);
  if (subscription === null)
    return specificRejection('subscription_not_found', 'missing', { values: { missing: subscriptionId } });
  const target = changeTarget(draft, subscription, request);
  if (target === 'same') return specificRejection('no_change_requested', 'same_plan');
  if ('code' in target) return target;
  if (target.direction === 'scheduled') {
    return specificRejection('plan_change_scheduled', 'at_period_end');
  }
  const seats = seatRejection(draft, subscription, target);
  if (seats !== null) return seats;
  const { price, terms } = target;
  const { creditMinor, ...days } = unusedBase(subscription, now);
  const chargeMinor = price === null ? 0n : firstBase(price.amountMinor, terms).effectiveMinor;
  return {
    currency: price?.currency ?? subscription.currency,
    creditMinor,
    chargeMinor,
    totalMinor: maxOf(0n, chargeMinor - creditMinor),
    effectiveDate: now,
    ...days,
    isUpgrade: true,
    offerApplication:
      price === null || terms === null ? null : newApplication(draft, subscription, terms, price),
  };
}

/**
 * The seats held now that do not fit the plan a subscription is scheduled to move to (SUB-48). Null where all
 * fit, and without a scheduled change.
 */
export function scheduledSeatsBeyond(
  aggregate: Aggregate,
  { subscriptionId, now }: { readonly subscriptionId: string; readonly now: Date },
  deps: DecisionDeps,
): SeatsBeyond | null {
  const draft = new Draft(aggregate, { dueAt: now, now }, deps);
  const subscription = draft.subscriptions.find(subscriptionId);
  const target = subscription === null ? null : dueChange(draft, subscription);
  if (subscription === null || target === null || target.plan.id === subscription.planId) return null;
  return seatsBeyond(draft, asChanged(draft, subscription, target));
}
