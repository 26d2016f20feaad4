import type { PlanGrantRow } from '../../domain/subscription/state/aggregate.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Context } from '../../request/context.ts';
import type { LoadBatch } from './batch.ts';

/** Loads the active plan grants of subscriptions. Executes no SQL statement if no subscription has a plan grant. */
export async function loadGrants(batch: LoadBatch): Promise<PlanGrantRow[]> {
  const ids = (await batch.get('subscriptions'))
    .filter(({ grantedPlanId }) => grantedPlanId !== null)
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  return batch.ctx.sql<PlanGrantRow>(
    `SELECT ${columnList('PlanGrant', 't')} FROM "PlanGrant" t WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) AND t.status = 'active' ORDER BY t.seq`,
    [ids],
  );
}

/**
 * Locks granted plans until the end of the transaction, so that their features can't change. Customers must be locked
 * first. Executes no SQL statement if `ids` is empty.
 */
export async function lockGrantedPlans(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.sql(
    `SELECT t.id FROM "Plan" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR SHARE`,
    [ids],
  );
}
