import { specificError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import { type ChangeOption, changeOptions } from '../../../domain/subscription/decision/change-options.ts';
import type { ChangeRequest } from '../../../domain/subscription/plan-change/change-target.ts';
import { statusRejections } from '../../../domain/subscription/state/transitions.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import { loadExistingRow, loadRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { changePlan, type PlanChangeResult } from '../../subscriptions/plan-changes/change.ts';
import { revokeScheduledChange } from '../../subscriptions/plan-changes/revoke.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { reread, shownSubscription } from './pay.ts';
import { findShownPlans, findShownPrices } from './store.ts';

/** Maximum number of plan changes to offer. */
const maxOffered = 60;

/** Returns the group of a plan if the portal shows it. `null` if the plan has no group or the group is hidden (CAT-37a). */
async function shownGroup(ctx: Context, planId: string): Promise<string | null> {
  const { planGroupId } = await loadExistingRow(ctx, 'Plan', planId);
  if (planGroupId === null) return null;
  return (await loadExistingRow(ctx, 'PlanGroup', planGroupId)).isPublic ? planGroupId : null;
}

/** Returns the selectable combinations of plan and interval. The interval of a free plan is `null`. */
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
    .slice(0, maxOffered);
}

const request = (newPlanId: string, newBillingInterval: BillingInterval | null): ChangeRequest => ({
  newPlanId,
  newBillingInterval,
  offerId: null,
  isPortal: true,
});

/**
 * Returns the plans and intervals that the customer can currently change to, in the order of the group, with their prices (PLT-31). Empty
 * if no change is possible.
 */
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

export type PortalChangeInput = {
  readonly planId: string;
  readonly billingInterval?: BillingInterval | null | undefined;
};

/** Result of a plan change, with the updated subscription. `checkoutUrl` is set if the customer must pay at a checkout first. */
export type PortalChange = {
  readonly outcome: PlanChangeResult['outcome'];
  readonly checkoutUrl: string | null;
  readonly id: string;
};

/** Throws `plan_unavailable` if the plan is in a hidden group and isn't the current plan (CAT-37a). */
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
 * Changes the caller's subscription to another public plan of its group, or to another interval (SUB-37). Throws the errors of
 * `changePlan`, and `plan_unavailable` if the plan is in a hidden group and isn't the current plan (CAT-37a).
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

/** True if the plan is in a hidden group. False if the plan doesn't exist. */
async function isInHiddenGroup(ctx: Context, planId: string): Promise<boolean> {
  const plan = await loadRow(ctx, 'Plan', planId);
  return plan !== null && plan.planGroupId !== null && (await shownGroup(ctx, planId)) === null;
}

/** Cancels the scheduled plan change of the caller's subscription. Throws `no_change_requested` if no change is scheduled. */
export async function revokeShownChange(ctx: Context): Promise<SubscriptionRow> {
  const { id } = await shownSubscription(ctx);
  await revokeScheduledChange(ctx, id);
  return reread(ctx, id);
}
