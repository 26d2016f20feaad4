import { newestFirst } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';
import { type Condition, isAmong } from '../../../platform/db/row-lists.ts';
import type { PlanFilter } from './types/filter.ts';

type PlanChoice = typeof PlanFilter.$inferInput;

const price = `FROM "PlanPrice" p WHERE p."environmentId" = $1 AND p."planId" = t.id AND p."archivedAt" IS NULL`;
const isOnSaleText = `(t."isFree" OR EXISTS (SELECT ${price}))`;

// Consumption model of the first pool (PRM-162).
const shownModelText = `CASE WHEN t."consumptionModel" <> 'metered' OR t.pools = '[]' THEN t."consumptionModel"::text
  WHEN t.pools->0->>'pool' = 'balance' THEN 'balance' ELSE 'credits' END`;

const isInMarkets =
  (ids: readonly string[]): Condition =>
  (bind) =>
    `EXISTS (SELECT ${price} AND EXISTS (SELECT FROM "PlanPriceOverride" o WHERE o."environmentId" = $1 AND o."priceId" = p.id AND o."validTo" IS NULL AND o."marketId" = ANY(${bind(ids)}::text[])))`;

/**
 * Returns the list of plans that match a filter, newest first. Excludes deleted plans. Excludes hidden
 * plans unless `includesPrivate` is `true`.
 */
export function plansMatching(filter: PlanChoice | null, includesPrivate: boolean): OrderedList<'Plan'> {
  const { isPublic, consumptionModels, planGroupIds, isOnSale, marketIds } = filter ?? {};
  const conditions: Condition[] = [];
  if (consumptionModels)
    conditions.push((bind) => `${shownModelText} = ANY(${bind(consumptionModels)}::text[])`);
  if (planGroupIds) conditions.push(isAmong('Plan', { column: 'planGroupId', values: planGroupIds }));
  if (isOnSale != null) conditions.push(() => (isOnSale ? isOnSaleText : `NOT ${isOnSaleText}`));
  if (marketIds) conditions.push(isInMarkets(marketIds.map(String)));
  return {
    model: 'Plan',
    filter: { deletedAt: null, isPublic: isPublic ?? (includesPrivate ? undefined : true) },
    conditions,
    order: newestFirst,
  };
}
