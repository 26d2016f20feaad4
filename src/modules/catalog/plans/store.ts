import { QuittanceError } from '../../../domain/errors/errors.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type PlanRow = Row<'Plan'>;
export type PlanPriceRow = Row<'PlanPrice'>;
export type PlanFeatureRow = Row<'PlanFeature'>;

/** Start of the first version of every price. Earlier than any subscription. */
export const beginningOfTime = new Date('0001-01-01T00:00:00.000Z');

/** Returns the plan with this ID or code. IDs take precedence over codes. `null` if the plan doesn't exist or was deleted. */
async function findPlan(ctx: Context, reference: string): Promise<PlanRow | null> {
  const found = await ctx.db.plan.findMany({
    where: { deletedAt: null, OR: [{ id: reference }, { code: reference }] },
  });
  return found.find((plan) => plan.id === reference) ?? found[0] ?? null;
}

/** Returns the plan with this ID or code. Throws `plan_not_found` if it doesn't exist or was deleted (CAT-12). */
export async function requirePlan(ctx: Context, reference: string, param = 'id'): Promise<PlanRow> {
  const plan = await findPlan(ctx, reference);
  if (plan === null) throw new QuittanceError('plan_not_found', { param });
  return plan;
}

/**
 * Locks the plan until the transaction ends and returns its current state. `null` if the plan doesn't exist or was
 * deleted. Take this lock before writing a plan's prices or features, because it serializes the checks for default
 * prices and duplicates.
 */
export async function lockPlan(ctx: Context, reference: string): Promise<PlanRow | null> {
  const plan = await findPlan(ctx, reference);
  if (plan === null) return null;
  await lockRow(ctx.sql, 'Plan', plan.id);
  return findPlan(ctx, plan.id);
}

/** Locks the plan like `lockPlan`, but throws `plan_not_found` on `param` if the plan doesn't exist or was deleted. */
export async function requireLockedPlan(ctx: Context, reference: string, param = 'id'): Promise<PlanRow> {
  const plan = await lockPlan(ctx, reference);
  if (plan === null) throw new QuittanceError('plan_not_found', { param });
  return plan;
}

/**
 * Returns a price of the plan, which can be archived. Throws `price_not_found` if the price doesn't exist
 * or belongs to another plan.
 */
export async function requirePrice(ctx: Context, planId: string, priceId: string): Promise<PlanPriceRow> {
  const price = await ctx.db.planPrice.findFirst({ where: { id: priceId, planId } });
  if (price === null) throw priceNotFound('priceId');
  return price;
}

/** Error for a price that the plan doesn't have or that isn't selectable. `param` is the input that refers to the price. */
export const priceNotFound = (param: string): QuittanceError =>
  new QuittanceError('price_not_found', { param });

/**
 * Returns the currencies that each plan can be paid in from any country. These are USD, followed by the currencies that
 * have an amount in all selectable base prices, sorted by code. Omits plans without selectable base prices, such as
 * free plans, because they're compatible with every currency. Runs two SQL statements.
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

// A plan's group, and the plan's rank in the group. A deleted plan keeps its group and rank, because its subscribers can still change to
// other plans in the group.

export type PlanGroupRow = Row<'PlanGroup'>;

/** Error for a plan group that doesn't exist or was deleted. `param` is the input that refers to the group. */
const planGroupNotFound = (param: string): QuittanceError =>
  new QuittanceError('plan_group_not_found', { param });

/** Returns the plan group with this ID. Throws `plan_group_not_found` if it doesn't exist or was deleted. */
export async function requirePlanGroup(ctx: Context, id: string, param = 'id'): Promise<PlanGroupRow> {
  const group = await ctx.db.planGroup.findFirst({ where: { id, deletedAt: null } });
  if (group === null) throw planGroupNotFound(param);
  return group;
}

/**
 * Locks the group until the transaction ends and returns its current state. Take this lock before writing a group or
 * its ranks, because it serializes the checks for available ranks. Throws `plan_group_not_found` if the group doesn't
 * exist or was deleted.
 */
export async function requireLockedPlanGroup(ctx: Context, id: string, param = 'id'): Promise<PlanGroupRow> {
  await lockRow(ctx.sql, 'PlanGroup', id);
  return requirePlanGroup(ctx, id, param);
}

/** Returns the plans in a group, without deleted plans, sorted by rank. */
export const findPlansOfGroup = (ctx: Context, planGroupId: string): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { planGroupId, deletedAt: null }, orderBy: { sortOrder: 'asc' } });

/** Returns all plans in a group, including deleted plans, highest rank first. */
export const findPlacesOfGroup = (ctx: Context, planGroupId: string): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { planGroupId }, orderBy: { sortOrder: 'desc' } });

/** True if any plan that isn't deleted has the code. */
export const isCodeTaken = async (ctx: Context, code: string): Promise<boolean> =>
  (await ctx.db.plan.findFirst({ where: { code, deletedAt: null } })) !== null;

export const findFeaturesOfPlan = (ctx: Context, planId: string) =>
  ctx.db.planFeature.findMany({ where: { planId }, include: { feature: true } });

/** Returns all prices of a plan, including archived ones. */
export const findPricesOfPlan = (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  ctx.db.planPrice.findMany({ where: { planId } });
