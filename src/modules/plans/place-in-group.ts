import type { Context } from '../../context.ts';
import type { ConsumptionModel } from '../../domain/enums.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import type { PlanRow } from './store.ts';
import { currenciesOf, findPlacesOfGroup, requireLockedPlanGroup } from './store.ts';

/** The two columns of a plan that say where it stands. */
export type Place = Pick<PlanRow, 'planGroupId' | 'sortOrder'>;

/** Outside every group. */
export const noPlace: Place = { planGroupId: null, sortOrder: 0 };

/** What a plan brings into a group; `id` is null before it is created. `sortOrder` is its wanted rank, the end when null or left out; `param` is the input at fault on a mismatch. */
export type Newcomer = {
  readonly id: string | null;
  readonly consumptionModel: ConsumptionModel;
  readonly sortOrder?: number | null | undefined;
  readonly param: string;
};

/** Throws `validation_error` when a plan is not sold in the same currencies as the living members that have prices (CAT-39). */
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
  const message = `The plan is sold in ${own}, the plan ${other.code} of the group in ${soldIn(other)}.`;
  throw validationError([{ field: newcomer.param, message }]);
}

/**
 * The place of a newcomer in the locked group: the wanted rank, else the one after the highest, 1 in an empty group (CAT-37).
 * Throws `validation_error` when the members have another consumption model or other currencies (CAT-39), `duplicate` when the rank is
 * taken. Writes nothing.
 */
export async function placeInGroup(ctx: Context, planGroupId: string, newcomer: Newcomer): Promise<Place> {
  const members = await findPlacesOfGroup(ctx, planGroupId);
  const other = members.find(({ consumptionModel }) => consumptionModel !== newcomer.consumptionModel);
  if (other !== undefined) {
    const message = `The plans of the group are ${other.consumptionModel} plans; this one is a ${newcomer.consumptionModel} plan.`;
    throw validationError([{ field: newcomer.param, message }]);
  }
  await rejectOtherCurrencies(ctx, members, newcomer);
  const sortOrder = newcomer.sortOrder ?? (members[0]?.sortOrder ?? 0) + 1;
  if (members.some((member) => member.sortOrder === sortOrder)) {
    throw specificError('duplicate', 'plan_sort_order', { param: 'sortOrder' });
  }
  return { planGroupId, sortOrder };
}

/** The place at the end of the named group for a plan of this model, the group held locked; no place when none is named. */
export async function placeFor(
  ctx: Context,
  group: string | null,
  consumptionModel: ConsumptionModel,
): Promise<Place> {
  if (group === null) return noPlace;
  const { id } = await requireLockedPlanGroup(ctx, group, 'planGroupId');
  return placeInGroup(ctx, id, { id: null, consumptionModel, param: 'planGroupId' });
}
