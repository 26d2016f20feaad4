import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { requireLockedPlan } from './store.ts';

/** Retires a plan: it can no longer be found or selected, its subscriptions go on, its code is free again (CAT-12). Throws `plan_not_found`. */
export const deletePlan = (ctx: Context, reference: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const { id } = await requireLockedPlan(tx, reference);
    const now = tx.clock.now();
    await tx.db.plan.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'plan' };
  });
