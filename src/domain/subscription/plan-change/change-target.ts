import { defaultRejection, specificRejection } from '../../errors.ts';
// What a plan change leads to, and whether it may be asked for (SUB-37).

import type { BillingInterval } from '../../enums.ts';
import type { Rejection } from '../../errors.ts';
import type { PlanPriceRow, PlanRow } from '../../pricing/catalog.ts';
import {
  type PriceFailure,
  type PriceScope,
  priceAt,
  type ResolvedPrice,
  selectPriceRow,
} from '../../pricing/resolve.ts';
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
import type { SubscriptionRow } from '../state/rows.ts';
import { type Direction, directionOf } from './change-direction.ts';

/** A plan or interval to move to; null where it is not named (SUB-37). */
export type ChangeRequest = {
  readonly newPlanId: string | null;
  readonly newBillingInterval: BillingInterval | null;
  readonly offerId: string | null;
  /** Whether the customer asks, who may choose public plans only. */
  readonly isPortal: boolean;
};

/** A plan to move to, with its price; null on free plans. */
export type PlanTarget = { readonly plan: PlanRow; readonly price: ResolvedPrice | null };

/** The same with when it is moved to, and the offer that comes with it. */
export type ChangeTarget = PlanTarget & {
  readonly direction: Exclude<Direction, 'refused'>;
  readonly terms: Terms | null;
};

/**
 * The row a subscription moves to in a plan: the base row of the interval asked for; else that of the
 * interval it has, where the plan sells it; else the plan's default (SUB-37).
 */
export function targetRow(
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
 * Where the price of a change is looked up: in the stored market and currency, which a free plan has not
 * until something was paid (CAT-27).
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
  fieldRejection(field, 'What is bought once and what recurs cannot be exchanged.');

/** Why no change is possible at all: the status, a dispute, a scheduled cancellation. Null otherwise. */
function standingRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  const rejection = statusRejection('changePlan', subscription);
  if (rejection !== null) return rejection;
  if (hasOpenDispute(draft, subscription)) return openDisputeRejection;
  return subscription.cancelAtPeriodEnd
    ? specificRejection('already_scheduled', 'withdraw_cancellation')
    : null;
}

/** The plan asked for, or why it cannot be chosen. */
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

/** The price in the plan asked for: steps 5 to 7 of SUB-37. */
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
 * The terms of the offer that is to come with a change, null for none; a change that waits takes none
 * (OFR-32).
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
      'A change that waits for the end of the period takes no offer.',
      'offerId',
      'scheduled',
    );
  return trialRejection(draft, offerId) ?? directTerms(draft, offerId, { planId: plan.id, price });
}

/**
 * What a request leads to, `same` where it asks for what is so already, or the first check of SUB-37 that
 * fails, up to the eighth.
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
    standingOf(current, subscription.billingInterval),
    standingOf(plan, price?.price.billingInterval ?? null),
  );
  if (direction === 'refused')
    return fieldRejection(
      'newPlanId',
      'What is bought once is never renewed, so the change has nothing to wait for.',
    );
  const terms = requestedTerms(draft, target, direction, request.offerId);
  return terms !== null && 'code' in terms ? terms : { ...target, direction, terms };
}

const standingOf = ({ isFree, sortOrder }: PlanRow, interval: BillingInterval | null) => ({
  isFree,
  sortOrder,
  interval,
});
