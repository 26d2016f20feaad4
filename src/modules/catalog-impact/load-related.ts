import type { Context } from '../../context.ts';
import type { CatalogRows } from '../../domain/pricing/catalog.ts';
import { loadCatalogRows } from '../../engine/load-catalog.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { Columns } from '../../platform/db/columns.ts';
import type { Row } from '../../platform/db/rows.ts';

/** The price that is meant. Batched. */
export const loadPrice = (ctx: Context, id: string, columns: Columns): Promise<Row<'PlanPrice'>> =>
  loadExistingRow(ctx, 'PlanPrice', id, columns);

/** The market of the country; null outside all markets. Batched. */
export const loadMarket = async (
  ctx: Context,
  id: string | null,
  columns: Columns,
): Promise<Row<'Market'> | null> => (id === null ? null : loadExistingRow(ctx, 'Market', id, columns));

/** Whether an amount is derived by the exchange rate. Batched. */
export const loadIsDerived = async (ctx: Context, overrideId: string | null): Promise<boolean> =>
  overrideId !== null && (await loadExistingRow(ctx, 'PlanPriceOverride', overrideId)).autoSynced;

/** Subscriptions in the order of their ids. Batched. */
export const loadSubscriptions = (
  ctx: Context,
  ids: readonly string[],
  columns: Columns,
): Promise<Row<'Subscription'>[]> =>
  Promise.all(ids.map((id) => loadExistingRow(ctx, 'Subscription', id, columns)));

/** The catalog rows of a plan, with the markets and currencies of countries. */
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
