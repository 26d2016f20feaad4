import type { CatalogRows } from '../../../domain/pricing/catalog.ts';
import { loadCatalogRows } from '../../../engine/load/catalog.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Columns } from '../../../platform/db/columns.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import type { PricedFeatures } from './store.ts';

export const loadPrice = (ctx: Context, id: string, columns: Columns): Promise<Row<'PlanPrice'>> =>
  loadExistingRow(ctx, 'PlanPrice', id, columns);

/** Returns the market with this ID. `null` if `id` is `null`. Lookups are batched. */
export const loadMarket = async (
  ctx: Context,
  id: string | null,
  columns: Columns,
): Promise<Row<'Market'> | null> => (id === null ? null : loadExistingRow(ctx, 'Market', id, columns));

/** True if the amount of a price override is converted with an exchange rate. Lookups are batched. */
export const loadIsDerived = async (ctx: Context, overrideId: string | null): Promise<boolean> =>
  overrideId !== null && (await loadExistingRow(ctx, 'PlanPriceOverride', overrideId)).autoSynced;

/** Returns the subscriptions in the order of `ids`. Lookups are batched. */
export const loadSubscriptions = (
  ctx: Context,
  ids: readonly string[],
  columns: Columns,
): Promise<Row<'Subscription'>[]> =>
  Promise.all(ids.map((id) => loadExistingRow(ctx, 'Subscription', id, columns)));

/** Returns a plan's catalog rows, with the market and currency for each country. */
export const loadPlanRows = (
  ctx: Context,
  planId: string,
  countries: readonly string[],
): Promise<CatalogRows> =>
  loadCatalogRows(ctx, {
    planIds: [planId],
    planCodes: [],
    priceIds: [],
    featureCodes: [],
    countries,
    addonIds: [],
  });

/** Returns the plans and add-ons with a feature. */
export async function loadUsers(ctx: Context, featureId: string): Promise<PricedFeatures> {
  const [attached, addons] = await Promise.all([
    ctx.db.planFeature.findMany({ where: { featureId, plan: { deletedAt: null } } }),
    ctx.db.addon.findMany({ where: { featureId, deletedAt: null } }),
  ]);
  return {
    plans: attached.map(({ planId }) => ({ planId, featureId })),
    addons: addons.map(({ id }) => ({ addonId: id, featureId })),
  };
}
