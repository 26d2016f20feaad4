import { specificError, validationError } from '../../../domain/errors/errors.ts';
import type { ConsumptionModel } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanRow } from './store.ts';
import { currenciesOf, findPlacesOfGroup, planGroupRows } from './store.ts';

/** Plan group of a plan, and the plan's rank in the group. */
export type Place = Pick<PlanRow, 'planGroupId' | 'sortOrder'>;

/** Group and rank of a plan that isn't in a group. */
export const noPlace: Place = { planGroupId: null, sortOrder: 0 };

/**
 * Plan that joins a group. `id` is `null` before the plan is created. `sortOrder` is the requested rank; `null` and `undefined` mean the
 * last rank. `param` is the input field that the error refers to if the plan doesn't match the group.
 */
export type Newcomer = {
  readonly id: string | null;
  readonly consumptionModel: ConsumptionModel;
  readonly sortOrder?: number | null | undefined;
  readonly param: string;
};

/** Throws `validation_error` if the plan and the priced plans in the group have different currencies (CAT-39). */
async function rejectOtherCurrencies(
  ctx: Context,
  members: readonly PlanRow[],
  newcomer: Newcomer,
): Promise<void> {
  if (newcomer.id === null) return;
  const living = members.filter(({ deletedAt }) => deletedAt === null);
  const currencies = await currenciesOf(ctx, [newcomer.id, ...living.map(({ id }) => id)]);
  const soldIn = (plan: { readonly id: string }): string | undefined => currencies.get(plan.id)?.join(', ');
  const own = soldIn({ id: newcomer.id });
  const other =
    own === undefined ? undefined : living.find((plan) => currencies.has(plan.id) && soldIn(plan) !== own);
  if (other === undefined) return;
  const message = `The plan is sold in ${own}, but the plan ${other.code} in this group is sold in ${soldIn(other)}.`;
  throw validationError([{ field: newcomer.param, message }]);
}

/**
 * Returns the group and rank for a plan that joins a locked group: the requested rank, or the highest rank plus 1, starting at 1 (CAT-37).
 * Throws `validation_error` if the plans in the group have another consumption model or other currencies (CAT-39), and `duplicate` if the
 * rank is taken. Stores nothing.
 */
export async function placeInGroup(ctx: Context, planGroupId: string, newcomer: Newcomer): Promise<Place> {
  const members = await findPlacesOfGroup(ctx, planGroupId);
  const other = members.find(({ consumptionModel }) => consumptionModel !== newcomer.consumptionModel);
  if (other !== undefined) {
    const message = `The plans in this group are ${other.consumptionModel} plans, but this plan is a ${newcomer.consumptionModel} plan.`;
    throw validationError([{ field: newcomer.param, message }]);
  }
  await rejectOtherCurrencies(ctx, members, newcomer);
  const sortOrder = newcomer.sortOrder ?? (members[0]?.sortOrder ?? 0) + 1;
  if (members.some((member) => member.sortOrder === sortOrder)) {
    throw specificError('duplicate', 'plan_sort_order', { param: 'sortOrder' });
  }
  return { planGroupId, sortOrder };
}

/**
 * Locks the group, and returns the group and the last rank for a new plan with this consumption model. Returns `noPlace` if `group` is
 * `null`. Throws `plan_group_not_found` and the errors thrown by `placeInGroup`.
 */
export async function placeFor(
  ctx: Context,
  group: string | null,
  consumptionModel: ConsumptionModel,
): Promise<Place> {
  if (group === null) return noPlace;
  const { id } = await planGroupRows.lock(ctx, group, 'planGroupId');
  return placeInGroup(ctx, id, { id: null, consumptionModel, param: 'planGroupId' });
}
