import type { Context } from '../../context.ts';
import { type QuittanceError, specificError } from '../../domain/errors.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { PlanRow } from '../plans/store.ts';

export type PricingTableRow = Row<'PricingTable'>;
export type PurchaseRow = Row<'PricingTablePurchase'>;

/** The rejection for a pricing table that does not exist, was deleted, or is off where it is looked at. */
export const tableNotFound = (param: string): QuittanceError =>
  specificError('not_found', 'pricing_table', { param });

/** The pricing table with this id that was not deleted; null when there is none. Batched. */
export async function loadTable(ctx: Context, id: string): Promise<PricingTableRow | null> {
  const table = await loadRow(ctx, 'PricingTable', id);
  return table?.deletedAt === null ? table : null;
}

/** The pricing table with this id. Throws `not_found`. */
export async function requireTable(ctx: Context, id: string): Promise<PricingTableRow> {
  const table = await loadTable(ctx, id);
  if (table === null) throw tableNotFound('id');
  return table;
}

/** Locks the pricing table until the transaction ends and answers it as it is at that time. Throws `not_found`. */
export async function requireLockedTable(ctx: Context, id: string, param = 'id'): Promise<PricingTableRow> {
  await lockRow(ctx.sql, 'PricingTable', id);
  const table = await ctx.db.pricingTable.findFirst({ where: { id, deletedAt: null } });
  if (table === null) throw tableNotFound(param);
  return table;
}

/** Those of these plans that exist. */
export const findPlans = (ctx: Context, ids: readonly string[]): Promise<PlanRow[]> =>
  ctx.db.plan.findMany({ where: { id: { in: [...ids] }, deletedAt: null } });

/** The plans everybody may see of a table, in its order: those of its group unless that is hidden, or the chosen ones. */
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

/** What was begun at a table in a visit; null when nothing was, and where its customer was deleted. */
export const findPurchase = (
  ctx: Context,
  pricingTableId: string,
  visitHash: string,
): Promise<PurchaseRow | null> =>
  ctx.db.pricingTablePurchase.findFirst({
    where: { pricingTableId, visitHash, customer: { deletedAt: null } },
  });

/** How many purchases were begun at a table since an instant, counted up to `limit`. */
export async function countPurchases(
  sql: Query,
  pricingTableId: string,
  since: Date,
  limit: number,
): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM "PricingTablePurchase" t
     WHERE t."environmentId" = $1 AND t."pricingTableId" = $2 AND t."createdAt" > $3 LIMIT $4) AS counted`,
    [pricingTableId, since, limit],
  );
  return row?.count ?? 0;
}

/** How many subscriptions the customer of a visit has, in any status. */
export const countSubscriptionsOf = (ctx: Context, customerId: string): Promise<number> =>
  ctx.db.subscription.count({ where: { customerId } });

/** A purchase, by what names it. */
export type PurchaseKey = {
  readonly environmentId: string;
  readonly id: string;
  readonly customerId: string;
};

/** Up to `limit` purchases that are to be looked at by `now`, the earliest first. Locks nothing. */
export const findExpiredPurchases = (query: Query, now: Date, limit: number): Promise<PurchaseKey[]> =>
  query<PurchaseKey>(
    `SELECT t."environmentId", t.id, t."customerId" FROM "PricingTablePurchase" t WHERE t."expiresAt" <= $1 ORDER BY t."expiresAt" LIMIT $2`,
    [now, limit],
  );

/** Says when a purchase is looked at again; null for not any more. */
export async function setPurchaseExpiry(sql: Query, id: string, expiresAt: Date | null): Promise<void> {
  await sql('UPDATE "PricingTablePurchase" SET "expiresAt" = $3 WHERE "environmentId" = $1 AND id = $2', [
    id,
    expiresAt,
  ]);
}

/** The subscriptions of a customer that wait for their first payment. */
export async function findWaiting(ctx: Context, customerId: string): Promise<string[]> {
  const rows = await ctx.db.subscription.findMany({
    where: { customerId, status: 'pending_payment', activatedAt: null, trialEndsAt: null },
  });
  return rows.map(({ id }) => id);
}

/** How many pricing tables the environment has. */
export const countTables = (ctx: Context): Promise<number> =>
  ctx.db.pricingTable.count({ where: { deletedAt: null } });

/** The address of the page of a pricing table, the same each time. */
export async function tableUrl(
  { app, environment }: Pick<Context, 'app' | 'environment'>,
  id: string,
): Promise<string> {
  const token = await app.secrets.signPage({ page: 'pricing', environmentId: environment.id, subjectId: id });
  return `${app.config.publicUrl}/pricing/${token}`;
}
