// Previews a plan change that takes effect immediately (SUB-51, SUB-52).

import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { maxOf } from '../../money/money.ts';
import type { OfferApplicationRow } from '../../rows/rows.ts';
import { firstBase } from '../pricing/priced-base.ts';
import { newApplication } from '../pricing/quotes.ts';
import type { Aggregate, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import { unusedBase } from './change-amounts.ts';
import { dueChange } from './change-boundary.ts';
import type { ChangeRequest } from './change-target.ts';
import { changeTarget } from './change-target.ts';
import { asChanged, type SeatsBeyond, seatRejection, seatsBeyond } from './change-terms.ts';

/**
 * Amounts of a plan change in minor units. Covers only the plan's base price, without tax, arrears, seats, add-ons, and
 * customer credits (OQ-17).
 */
export type ChangePreview = {
  readonly currency: string;
  readonly creditMinor: bigint;
  readonly chargeMinor: bigint;
  readonly totalMinor: bigint;
  readonly effectiveDate: Date;
  readonly daysRemaining: number;
  readonly totalDays: number;
  /** Always true, because scheduled changes have no preview. */
  readonly isUpgrade: boolean;
  /** Offer that the change would quote. Not stored. */
  readonly offerApplication: OfferApplicationRow | null;
};

/**
 * Computes a plan change without writing it. Fails with `plan_change_scheduled` if the change would be
 * scheduled.
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
 * Returns the seats that exceed what the scheduled plan allows (SUB-48). `null` if all seats fit or no change
 * is scheduled.
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
