import type { Context } from '../../context.ts';
import { creditsOf as poolOf } from '../../domain/usage/pools.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { loadAccount } from './load-consumption.ts';
import { hasAccess, loadBoundPrice, loadIncluded } from './load-terms.ts';
import type { SubscriptionRow } from './store.ts';
import type { BalanceShape, CreditsShape, GrantShape, PlanSummary } from './types/parts.ts';

// What a subscription shows beside its own columns.

/** The plan of a subscription. Batched. */
export const loadPlan = (ctx: Context, { planId }: Pick<SubscriptionRow, 'planId'>): Promise<Row<'Plan'>> =>
  loadExistingRow(ctx, 'Plan', planId);

/** The plan of a subscription with what its bound price costs now. */
export async function planOf(ctx: Context, subscription: SubscriptionRow): Promise<PlanSummary> {
  const { id, name } = await loadPlan(ctx, subscription);
  return {
    id,
    name,
    basePrice: async () => (await loadBoundPrice(ctx, subscription))?.amountMinor ?? 0n,
  };
}

/** The credits of a subscription to a plan paid for by credits, else null. */
export async function creditsOf(ctx: Context, subscription: SubscriptionRow): Promise<CreditsShape | null> {
  if ((await loadPlan(ctx, subscription)).consumptionModel !== 'credits') return null;
  const [account, included] = await Promise.all([
    loadAccount(ctx, subscription),
    loadIncluded(ctx, subscription),
  ]);
  const remaining = hasAccess(subscription) ? poolOf(account) : 0n;
  return { remaining, included: included.credits, purchased: account.purchasedCredits };
}

/** The balance of a subscription to a plan paid for by balance, else null. */
export async function balanceOf(ctx: Context, subscription: SubscriptionRow): Promise<BalanceShape | null> {
  if ((await loadPlan(ctx, subscription)).consumptionModel !== 'balance') return null;
  const [account, included] = await Promise.all([
    loadAccount(ctx, subscription),
    loadIncluded(ctx, subscription),
  ]);
  const remaining = hasAccess(subscription) ? account.balanceRate : 0n;
  return { remaining, included: included.balanceRate, currency: subscription.currency };
}

/** The plan grant that widens the access of a subscription; null, and no statement, without one (SUB-80). */
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
