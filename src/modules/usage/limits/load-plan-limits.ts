import { type PlanLimit, planLimits } from '../../../domain/usage/plan-limits.ts';
import type { Context } from '../../../request/context.ts';
import { loadAccess } from '../../subscriptions/subscriptions/load-consumption.ts';
import { hasAccess } from '../../subscriptions/subscriptions/load-terms.ts';
import { loadCurrentSubscription } from '../../subscriptions/subscriptions/store.ts';

/** Returns the limits from the terms of a customer's plan and add-ons. Empty if no subscription gives access. */
export async function loadPlanLimits(ctx: Context, customerId: string): Promise<readonly PlanLimit[]> {
  const subscription = await loadCurrentSubscription(ctx, customerId);
  return subscription === null || !hasAccess(subscription)
    ? []
    : planLimits(await loadAccess(ctx, subscription));
}
