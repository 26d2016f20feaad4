import {
  balanceOf as balanceIn,
  creditsOf as creditsIn,
  purchasedCreditsOf,
} from '../../../domain/lots/account.ts';
import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { loadAccount } from './load-consumption.ts';
import { hasAccess, loadBoundPrice, loadIncluded } from './load-terms.ts';
import type { SubscriptionRow } from './store.ts';
import type { BalanceShape, CreditsShape, GrantShape, PlanSummary } from './types/parts.ts';

// Subscription data that isn't in the subscription's own columns.

/** Returns a subscription's plan. Lookups are batched. */
export const loadPlan = (ctx: Context, { planId }: Pick<SubscriptionRow, 'planId'>): Promise<Row<'Plan'>> =>
  loadExistingRow(ctx, 'Plan', planId);

/** Returns a subscription's plan, with the current amount of its price. */
export async function planOf(ctx: Context, subscription: SubscriptionRow): Promise<PlanSummary> {
  const { id, name } = await loadPlan(ctx, subscription);
  return {
    id,
    name,
    basePrice: async () => (await loadBoundPrice(ctx, subscription))?.amountMinor ?? 0n,
  };
}

/** Returns the credits of a subscription. `null` unless the plan's consumption model is `credits`. */
export async function creditsOf(ctx: Context, subscription: SubscriptionRow): Promise<CreditsShape | null> {
  if ((await loadPlan(ctx, subscription)).consumptionModel !== 'credits') return null;
  const [account, included] = await Promise.all([
    loadAccount(ctx, subscription),
    loadIncluded(ctx, subscription),
  ]);
  const remaining = hasAccess(subscription) ? creditsIn(account) : 0n;
  return { remaining, included: included.credits, purchased: purchasedCreditsOf(account) };
}

/** Returns the prepaid balance of a subscription. `null` unless the plan's consumption model is `balance`. */
export async function balanceOf(ctx: Context, subscription: SubscriptionRow): Promise<BalanceShape | null> {
  if ((await loadPlan(ctx, subscription)).consumptionModel !== 'balance') return null;
  const [account, included] = await Promise.all([
    loadAccount(ctx, subscription),
    loadIncluded(ctx, subscription),
  ]);
  const remaining = hasAccess(subscription) ? balanceIn(account) : 0n;
  return { remaining, included: included.balanceRate, currency: subscription.currency };
}

/** Returns the plan grant of a subscription. `null` if the subscription has no plan grant; no SQL statement runs in that case (SUB-80). */
export async function planGrantOf(
  ctx: Context,
  { id, grantedPlanId }: Pick<SubscriptionRow, 'id' | 'grantedPlanId'>,
): Promise<GrantShape | null> {
  if (grantedPlanId === null) return null;
  const [[grant], plan] = await Promise.all([
    loadRowsBy(ctx, 'PlanGrant', 'subscriptionId', id, 'seq', { status: 'active' }),
    loadExistingRow(ctx, 'Plan', grantedPlanId),
  ]);
  return grant === undefined ? null : { id: grant.id, plan, expiresAt: grant.expiresAt };
}
