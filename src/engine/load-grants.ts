import type { Context } from '../context.ts';
import type { PlanGrantRow } from '../domain/subscription/state/aggregate.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { LoadBatch } from './load-batch.ts';

/** The active plan grants of the subscriptions; no statement where none has any. */
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
 * Locks plans that are to be granted against a change of what they give until the transaction ends, after the customers; no
 * statement where none is.
 */
export async function lockGrantedPlans(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.sql(
    `SELECT t.id FROM "Plan" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR SHARE`,
    [ids],
  );
}
