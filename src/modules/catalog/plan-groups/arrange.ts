import { type FieldProblem, specificError, validationError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { noPlace, placeInGroup } from '../plans/place-in-group.ts';
import {
  findPlansOfGroup,
  type PlanGroupRow,
  type PlanRow,
  planGroupRows,
  planRows,
} from '../plans/store.ts';
import { rankPlans } from './store.ts';

/** Reference to a plan in a group: the group by ID, and the plan by ID or code. */
export type MemberReference = { readonly planGroupId: string; readonly planId: string };

/**
 * Adds a plan to a group at the requested rank or at the end, and returns the group (CAT-13, CAT-37). Throws `plan_group_not_found` and
 * `plan_not_found`. Throws `duplicate` if the plan is already in a group or the rank is taken. Throws `validation_error` if the plan's
 * consumption model or currencies differ from the group's (CAT-39).
 */
export const addPlanToGroup = (
  ctx: Context,
  input: MemberReference & { readonly sortOrder?: number | null | undefined },
): Promise<PlanGroupRow> =>
  inTransaction(ctx, async (tx) => {
    const group = await planGroupRows.lock(tx, input.planGroupId, 'planGroupId');
    const plan = await planRows.lock(tx, input.planId, 'planId');
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
    await planRows.patch(tx, plan, place);
    return group;
  });

/**
 * Removes a plan from a group and returns the group and the plan's ID. The ranks of other plans don't change, and scheduled plan changes
 * still take effect (CAT-40). Throws `plan_group_not_found`. Throws `plan_not_found` if the plan isn't in the group.
 */
export const removePlanFromGroup = (
  ctx: Context,
  input: MemberReference,
): Promise<{ group: PlanGroupRow; planId: string }> =>
  inTransaction(ctx, async (tx) => {
    const group = await planGroupRows.lock(tx, input.planGroupId, 'planGroupId');
    const plan = await planRows.findLocked(tx, input.planId);
    if (plan === null || plan.planGroupId !== group.id)
      throw specificError('plan_not_found', 'of_group', { param: 'planId' });
    await planRows.patch(tx, plan, noPlace);
    return { group, planId: plan.id };
  });

/** Removes all plans, including deleted plans, from a group that is about to be deleted (CAT-40). */
export async function releasePlans(tx: Context, { id }: PlanGroupRow, now: Date): Promise<void> {
  await tx.db.plan.update({ where: { planGroupId: id }, data: { ...noPlace, updatedAt: now } });
}

/** Returns the plans in the requested order. Throws `validation_error` if a plan is missing, repeated, or not in the group (CAT-38). */
function inWantedOrder(members: readonly PlanRow[], references: readonly string[]): PlanRow[] {
  const problems: FieldProblem[] = [];
  const ordered = new Set<PlanRow>();
  for (const [index, reference] of references.entries()) {
    const plan = members.find(({ id }) => id === reference) ?? members.find(({ code }) => code === reference);
    const field = `planIds.${index}`;
    if (plan === undefined)
      problems.push({ field, message: "The plan isn't in this plan group. Remove the plan from the list." });
    else if (ordered.has(plan))
      problems.push({ field, message: 'The plan is listed more than once. List each plan only once.' });
    else ordered.add(plan);
  }
  const missing = members.filter((plan) => !ordered.has(plan)).map(({ id }) => id);
  if (missing.length > 0)
    problems.push({
      field: 'planIds',
      message: `The list is missing these plans in the group: ${missing.join(', ')}.`,
    });
  if (problems.length > 0) throw validationError(problems);
  return [...ordered];
}

/**
 * Reorders a group's plans from low to high by redistributing their current ranks. The ranks of deleted plans don't change. `planIds`
 * contains each plan once, by ID or code. Returns the group. Throws `plan_group_not_found` and `validation_error` (CAT-38).
 */
export const reorderPlans = (
  ctx: Context,
  input: { readonly id: string; readonly planIds: readonly string[] },
): Promise<PlanGroupRow> =>
  inTransaction(ctx, async (tx) => {
    const group = await planGroupRows.lock(tx, input.id);
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
