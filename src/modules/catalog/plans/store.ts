import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { searchTextOf } from '../../../domain/text/folding.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type PlanRow = Row<'Plan'>;
export type PlanPriceRow = Row<'PlanPrice'>;
export type PlanFeatureRow = Row<'PlanFeature'>;

/** Start of the first version of every price. Earlier than any subscription. */
export const beginningOfTime = new Date('0001-01-01T00:00:00.000Z');

/**
 * Plans. Requests identify a plan by ID or code. Lock a plan before writing its prices or features, because the lock serializes the checks for
 * default prices and duplicates.
 */
export const planRows = resource('Plan', {
  prefix: 'pln',
  object: 'plan',
  notFound: (param) => new QuittanceError('plan_not_found', { param }),
  references: ['id', 'code'],
  unique: { code: () => specificError('duplicate', 'plan_code', { param: 'code' }) },
  defaults: {
    consumptionModel: 'metered',
    isPublic: true,
    isDefault: false,
    isFree: false,
    blockOnExhaustion: false,
    pools: [],
    metadata: {},
  },
  derive: ({ name, code }) => ({ searchText: searchTextOf(name, code) }),
});

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

/** Plan groups. Lock a group before writing its ranks, because the lock serializes the checks for available ranks. */
export const planGroupRows = resource('PlanGroup', {
  prefix: 'plg',
  object: 'plan_group',
  notFound: (param) => new QuittanceError('plan_group_not_found', { param }),
  defaults: { isPublic: true },
});

/** Returns the plans in a group, without deleted plans, sorted by rank. */
export const findPlansOfGroup = (ctx: Context, planGroupId: string): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { planGroupId, deletedAt: null }, orderBy: { sortOrder: 'asc' } });

/** Returns all plans in a group, including deleted plans, highest rank first. */
export const findPlacesOfGroup = (ctx: Context, planGroupId: string): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { planGroupId }, orderBy: { sortOrder: 'desc' } });

export const findFeaturesOfPlan = (ctx: Context, planId: string) =>
  ctx.db.planFeature.findMany({ where: { planId }, include: { feature: true } });

/** Returns all prices of a plan, including archived ones. */
export const findPricesOfPlan = (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  ctx.db.planPrice.findMany({ where: { planId } });
