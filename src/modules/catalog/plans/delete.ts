import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireLockedPlan } from './store.ts';

/**
 * Deletes a plan. The plan is no longer selectable, its subscriptions continue, and its code becomes available for new plans (CAT-12).
 * Throws `plan_not_found`.
 */
export const deletePlan = (ctx: Context, reference: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const { id } = await requireLockedPlan(tx, reference);
    const now = tx.clock.now();
    await tx.db.plan.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'plan' };
  });
