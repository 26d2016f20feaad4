import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { specificError } from '../../domain/errors.ts';
import { type ChangeOption, changeOptions } from '../../domain/subscription/decision/change-options.ts';
import type { ChangeRequest } from '../../domain/subscription/plan-change/change-target.ts';
import { statusRejections } from '../../domain/subscription/state/transitions.ts';
import { withSnapshot } from '../../engine/with-snapshot.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import { changePlan, type PlanChangeResult } from '../plan-changes/change.ts';
import { revokeScheduledChange } from '../plan-changes/revoke.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { reread, shownSubscription } from './pay.ts';
import { findShownPlans, findShownPrices } from './store.ts';

/** How many moves are offered at most. */
const offeredAtMost = 60;

/** The group of a plan as far as the portal shows it: null without one, and while it is hidden (CAT-37a). */
async function shownGroup(ctx: Context, planId: string): Promise<string | null> {
  const { planGroupId } = await loadExistingRow(ctx, 'Plan', planId);
  if (planGroupId === null) return null;
  return (await loadExistingRow(ctx, 'PlanGroup', planGroupId)).isPublic ? planGroupId : null;
}

/** The intervals plans are sold by, one null for a free plan. */
async function candidates(
  ctx: Context,
  { planId }: Pick<SubscriptionRow, 'planId'>,
): Promise<ChangeRequest[]> {
  const planGroupId = await shownGroup(ctx, planId);
  const plans = await findShownPlans(ctx, planId, planGroupId);
  const ids = plans.map(({ id }) => id);
  const prices = await findShownPrices(ctx, ids);
  const intervals = Map.groupBy(prices, (price) => price.planId);
  return plans
    .flatMap(({ id, isFree }) =>
      isFree
        ? [request(id, null)]
        : (intervals.get(id) ?? []).map(({ billingInterval }) => request(id, billingInterval)),
    )
    .slice(0, offeredAtMost);
}

const request = (newPlanId: string, newBillingInterval: BillingInterval | null): ChangeRequest => ({
  newPlanId,
  newBillingInterval,
  offerId: null,
  isPortal: true,
});

/** What the customer could move to now, in order of the group, priced as it would be charged (PLT-31); none while nothing can be changed. */
export async function loadChangeOptions(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'id' | 'customerId' | 'status' | 'planId'>,
): Promise<ChangeOption[]> {
  if (statusRejections.changePlan[subscription.status] !== undefined) return [];
  const requests = await candidates(ctx, subscription);
  if (requests.length === 0) return [];
  const { id: subscriptionId, customerId } = subscription;
  const commands = requests.map((requested) => ({
    kind: 'subscription.change_plan' as const,
    subscriptionId,
    request: requested,
    successUrl: null,
  }));
  return withSnapshot(ctx, customerId, commands, ({ aggregate, now, deps }) =>
    changeOptions(aggregate, { subscriptionId, now }, requests, deps),
  );
}

/** What the customer asks to move to. */
export type PortalChangeInput = {
  readonly planId: string;
  readonly billingInterval?: BillingInterval | null | undefined;
};

/** The outcome: where a checkout is to be paid first, null otherwise; and the subscription as it is at that time. */
export type PortalChange = {
  readonly outcome: PlanChangeResult['outcome'];
  readonly checkoutUrl: string | null;
  readonly id: string;
};

/** Throws `plan_unavailable` for another plan of a hidden group than the one the subscription is on (CAT-37a). */
export async function requireShownPlan(
  ctx: Context,
  { planId: current }: Pick<SubscriptionRow, 'planId'>,
  planId: string,
): Promise<void> {
  if (planId !== current && (await isInHiddenGroup(ctx, planId))) {
    throw specificError('plan_unavailable', 'not_selectable', { param: 'planId' });
  }
}

/**
 * Moves the caller's subscription to a public plan of its group, or to another interval (SUB-37). Throws what `changePlan` throws, and
 * `plan_unavailable` for another plan of a hidden group (CAT-37a).
 */
export async function changeShown(
  ctx: Context,
  { planId, billingInterval }: PortalChangeInput,
): Promise<PortalChange> {
  const subscription = await shownSubscription(ctx);
  const { id } = subscription;
  await requireShownPlan(ctx, subscription, planId);
  const result = await changePlan(ctx, { id, newPlanId: planId, newBillingInterval: billingInterval }, true);
  return {
    id,
    outcome: result.outcome,
    checkoutUrl: result.outcome === 'requires_checkout' ? result.checkoutUrl : null,
  };
}

/** Whether a plan is in a group that is not shown; false for one that does not exist. */
async function isInHiddenGroup(ctx: Context, planId: string): Promise<boolean> {
  const plan = await loadRow(ctx, 'Plan', planId);
  return plan !== null && plan.planGroupId !== null && (await shownGroup(ctx, planId)) === null;
}

/** Withdraws the change the caller's subscription waits for. Throws `no_change_requested` where none does. */
export async function revokeShownChange(ctx: Context): Promise<SubscriptionRow> {
  const { id } = await shownSubscription(ctx);
  await revokeScheduledChange(ctx, id);
  return reread(ctx, id);
}
