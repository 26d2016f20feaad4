import { specificError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import { type ChangeOption, changeOptions } from '../../../domain/subscription/decision/change-options.ts';
import { statusRejections } from '../../../domain/subscription/state/transitions.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import { loadExistingRow, loadRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { changeCommand, type PlanChangeResult } from '../../subscriptions/plan-changes/change.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { findShownPlans, findShownPrices } from './store.ts';

/** Maximum number of plan changes that the portal offers. */
const maxOffered = 60;

/** Returns the ID of a plan's group if the portal shows the group. `null` if the plan has no group or the group is hidden (CAT-37a). */
async function shownGroup(ctx: Context, planId: string): Promise<string | null> {
  const { planGroupId } = await loadExistingRow(ctx, 'Plan', planId);
  if (planGroupId === null) return null;
  return (await loadExistingRow(ctx, 'PlanGroup', planGroupId)).isPublic ? planGroupId : null;
}

/** Combination of plan and interval that a customer can select. The interval of a free plan is `null`. */
type Candidate = { readonly newPlanId: string; readonly newBillingInterval: BillingInterval | null };

/** Returns the combinations of plan and interval that a customer can select. */
async function candidates(ctx: Context, { planId }: Pick<SubscriptionRow, 'planId'>): Promise<Candidate[]> {
  const planGroupId = await shownGroup(ctx, planId);
  const plans = await findShownPlans(ctx, planId, planGroupId);
  const ids = plans.map(({ id }) => id);
  const prices = await findShownPrices(ctx, ids);
  const intervals = Map.groupBy(prices, (price) => price.planId);
  return plans
    .flatMap(({ id, isFree }): Candidate[] =>
      isFree
        ? [{ newPlanId: id, newBillingInterval: null }]
        : (intervals.get(id) ?? []).map((price) => ({
            newPlanId: id,
            newBillingInterval: price.billingInterval,
          })),
    )
    .slice(0, maxOffered);
}

/**
 * Returns the plans and intervals that the customer can currently change to, in the order of the group, with their prices (PLT-31). Empty
 * if no change is possible.
 */
export async function loadChangeOptions(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'id' | 'customerId' | 'status' | 'planId'>,
): Promise<ChangeOption[]> {
  if (statusRejections.changePlan[subscription.status] !== undefined) return [];
  const { id: subscriptionId, customerId } = subscription;
  const commands = (await candidates(ctx, subscription)).map((candidate) =>
    changeCommand(ctx, { id: subscriptionId, ...candidate }),
  );
  if (commands.length === 0) return [];
  const requests = commands.map(({ request }) => request);
  return withSnapshot(ctx, customerId, commands, ({ aggregate, now, deps }) =>
    changeOptions(aggregate, { subscriptionId, now }, requests, deps),
  );
}

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
  { planId }: { readonly planId: string },
): Promise<void> {
  if (planId !== current && (await isInHiddenGroup(ctx, planId))) {
    throw specificError('plan_unavailable', 'not_selectable', { param: 'planId' });
  }
}

/** Returns the result of a plan change in the format of the portal. */
export function changeOf({
  id,
  result,
}: {
  readonly id: string;
  readonly result: PlanChangeResult | null;
}): PortalChange {
  if (result === null) throw new Error('A plan change stores no card.');
  const { outcome } = result;
  return { id, outcome, checkoutUrl: outcome === 'requires_checkout' ? result.checkoutUrl : null };
}

/** True if the plan is in a hidden group. False if the plan doesn't exist. */
async function isInHiddenGroup(ctx: Context, planId: string): Promise<boolean> {
  const plan = await loadRow(ctx, 'Plan', planId);
  return plan !== null && plan.planGroupId !== null && (await shownGroup(ctx, planId)) === null;
}
