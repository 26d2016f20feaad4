import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import type { PlanRow } from '../../catalog/plans/store.ts';

export type PricingTableRow = Row<'PricingTable'>;
export type PurchaseRow = Row<'PricingTablePurchase'>;

/** Error for a pricing table that doesn't exist or was deleted. Also used if a visitor opens an inactive table. */
export const tableNotFound = (param: string): QuittanceError =>
  specificError('not_found', 'pricing_table', { param });

/** Returns the pricing table with this ID. `null` if it doesn't exist or was deleted. Lookups are batched. */
export async function loadTable(ctx: Context, id: string): Promise<PricingTableRow | null> {
  const table = await loadRow(ctx, 'PricingTable', id);
  return table?.deletedAt === null ? table : null;
}

/** Returns the pricing table with this ID. Throws `not_found` if it doesn't exist or was deleted. */
export async function requireTable(ctx: Context, id: string): Promise<PricingTableRow> {
  const table = await loadTable(ctx, id);
  if (table === null) throw tableNotFound('id');
  return table;
}

/** Pricing tables, at most 100 in an environment (CAT-60). */
export const tableRows = resource('PricingTable', {
  prefix: 'ptb',
  object: 'pricing_table',
  notFound: tableNotFound,
  limit: {
    most: 100,
    reached: (most) => specificError('validation_error', 'too_many_pricing_tables', { values: { most } }),
  },
});

/** Returns the plans with these IDs. Excludes deleted plans. */
const findPlans = (ctx: Context, ids: readonly string[]): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { id: { in: [...ids] }, deletedAt: null } });

/** Returns a pricing table's public plans in display order: the plans in its group unless the group is hidden, or the selected plans. */
export async function findPublicPlans(
  ctx: Context,
  { planGroupId, plans }: Pick<PricingTableRow, 'planGroupId' | 'plans'>,
): Promise<PlanRow[]> {
  if (planGroupId !== null)
    return ctx.db.plan.findMany({
      where: { planGroupId, planGroup: { isPublic: true, deletedAt: null }, isPublic: true, deletedAt: null },
      orderBy: { sortOrder: 'asc' },
    });
  const found = new Map(
    (
      await findPlans(
        ctx,
        plans.map(({ planId }) => planId),
      )
    ).map((plan) => [plan.id, plan]),
  );
  return plans.flatMap(({ planId }) => {
    const plan = found.get(planId);
    return plan?.isPublic === true ? [plan] : [];
  });
}

/** Returns the purchase that a visit started on a table. `null` if the visit started no purchase or its customer was deleted. */
export const findPurchase = (
  ctx: Context,
  pricingTableId: string,
  visitHash: string,
): Promise<PurchaseRow | null> =>
  ctx.db.pricingTablePurchase.findFirst({
    where: { pricingTableId, visitHash, customer: { deletedAt: null } },
  });

/** Returns the number of subscriptions, in any status, for the customer that a visit created. */
export const countSubscriptionsOf = (ctx: Context, customerId: string): Promise<number> =>
  ctx.db.subscription.count({ where: { customerId } });

/** Properties that identify a purchase. */
export type PurchaseKey = {
  readonly environmentId: string;
  readonly id: string;
  readonly customerId: string;
};

/** Returns up to `limit` purchases that expired at or before `now`, earliest first. Doesn't lock them. */
export const findExpiredPurchases = (query: Query, now: Date, limit: number): Promise<PurchaseKey[]> =>
  query<PurchaseKey>(
    `SELECT t."environmentId", t.id, t."customerId" FROM "PricingTablePurchase" t WHERE t."expiresAt" <= $1 ORDER BY t."expiresAt" LIMIT $2`,
    [now, limit],
  );

/** Sets the time at which a purchase is next checked for expiration. `null` stops the checks. */
export async function setPurchaseExpiry(sql: Query, id: string, expiresAt: Date | null): Promise<void> {
  await sql('UPDATE "PricingTablePurchase" SET "expiresAt" = $3 WHERE "environmentId" = $1 AND id = $2', [
    id,
    expiresAt,
  ]);
}

/** Returns the IDs of a customer's subscriptions that are awaiting their first payment. */
export async function findWaiting(ctx: Context, customerId: string): Promise<string[]> {
  const rows = await ctx.db.subscription.findMany({
    where: { customerId, status: 'pending_payment', activatedAt: null, trialEndsAt: null },
  });
  return rows.map(({ id }) => id);
}

/** Returns the URL of a pricing table's page. The URL is stable. */
export async function tableUrl(
  { app, environment }: Pick<Context, 'app' | 'environment'>,
  id: string,
): Promise<string> {
  const token = await app.secrets.signPage({ page: 'pricing', environmentId: environment.id, subjectId: id });
  return `${app.config.publicUrl}/pricing/${token}`;
}
