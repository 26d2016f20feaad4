import { balanceOf as balanceIn } from '../../../domain/lots/account.ts';
import { moneyPool } from '../../../domain/pricing/pools.ts';
import { creditsView, hasBalance, hasUnits } from '../../../domain/usage/contract-view.ts';
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

/** Returns the credits of a subscription. `null` unless the plan has a pool of a custom unit. */
export async function creditsOf(ctx: Context, subscription: SubscriptionRow): Promise<CreditsShape | null> {
  const plan = await loadPlan(ctx, subscription);
  if (!hasUnits(plan)) return null;
  const [account, amounts] = await Promise.all([
    loadAccount(ctx, subscription),
    loadIncluded(ctx, subscription),
  ]);
  const view = creditsView(plan, account, amounts);
  if (view === null) return null;
  const { total, included, other: purchased } = view;
  return { remaining: hasAccess(subscription) ? total : 0n, included, purchased };
}

/** Returns the prepaid balance of a subscription. `null` unless the plan has a pool of money. */
export async function balanceOf(ctx: Context, subscription: SubscriptionRow): Promise<BalanceShape | null> {
  if (!hasBalance(await loadPlan(ctx, subscription))) return null;
  const [account, included] = await Promise.all([
    loadAccount(ctx, subscription),
    loadIncluded(ctx, subscription),
  ]);
  const remaining = hasAccess(subscription) ? balanceIn(account) : 0n;
  return { remaining, included: included[moneyPool] ?? 0n, currency: subscription.currency };
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
