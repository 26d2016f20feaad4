// What a plan change at once would come to, told without doing it (SUB-51, SUB-52).
import type { Refusal } from '../errors.ts';
import { maxOf } from '../money.ts';
import type { Aggregate, Tools } from './aggregate.ts';
import { unusedBase } from './change-amounts.ts';
import { dueChange } from './change-boundary.ts';
import type { ChangeRequest } from './change-commands.ts';
import { changeTarget } from './change-target.ts';
import { asChanged, type SeatsBeyond, seatRefusal, seatsBeyond } from './change-terms.ts';
import { firstBase } from './priced-base.ts';
import { newApplication } from './quotes.ts';
import type { OfferApplicationRow } from './rows.ts';
import { Work } from './work.ts';

/** Amounts in minor units: the base only, without tax, arrears, seats, add-ons and customer credits (OQ-17). */
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

/** Works a change out on the state of a customer and changes nothing. A change that would wait is refused with `plan_change_scheduled`. */
export function previewChange(
  aggregate: Aggregate,
  about: { readonly subscriptionId: string; readonly request: ChangeRequest; readonly now: Date },
  tools: Tools,
): ChangePreview | Refusal {
  const { subscriptionId, request, now } = about;
  const work = new Work(aggregate, { dueAt: now, now }, tools);
  const subscription = work.subscriptions.find(subscriptionId);
  if (subscription === null) return { code: 'subscription_not_found', message: `There is no subscription ${subscriptionId}.` };
  const target = changeTarget(work, subscription, request);
  if (target === 'same') return { code: 'no_change_requested', message: 'The subscription has this plan and interval.' };
  if ('code' in target) return target;
  if (target.direction === 'scheduled') {
    return { code: 'plan_change_scheduled', message: 'The change waits for the end of the period, so nothing is prorated.' };
  }
  const seats = seatRefusal(work, subscription, target);
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
    offerApplication: price === null || terms === null ? null : newApplication(work, subscription, terms, price),
  };
}

/** The seats that will not fit the plan a subscription waits to move to, told as things stand (SUB-48); null where all fit, or nothing waits. */
export function scheduledSeatsBeyond(
  aggregate: Aggregate,
  { subscriptionId, now }: { readonly subscriptionId: string; readonly now: Date },
  tools: Tools,
): SeatsBeyond | null {
  const work = new Work(aggregate, { dueAt: now, now }, tools);
  const subscription = work.subscriptions.find(subscriptionId);
  const target = subscription === null ? null : dueChange(work, subscription);
  if (subscription === null || target === null || target.plan.id === subscription.planId) return null;
  return seatsBeyond(work, asChanged(work, subscription, target));
}
