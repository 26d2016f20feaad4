import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { ConsumptionModel } from '../../domain/words.ts';
import { lockPlanGroupRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';
import { currenciesOf } from './currencies.ts';
import type { PlanRow } from './service.ts';

// A plan's place: the group it is in and its rank there. Members of a group are all plans in it, retired ones too: their subscribers can
// still move inside the group, so their ranks count.

export type PlanGroupRow = Row<'PlanGroup'>;

/** The two columns of a plan that say where it stands. */
export type Place = Pick<PlanRow, 'planGroupId' | 'sortOrder'>;

/** Outside every group. */
export const noPlace: Place = { planGroupId: null, sortOrder: 0 };

/** The refusal for a group that does not exist or was deleted; `param` is the input that named it. */
export const planGroupNotFound = (param: string): QuittanceError =>
  new QuittanceError('plan_group_not_found', 'No such plan group.', { param });

/** The plan group with this id that was not deleted. Throws `plan_group_not_found`. */
export async function requirePlanGroup(context: Context, id: string, param = 'id'): Promise<PlanGroupRow> {
  const group = await context.db.planGroup.findFirst({ where: { id, deletedAt: null } });
  if (group === null) throw planGroupNotFound(param);
  return group;
}

/**
 * Locks the group until the transaction ends and answers it as it then is. Throws `plan_group_not_found`, also when it was deleted meanwhile.
 * Everything that changes a group or the places in it begins here, so that ranks cannot race.
 */
export async function requireLockedPlanGroup(context: Context, id: string, param = 'id'): Promise<PlanGroupRow> {
  await lockPlanGroupRow(context.sql, id);
  return requirePlanGroup(context, id, param);
}

/** What a plan brings into a group; `id` is null before it is created. `sortOrder` is its wanted rank, the end when null or left out; `param` is the input at fault on a mismatch. */
export type Newcomer = {
  readonly id: string | null;
  readonly consumptionModel: ConsumptionModel;
  readonly sortOrder?: number | null | undefined;
  readonly param: string;
};

/** Throws `validation_error` when a plan is not sold in the same currencies as the living members that have prices (CAT-39). */
async function refuseOtherCurrencies(context: Context, members: readonly PlanRow[], newcomer: Newcomer): Promise<void> {
  if (newcomer.id === null) return;
  const living = members.filter(({ deletedAt }) => deletedAt === null);
  const currencies = await currenciesOf(context, [newcomer.id, ...living.map(({ id }) => id)]);
  const soldIn = (plan: { readonly id: string }): string | undefined => currencies.get(plan.id)?.join(', ');
  const own = soldIn({ id: newcomer.id });
  const other = own === undefined ? undefined : living.find((plan) => currencies.has(plan.id) && soldIn(plan) !== own);
  if (other === undefined) return;
  const message = `The plan is sold in ${own}, the plan ${other.code} of the group in ${soldIn(other)}.`;
  throw validationError([{ field: newcomer.param, message }]);
}

/**
 * The place of a newcomer in the locked group: the wanted rank, else the one after the highest, 1 in an empty group (CAT-37).
 * Throws `validation_error` when the members have another consumption model or other currencies (CAT-39), `duplicate` when the rank is
 * taken. Writes nothing.
 */
export async function placeInGroup(context: Context, planGroupId: string, newcomer: Newcomer): Promise<Place> {
  const members = await context.db.plan.findMany({ where: { planGroupId }, orderBy: { sortOrder: 'desc' } });
  const other = members.find(({ consumptionModel }) => consumptionModel !== newcomer.consumptionModel);
  if (other !== undefined) {
    const message = `The plans of the group are ${other.consumptionModel} plans; this one is a ${newcomer.consumptionModel} plan.`;
    throw validationError([{ field: newcomer.param, message }]);
  }
  await refuseOtherCurrencies(context, members, newcomer);
  const sortOrder = newcomer.sortOrder ?? (members[0]?.sortOrder ?? 0) + 1;
  if (members.some((member) => member.sortOrder === sortOrder)) {
    throw new QuittanceError('duplicate', 'A plan of the group has this sort order.', { param: 'sortOrder' });
  }
  return { planGroupId, sortOrder };
}
