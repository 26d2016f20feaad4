import { defaultRejection, specificRejection } from '../../errors/errors.ts';

// Resolves and validates the target of a plan change (SUB-37).

import type { Rejection } from '../../errors/errors.ts';
import type { PlanPriceRow, PlanRow } from '../../pricing/catalog.ts';
import {
  type PriceFailure,
  type PriceScope,
  priceAt,
  type ResolvedPrice,
  selectPriceRow,
} from '../../pricing/resolve.ts';
import type { BillingInterval } from '../../rows/enums.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { trialRejection } from '../invoicing/apply-offer.ts';
import { hasOpenDispute, planOf } from '../pricing/lookup.ts';
import { directTerms, notApplicable, type Terms } from '../pricing/offering.ts';
import type { Draft } from '../state/draft.ts';
import {
  fieldRejection,
  openDisputeRejection,
  priceRejection,
  statusRejection,
} from '../state/rejections.ts';
import { type Direction, directionOf } from './change-direction.ts';

/** Requested plan or interval. A value is `null` if the request omits it (SUB-37). */
export type ChangeRequest = {
  readonly newPlanId: string | null;
  readonly newBillingInterval: BillingInterval | null;
  readonly offerId: string | null;
  /** True if the customer makes the request in the portal. Customers can only choose public plans. */
  readonly isPortal: boolean;
};

/** Target plan and its price. `price` is `null` if the plan is free. */
export type PlanTarget = { readonly plan: PlanRow; readonly price: ResolvedPrice | null };

/** Target plan and price, with the timing and the offer terms of the plan change. */
export type ChangeTarget = PlanTarget & {
  readonly direction: Exclude<Direction, 'refused'>;
  readonly terms: Terms | null;
};

/**
 * Returns the price of the target plan (SUB-37). Uses the base price of the requested interval. Falls back to the base
 * price of the current interval, then to the plan's default price.
 */
function targetRow(
  draft: Draft,
  planId: string,
  requested: BillingInterval | null,
  current: BillingInterval | null,
): PlanPriceRow | PriceFailure {
  const { catalog } = draft.aggregate;
  if (requested !== null) return selectPriceRow(catalog, planId, { billingInterval: requested });
  const same = current === null ? null : selectPriceRow(catalog, planId, { billingInterval: current });
  return same === null || 'failure' in same ? selectPriceRow(catalog, planId, {}) : same;
}

/**
 * Returns the market and currency for the price lookup of a change. Uses the stored values, or the customer's
 * country if a free subscription was never paid for (CAT-27).
 */
export const changeScope = (
  draft: Draft,
  { priceId, paymentMethodId, marketId, currency }: SubscriptionRow,
): PriceScope =>
  priceId === null && paymentMethodId === null
    ? { country: draft.customer.country }
    : { market: marketId, currency };

const isOneTime = (interval: BillingInterval | null): boolean => interval === 'one_time';

const mixed = (field: string): Rejection =>
  fieldRejection(field, "A subscription can't change between a one-time price and a recurring price.");

/**
 * Returns the reason why a plan change isn't possible: because of the subscription's status, a dispute, or a scheduled
 * cancellation. `null` if it's possible.
 */
function standingRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  const rejection = statusRejection('changePlan', subscription);
  if (rejection !== null) return rejection;
  if (hasOpenDispute(draft, subscription)) return openDisputeRejection;
  return subscription.cancelAtPeriodEnd
    ? specificRejection('already_scheduled', 'withdraw_cancellation')
    : null;
}

/** Returns the requested plan, or a rejection if the plan isn't available. */
function requestedPlan(
  draft: Draft,
  subscription: SubscriptionRow,
  { newPlanId, isPortal }: ChangeRequest,
): PlanRow | Rejection {
  const plan = draft.aggregate.catalog.plans.get(newPlanId ?? subscription.planId);
  if (plan === undefined || plan.deletedAt !== null)
    return defaultRejection('plan_not_found', { param: 'newPlanId' });
  return isPortal && !plan.isPublic
    ? specificRejection('plan_unavailable', 'not_selectable', { param: 'newPlanId' })
    : plan;
}

const groupRejection = (current: PlanRow, plan: PlanRow): Rejection | null =>
  plan.id === current.id || (plan.planGroupId !== null && plan.planGroupId === current.planGroupId)
    ? null
    : specificRejection('plans_not_in_same_group', 'exchange', { param: 'newPlanId' });

/** Returns the price in the requested plan (steps 5 to 7 of SUB-37). */
function requestedPrice(
  draft: Draft,
  subscription: SubscriptionRow,
  plan: PlanRow,
  request: ChangeRequest,
): ResolvedPrice | null | Rejection {
  const { newBillingInterval: requested, offerId } = request;
  if (plan.isFree && (requested !== null || offerId !== null)) {
    const param = requested === null ? 'offerId' : 'newBillingInterval';
    return specificRejection('free_plan_change_not_supported', 'option', { values: { param }, param });
  }
  if (plan.isFree) return null;
  const { billingInterval: current } = subscription;
  if (requested !== null && current !== null && isOneTime(requested) !== isOneTime(current))
    return mixed('newBillingInterval');
  const row = targetRow(draft, plan.id, requested, current);
  if ('failure' in row) return priceRejection(row.failure);
  if (current !== null && isOneTime(row.billingInterval) !== isOneTime(current)) return mixed('newPlanId');
  const price = priceAt(draft.aggregate.catalog, row, draft.dueAt, changeScope(draft, subscription));
  return 'failure' in price ? priceRejection(price.failure) : price;
}

/**
 * Returns the terms of the requested offer. `null` if the request has no offer. Scheduled changes don't
 * accept offers (OFR-32).
 */
function requestedTerms(
  draft: Draft,
  { plan, price }: PlanTarget,
  direction: Direction,
  offerId: string | null,
): Terms | Rejection | null {
  if (offerId === null || price === null) return null;
  if (direction === 'scheduled')
    return notApplicable(
      "An offer can't be applied to a change that takes effect at the end of the period. Omit the offer.",
      'offerId',
      'scheduled',
    );
  return trialRejection(draft, offerId) ?? directTerms(draft, offerId, { planId: plan.id, price });
}

/**
 * Returns the target of a request, `same` if it's the current plan and interval, or the first failed check of
 * SUB-37 (checks 1 to 8).
 */
export function changeTarget(
  draft: Draft,
  subscription: SubscriptionRow,
  request: ChangeRequest,
): ChangeTarget | 'same' | Rejection {
  const rejection = standingRejection(draft, subscription);
  if (rejection !== null) return rejection;
  const plan = requestedPlan(draft, subscription, request);
  if ('code' in plan && !('id' in plan)) return plan;
  const current = planOf(draft, subscription);
  const { newBillingInterval: requested } = request;
  if (plan.id === current.id && (requested === null || requested === subscription.billingInterval))
    return 'same';
  const foreign = groupRejection(current, plan);
  if (foreign !== null) return foreign;
  const price = requestedPrice(draft, subscription, plan, request);
  if (price !== null && 'code' in price) return price;
  const target = { plan, price };
  const direction = directionOf(
    positionOf(current, subscription.billingInterval),
    positionOf(plan, price?.price.billingInterval ?? null),
  );
  if (direction === 'refused')
    return fieldRejection(
      'newPlanId',
      "A one-time purchase never renews, so it can't change to a free or lower-ranked plan.",
    );
  const terms = requestedTerms(draft, target, direction, request.offerId);
  return terms !== null && 'code' in terms ? terms : { ...target, direction, terms };
}

const positionOf = ({ isFree, sortOrder }: PlanRow, interval: BillingInterval | null) => ({
  isFree,
  sortOrder,
  interval,
});
