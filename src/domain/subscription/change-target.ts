// What a plan change leads to, and whether it may be asked for (SUB-37).
import type { Refusal } from '../errors.ts';
import type { PlanPriceRow, PlanRow } from '../pricing/catalog.ts';
import { type PriceFailure, type PriceScope, priceAt, type ResolvedPrice, selectPriceRow } from '../pricing/resolve.ts';
import type { BillingInterval } from '../words.ts';
import { trialRefusal } from './apply-offer.ts';
import type { ChangeRequest } from './change-commands.ts';
import { type Direction, directionOf } from './change-direction.ts';
import { hasOpenDispute, planOf } from './lookup.ts';
import { directTerms, notApplicable, type Terms } from './offering.ts';
import { fieldRefusal, openDisputeRefusal, priceRefusal, statusRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** A plan to move to, with its price; null on free plans. */
export type PlanTarget = { readonly plan: PlanRow; readonly price: ResolvedPrice | null };

/** The same with when it is moved to, and the offer that comes with it. */
export type ChangeTarget = PlanTarget & { readonly direction: Exclude<Direction, 'refused'>; readonly terms: Terms | null };

/**
 * The row a subscription moves to in a plan: the base row of the interval asked for; else that of the interval it has, where the plan sells it;
 * else the plan's default (SUB-37).
 */
export function targetRow(
  work: Work,
  planId: string,
  asked: BillingInterval | null,
  current: BillingInterval | null,
): PlanPriceRow | PriceFailure {
  const { catalog } = work.aggregate;
  if (asked !== null) return selectPriceRow(catalog, planId, { billingInterval: asked });
  const same = current === null ? null : selectPriceRow(catalog, planId, { billingInterval: current });
  return same === null || 'failure' in same ? selectPriceRow(catalog, planId, {}) : same;
}

/** Where the price of a change is looked up: in the stored market and currency, which a free plan has not until something was paid (CAT-27). */
export const changeScope = (work: Work, { priceId, paymentMethodId, marketId, currency }: SubscriptionRow): PriceScope =>
  priceId === null && paymentMethodId === null ? { country: work.customer.country } : { market: marketId, currency };

const isOneTime = (interval: BillingInterval | null): boolean => interval === 'one_time';

const mixed = (field: string): Refusal => fieldRefusal(field, 'What is bought once and what recurs cannot be exchanged.');

/** Why nothing can be changed whatever is asked for: the status, a dispute, a cancellation that waits. Null when something can. */
function standingRefusal(work: Work, subscription: SubscriptionRow): Refusal | null {
  const refusal = statusRefusal('changePlan', subscription);
  if (refusal !== null) return refusal;
  if (hasOpenDispute(work, subscription)) return openDisputeRefusal;
  return subscription.cancelAtPeriodEnd
    ? { code: 'already_scheduled', message: 'A cancellation of the subscription is scheduled; withdraw it first.' }
    : null;
}

/** The plan asked for, or why it cannot be had. */
function askedPlan(work: Work, subscription: SubscriptionRow, { newPlanId, isPortal }: ChangeRequest): PlanRow | Refusal {
  const plan = work.aggregate.catalog.plans.get(newPlanId ?? subscription.planId);
  if (plan === undefined || plan.deletedAt !== null)
    return { code: 'plan_not_found', message: 'There is no such plan.', param: 'newPlanId' };
  return isPortal && !plan.isPublic ? { code: 'plan_unavailable', message: 'The plan cannot be chosen.', param: 'newPlanId' } : plan;
}

const groupRefusal = (current: PlanRow, plan: PlanRow): Refusal | null =>
  plan.id === current.id || (plan.planGroupId !== null && plan.planGroupId === current.planGroupId)
    ? null
    : { code: 'plans_not_in_same_group', message: 'Plans can only be exchanged within a group.', param: 'newPlanId' };

/** The price in the plan asked for: steps 5 to 7 of SUB-37. */
function askedPrice(work: Work, subscription: SubscriptionRow, plan: PlanRow, request: ChangeRequest): ResolvedPrice | null | Refusal {
  const { newBillingInterval: asked, offerId } = request;
  if (plan.isFree && (asked !== null || offerId !== null)) {
    const param = asked === null ? 'offerId' : 'newBillingInterval';
    return { code: 'free_plan_change_not_supported', message: `A free plan takes no ${param}.`, param };
  }
  if (plan.isFree) return null;
  const { billingInterval: current } = subscription;
  if (asked !== null && current !== null && isOneTime(asked) !== isOneTime(current)) return mixed('newBillingInterval');
  const row = targetRow(work, plan.id, asked, current);
  if ('failure' in row) return priceRefusal(row.failure);
  if (current !== null && isOneTime(row.billingInterval) !== isOneTime(current)) return mixed('newPlanId');
  const price = priceAt(work.aggregate.catalog, row, work.dueAt, changeScope(work, subscription));
  return 'failure' in price ? priceRefusal(price.failure) : price;
}

/** The terms of the offer that is to come with a change, null for none; a change that waits takes none (OFR-32). */
function askedTerms(work: Work, { plan, price }: PlanTarget, direction: Direction, offerId: string | null): Terms | Refusal | null {
  if (offerId === null || price === null) return null;
  if (direction === 'scheduled')
    return notApplicable('A change that waits for the end of the period takes no offer.', 'offerId', 'scheduled');
  return trialRefusal(work, offerId) ?? directTerms(work, offerId, { planId: plan.id, price });
}

/** What a request leads to, `same` where it asks for what is so already, or the first check of SUB-37 that fails, up to the eighth. */
export function changeTarget(work: Work, subscription: SubscriptionRow, request: ChangeRequest): ChangeTarget | 'same' | Refusal {
  const refusal = standingRefusal(work, subscription);
  if (refusal !== null) return refusal;
  const plan = askedPlan(work, subscription, request);
  if ('code' in plan && !('id' in plan)) return plan;
  const current = planOf(work, subscription);
  const { newBillingInterval: asked } = request;
  if (plan.id === current.id && (asked === null || asked === subscription.billingInterval)) return 'same';
  const foreign = groupRefusal(current, plan);
  if (foreign !== null) return foreign;
  const price = askedPrice(work, subscription, plan, request);
  if (price !== null && 'code' in price) return price;
  const target = { plan, price };
  const direction = directionOf(standingOf(current, subscription.billingInterval), standingOf(plan, price?.price.billingInterval ?? null));
  if (direction === 'refused')
    return fieldRefusal('newPlanId', 'What is bought once is never renewed, so the change has nothing to wait for.');
  const terms = askedTerms(work, target, direction, request.offerId);
  return terms !== null && 'code' in terms ? terms : { ...target, direction, terms };
}

const standingOf = ({ isFree, sortOrder }: PlanRow, interval: BillingInterval | null) => ({ isFree, sortOrder, interval });
