import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanGroupRow, requireLockedPlanGroup } from '../plans/store.ts';

/** Changes to a plan group. `undefined` keeps the current value, and `null` removes the description (CAT-37a). */
export type PlanGroupChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

/** Updates the name, description, or visibility of a plan group. `updatedAt` stays the same if nothing changes. Throws `plan_group_not_found`. */
export const updatePlanGroup = (ctx: Context, input: PlanGroupChanges): Promise<PlanGroupRow> =>
  inTransaction(ctx, async (tx) => {
    const group = await requireLockedPlanGroup(tx, input.id);
    const next = {
      name: input.name ?? group.name,
      description: input.description === undefined ? group.description : input.description,
      isPublic: input.isPublic ?? group.isPublic,
    };
    if (
      next.name === group.name &&
      next.description === group.description &&
      next.isPublic === group.isPublic
    )
      return group;
    const changes = { ...next, updatedAt: tx.clock.now() };
    await tx.db.planGroup.update({ where: { id: group.id }, data: changes });
    return { ...group, ...changes };
  });
