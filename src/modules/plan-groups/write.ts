import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { noPlace, type PlanGroupRow, requireLockedPlanGroup } from '../plans/placement.ts';

/** What a creating call says of a group; it is public unless told. */
export type NewPlanGroupInput = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

/** Changes to a group; what is undefined stays, a null description empties it (CAT-37a). */
export type PlanGroupChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

/** Creates a group without plans. Names need not be unique. */
export const createPlanGroup = (context: Context, input: NewPlanGroupInput): Promise<PlanGroupRow> =>
  inTransaction(context, async (inner) => {
    const now = inner.clock.now();
    const { name, description = null } = input;
    const data = { id: newId('plg'), seq: await nextSeq(inner), name, description, isPublic: input.isPublic ?? true };
    return inner.db.planGroup.create({ data: { ...data, createdAt: now, updatedAt: now, deletedAt: null } });
  });

/** Changes texts or visibility of a group; its `updatedAt` stays when nothing changes. Throws `plan_group_not_found`. */
export const updatePlanGroup = (context: Context, input: PlanGroupChanges): Promise<PlanGroupRow> =>
  inTransaction(context, async (inner) => {
    const group = await requireLockedPlanGroup(inner, input.id);
    const next = {
      name: input.name ?? group.name,
      description: input.description === undefined ? group.description : input.description,
      isPublic: input.isPublic ?? group.isPublic,
    };
    if (next.name === group.name && next.description === group.description && next.isPublic === group.isPublic) return group;
    const changes = { ...next, updatedAt: inner.clock.now() };
    await inner.db.planGroup.update({ where: { id: group.id }, data: changes });
    return { ...group, ...changes };
  });

/** Deletes a group. Its plans, retired ones too, stay without a group (CAT-40). Throws `plan_group_not_found`. */
export const deletePlanGroup = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    await requireLockedPlanGroup(inner, id);
    const now = inner.clock.now();
    await inner.db.plan.update({ where: { planGroupId: id }, data: { ...noPlace, updatedAt: now } });
    await inner.db.planGroup.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'plan_group' };
  });
