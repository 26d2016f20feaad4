import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { ChangeRequest } from '../../domain/subscription/change-commands.ts';
import { type ChangeOption, changeOptions } from '../../domain/subscription/change-options.ts';
import { statusRefusals } from '../../domain/subscription/state.ts';
import type { BillingInterval } from '../../domain/words.ts';
import { askAbout } from '../../engine/ask.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import { changePlan, type PlanChangeResult, revokeScheduledChange } from '../subscriptions/change-plan.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import { reread, shownSubscription } from './pay.ts';

/** How many moves are offered at most. */
const offeredAtMost = 60;

/** The group of a plan as far as the portal shows it: null without one, and while it is hidden (CAT-37a). */
async function shownGroup(context: Context, planId: string): Promise<string | null> {
  const { planGroupId } = await loadExistingRow(context, 'Plan', planId);
  if (planGroupId === null) return null;
  return (await loadExistingRow(context, 'PlanGroup', planGroupId)).isPublic ? planGroupId : null;
}

/** The intervals plans are sold by, one null for a free plan. */
async function candidates(context: Context, { planId }: SubscriptionRow): Promise<ChangeRequest[]> {
  const planGroupId = await shownGroup(context, planId);
  const others = planGroupId === null ? [] : [{ planGroupId }];
  const where = { deletedAt: null, isPublic: true, OR: [{ id: planId }, ...others] };
  const plans = await context.db.plan.findMany({ where, orderBy: [{ sortOrder: 'asc' }, { seq: 'asc' }] });
  const ids = plans.map(({ id }) => id);
  const prices = await context.db.planPrice.findMany({ where: { planId: { in: ids }, archivedAt: null, inheritsFromPriceId: null } });
  const intervals = Map.groupBy(prices, (price) => price.planId);
  return plans
    .flatMap(({ id, isFree }) =>
      isFree ? [request(id, null)] : (intervals.get(id) ?? []).map(({ billingInterval }) => request(id, billingInterval)),
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
export async function loadChangeOptions(context: Context, subscription: SubscriptionRow): Promise<ChangeOption[]> {
  if (statusRefusals.changePlan[subscription.status] !== undefined) return [];
  const requests = await candidates(context, subscription);
  if (requests.length === 0) return [];
  const { id: subscriptionId, customerId } = subscription;
  const orders = requests.map((asked) => ({
    kind: 'subscription.change_plan' as const,
    subscriptionId,
    request: asked,
    successUrl: null,
  }));
  return askAbout(context, customerId, orders, ({ aggregate, now, tools }) =>
    changeOptions(aggregate, { subscriptionId, now }, requests, tools),
  );
}

/** What the customer asks to move to. */
export type PortalChangeInput = { readonly planId: string; readonly billingInterval?: BillingInterval | null | undefined };

/** What came of it: where a checkout is to be paid first, null otherwise; and the subscription as it then is. */
export type PortalChange = { readonly outcome: PlanChangeResult['outcome']; readonly checkoutUrl: string | null; readonly id: string };

/**
 * Moves the caller's subscription to a public plan of its group, or to another interval (SUB-37). Throws what `changePlan` throws, and
 * `plan_unavailable` for another plan of a hidden group (CAT-37a).
 */
export async function changeShown(context: Context, { planId, billingInterval }: PortalChangeInput): Promise<PortalChange> {
  const { id, planId: current } = await shownSubscription(context);
  if (planId !== current && (await isInHiddenGroup(context, planId))) {
    throw new QuittanceError('plan_unavailable', 'The plan cannot be chosen.', { param: 'planId' });
  }
  const result = await changePlan(context, { id, newPlanId: planId, newBillingInterval: billingInterval }, true);
  return { id, outcome: result.outcome, checkoutUrl: result.outcome === 'requires_checkout' ? result.checkoutUrl : null };
}

/** Whether a plan is in a group that is not shown; false for one that does not exist. */
async function isInHiddenGroup(context: Context, planId: string): Promise<boolean> {
  const plan = await loadRow(context, 'Plan', planId);
  return plan !== null && plan.planGroupId !== null && (await shownGroup(context, planId)) === null;
}

/** Withdraws the change the caller's subscription waits for. Throws `no_change_requested` where none does. */
export async function revokeShownChange(context: Context): Promise<SubscriptionRow> {
  const { id } = await shownSubscription(context);
  await revokeScheduledChange(context, id);
  return reread(context, id);
}
