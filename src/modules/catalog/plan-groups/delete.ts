import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { noPlace } from '../plans/place-in-group.ts';
import { requireLockedPlanGroup } from '../plans/store.ts';

/** Deletes a plan group. Its plans, including deleted plans, no longer belong to a group (CAT-40). Throws `plan_group_not_found`. */
export const deletePlanGroup = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedPlanGroup(tx, id);
    const now = tx.clock.now();
    await tx.db.plan.update({ where: { planGroupId: id }, data: { ...noPlace, updatedAt: now } });
    await tx.db.planGroup.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'plan_group' };
  });
