import type { Context } from '../context.ts';
import type { PlanGrantRow, SubscriptionRow } from '../domain/subscription/aggregate.ts';
import { columnList } from '../infra/bulk.ts';

/** The active plan grants of subscriptions; no statement where none has any. */
export async function loadGrants(
  ctx: Context,
  subscriptions: readonly Pick<SubscriptionRow, 'id' | 'grantedPlanId'>[],
): Promise<PlanGrantRow[]> {
  const ids = subscriptions.filter(({ grantedPlanId }) => grantedPlanId !== null).map(({ id }) => id);
  if (ids.length === 0) return [];
  return ctx.sql<PlanGrantRow>(
    `SELECT ${columnList('PlanGrant', 't')} FROM "PlanGrant" t WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) AND t.status = 'active' ORDER BY t.seq`,
    [ids],
  );
}

/**
 * Locks plans that are to be granted against a change of what they give until the transaction ends, after the customers (protocols A2); no
 * statement where none is.
 */
export async function lockGrantedPlans(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.sql(`SELECT t.id FROM "Plan" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR SHARE`, [ids]);
}
