import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/rows.ts';

export type PlanRow = Row<'Plan'>;
export type PlanPriceRow = Row<'PlanPrice'>;
export type PlanFeatureRow = Row<'PlanFeature'>;

/** From when on the first version of a price is valid: before every instant a subscription can ask about. */
export const beginningOfTime = new Date('0001-01-01T00:00:00.000Z');

/** The plan addressed by its id, else by its code, that was not deleted; null when there is none. */
export async function findPlan(ctx: Context, reference: string): Promise<PlanRow | null> {
  const found = await ctx.db.plan.findMany({
    where: { deletedAt: null, OR: [{ id: reference }, { code: reference }] },
  });
  return found.find((plan) => plan.id === reference) ?? found[0] ?? null;
}

/** The plan addressed by its id, else by its code. Throws `plan_not_found`, also for a deleted one (CAT-12). */
export async function requirePlan(ctx: Context, reference: string, param = 'id'): Promise<PlanRow> {
  const plan = await findPlan(ctx, reference);
  if (plan === null) throw new QuittanceError('plan_not_found', { param });
  return plan;
}

/**
 * Locks the plan until the transaction ends and answers it as it is at that time; null when there is none or it was deleted meanwhile.
 * Everything that writes prices or features of a plan begins here, so that defaults and duplicates cannot race.
 */
export async function lockPlan(ctx: Context, reference: string): Promise<PlanRow | null> {
  const plan = await findPlan(ctx, reference);
  if (plan === null) return null;
  await lockRow(ctx.sql, 'Plan', plan.id);
  return findPlan(ctx, plan.id);
}

/** The same. Throws `plan_not_found` on `param`, the input that named it. */
export async function requireLockedPlan(ctx: Context, reference: string, param = 'id'): Promise<PlanRow> {
  const plan = await lockPlan(ctx, reference);
  if (plan === null) throw new QuittanceError('plan_not_found', { param });
  return plan;
}

/** The price of the plan, archived or not. Throws `price_not_found`, also for a price of another plan. */
export async function requirePrice(ctx: Context, planId: string, priceId: string): Promise<PlanPriceRow> {
  const price = await ctx.db.planPrice.findFirst({ where: { id: priceId, planId } });
  if (price === null) throw priceNotFound('priceId');
  return price;
}

/** The rejection for a price the plan does not have, or that can no longer be selected; `param` is the input that named it. */
export const priceNotFound = (param: string): QuittanceError =>
  new QuittanceError('price_not_found', { param });

/**
 * The currencies plans can be paid in wherever the payer is: USD, and by code those every selectable base price has an amount in.
 * Plans without such prices – free ones, and those that are being set up – are left out: no currency is wrong for them. Two statements.
 */
export async function currenciesOf(
  ctx: Context,
  planIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const prices = await ctx.db.planPrice.findMany({
    where: { planId: { in: [...planIds] }, archivedAt: null, inheritsFromPriceId: null },
  });
  const overrides = await ctx.db.planPriceOverride.findMany({
    where: { priceId: { in: prices.map(({ id }) => id) }, marketId: null, validTo: null },
  });
  const currencies = Map.groupBy(overrides, ({ priceId }) => priceId);
  const codesOf = (priceId: string): Set<string> =>
    new Set((currencies.get(priceId) ?? []).map(({ currency }) => currency));
  return new Map(
    [...Map.groupBy(prices, ({ planId }) => planId)].map(([planId, own]) => {
      const shared = own.map(({ id }) => codesOf(id)).reduce((left, right) => left.intersection(right));
      return [planId, ['usd', ...[...shared].toSorted()]];
    }),
  );
}

// A plan's place: the group it is in and its rank there. Members of a group are all plans in it, retired ones too: their subscribers can
// still move inside the group, so their ranks count.

export type PlanGroupRow = Row<'PlanGroup'>;

/** The rejection for a group that does not exist or was deleted; `param` is the input that named it. */
export const planGroupNotFound = (param: string): QuittanceError =>
  new QuittanceError('plan_group_not_found', { param });

/** The plan group with this id that was not deleted. Throws `plan_group_not_found`. */
export async function requirePlanGroup(ctx: Context, id: string, param = 'id'): Promise<PlanGroupRow> {
  const group = await ctx.db.planGroup.findFirst({ where: { id, deletedAt: null } });
  if (group === null) throw planGroupNotFound(param);
  return group;
}

/**
 * Locks the group until the transaction ends and answers it as it is at that time. Throws `plan_group_not_found`, also when it was deleted meanwhile.
 * Everything that changes a group or the places in it begins here, so that ranks cannot race.
 */
export async function requireLockedPlanGroup(ctx: Context, id: string, param = 'id'): Promise<PlanGroupRow> {
  await lockRow(ctx.sql, 'PlanGroup', id);
  return requirePlanGroup(ctx, id, param);
}

/** The plans of a group that were not deleted, in the order of their ranks. */
export const findPlansOfGroup = (ctx: Context, planGroupId: string): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { planGroupId, deletedAt: null }, orderBy: { sortOrder: 'asc' } });

/** The plans of a group, deleted ones too, the highest rank first. */
export const findPlacesOfGroup = (ctx: Context, planGroupId: string): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { planGroupId }, orderBy: { sortOrder: 'desc' } });

/** Whether a plan that was not deleted has the code. */
export const isCodeTaken = async (ctx: Context, code: string): Promise<boolean> =>
  (await ctx.db.plan.findFirst({ where: { code, deletedAt: null } })) !== null;

/** The features of a plan with their terms, the feature of each beside it. */
export const findFeaturesOfPlan = (ctx: Context, planId: string) =>
  ctx.db.planFeature.findMany({ where: { planId }, include: { feature: true } });

/** All prices of a plan, archived ones too. */
export const findPricesOfPlan = (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  ctx.db.planPrice.findMany({ where: { planId } });
