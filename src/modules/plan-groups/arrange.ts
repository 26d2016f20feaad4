import type { Context } from '../../context.ts';
import { type FieldProblem, QuittanceError, specificError, validationError } from '../../domain/errors.ts';
import { inTransaction } from '../../transaction.ts';
import { noPlace, placeInGroup } from '../plans/place-in-group.ts';
import {
  findPlansOfGroup,
  lockPlan,
  type PlanGroupRow,
  type PlanRow,
  requireLockedPlanGroup,
} from '../plans/store.ts';
import { rankPlans } from './store.ts';

/** Names a plan of a group: the group by id, the plan by id or code. */
export type MemberReference = { readonly planGroupId: string; readonly planId: string };

/**
 * Puts a plan into a group, at the wanted rank or at the end; answers the group (CAT-13, CAT-37).
 * Throws `plan_group_not_found`, `plan_not_found`, `duplicate` when the plan is in a group already or the rank is taken, and
 * `validation_error` when the group's plans have another consumption model or other currencies (CAT-39).
 */
export const addPlanToGroup = (
  ctx: Context,
  input: MemberReference & { readonly sortOrder?: number | null | undefined },
): Promise<PlanGroupRow> =>
  inTransaction(ctx, async (tx) => {
    const group = await requireLockedPlanGroup(tx, input.planGroupId, 'planGroupId');
    const plan = await lockPlan(tx, input.planId);
    if (plan === null) throw new QuittanceError('plan_not_found', { param: 'planId' });
    if (plan.planGroupId !== null) {
      const where = plan.planGroupId === group.id ? 'this group' : 'another group';
      throw specificError('duplicate', 'plan_in_group', { values: { where }, param: 'planId' });
    }
    const { consumptionModel } = plan;
    const place = await placeInGroup(tx, group.id, {
      id: plan.id,
      consumptionModel,
      sortOrder: input.sortOrder,
      param: 'planId',
    });
    await tx.db.plan.update({ where: { id: plan.id }, data: { ...place, updatedAt: tx.clock.now() } });
    return group;
  });

/**
 * Takes a plan out of a group; the other ranks stay, and changes already scheduled are still executed (CAT-40). Answers the group and the
 * plan's id. Throws `plan_group_not_found`, and `plan_not_found` when the group has no such plan.
 */
export const removePlanFromGroup = (
  ctx: Context,
  input: MemberReference,
): Promise<{ group: PlanGroupRow; planId: string }> =>
  inTransaction(ctx, async (tx) => {
    const group = await requireLockedPlanGroup(tx, input.planGroupId, 'planGroupId');
    const plan = await lockPlan(tx, input.planId);
    if (plan === null || plan.planGroupId !== group.id)
      throw specificError('plan_not_found', 'of_group', { param: 'planId' });
    await tx.db.plan.update({ where: { id: plan.id }, data: { ...noPlace, updatedAt: tx.clock.now() } });
    return { group, planId: plan.id };
  });

/** The members in the wanted order. Throws `validation_error` for references that are foreign or repeated and for members left out (CAT-38). */
function inWantedOrder(members: readonly PlanRow[], references: readonly string[]): PlanRow[] {
  const problems: FieldProblem[] = [];
  const ordered = new Set<PlanRow>();
  for (const [index, reference] of references.entries()) {
    const plan = members.find(({ id }) => id === reference) ?? members.find(({ code }) => code === reference);
    const field = `planIds.${index}`;
    if (plan === undefined) problems.push({ field, message: 'The group has no such plan.' });
    else if (ordered.has(plan)) problems.push({ field, message: 'The plan is named before.' });
    else ordered.add(plan);
  }
  const missing = members.filter((plan) => !ordered.has(plan)).map(({ id }) => id);
  if (missing.length > 0)
    problems.push({
      field: 'planIds',
      message: `The order lacks plans of the group: ${missing.join(', ')}.`,
    });
  if (problems.length > 0) throw validationError(problems);
  return [...ordered];
}

/**
 * Sets the order of all selectable plans of a group, low to high: the ranks they have are dealt out again, so that retired plans keep theirs.
 * `planIds` names each plan once, by id or code. Answers the group. Throws `plan_group_not_found`, `validation_error` (CAT-38).
 */
export const reorderPlans = (
  ctx: Context,
  input: { readonly id: string; readonly planIds: readonly string[] },
): Promise<PlanGroupRow> =>
  inTransaction(ctx, async (tx) => {
    const group = await requireLockedPlanGroup(tx, input.id);
    const members = await findPlansOfGroup(tx, group.id);
    const ordered = inWantedOrder(members, input.planIds);
    const ranks = ordered.flatMap(({ id, sortOrder }, index) => {
      const rank = members[index]?.sortOrder ?? sortOrder;
      return rank === sortOrder ? [] : [{ id, sortOrder: rank }];
    });
    await rankPlans(tx.sql, ranks, tx.clock.now());
    tx.transaction.changesCatalog();
    return group;
  });
