import type { Context } from '../../context.ts';
import type { SubscriptionStatus } from '../../domain/enums.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import type { DeadlineKind } from '../../domain/subscription/state/rows.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { type Columns, selectionOf, union } from '../../platform/db/columns.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

/**
 * The subscription in force of each of these customers that has one: the one that is not canceled (SUB-4), an open checkout only where
 * nothing else is. One statement for all customers.
 */
export function readCurrentSubscriptions(
  sql: Query,
  customerIds: readonly string[],
  columns: Columns = 'all',
): Promise<Row<'Subscription'>[]> {
  const { list, rowOf } = selectionOf('Subscription', columns);
  return sql<Row<'Subscription'>>(
    `SELECT DISTINCT ON (t."customerId") ${list} FROM "Subscription" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status <> 'canceled'
     ORDER BY t."customerId", (t.status = 'pending_payment'), t.seq DESC`,
    [customerIds],
    rowOf,
  );
}

export type SubscriptionRow = Row<'Subscription'>;

/** The subscription with this id as it is now; null when there is none. */
export const findSubscription = (ctx: Context, id: string): Promise<SubscriptionRow | null> =>
  ctx.db.subscription.findFirst({ where: { id } });

/** The subscription with this id. Throws `subscription_not_found`. */
export async function requireSubscription(ctx: Context, id: string): Promise<SubscriptionRow> {
  const subscription = await findSubscription(ctx, id);
  if (subscription === null) throw new QuittanceError('subscription_not_found', { param: 'id' });
  return subscription;
}

/** Makes sure that all these subscriptions exist, in one statement. Throws `subscription_not_found`, naming the first that does not. */
export async function requireSubscriptions(ctx: Context, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db.subscription.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing === undefined) return;
  throw specificError('subscription_not_found', 'missing', { values: { missing }, param: 'subscriptionIds' });
}

/** The customer's subscription that is not canceled, an open checkout only where there is nothing else; null without one (SUB-4). Batched. */
export function loadCurrentSubscription(
  ctx: Context,
  customerId: string,
  columns: Columns = 'all',
): Promise<SubscriptionRow | null> {
  const load = ctx.once('subscription:current', () =>
    batchedByColumns<SubscriptionRow | null>(async (customerIds, needed) => {
      const rows = await readCurrentSubscriptions(
        ctx.sql,
        customerIds,
        union(needed, new Set(['customerId'])),
      );
      const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
      return (wanted) => byCustomer.get(wanted) ?? null;
    }),
  );
  return load(customerId, columns);
}

/** The address of the checkout of a subscription that waits for payment, the same each time (SUB-14); null in every other status. */
export async function checkoutUrl(
  ctx: Context,
  { id, status }: Pick<SubscriptionRow, 'id' | 'status'>,
): Promise<string | null> {
  return status === 'pending_payment' ? openCheckoutUrl(ctx, id) : null;
}

/** The address of the checkout of a subscription, whatever its status. */
export async function openCheckoutUrl(ctx: Context, id: string): Promise<string> {
  const { secrets, config } = ctx.app;
  const token = await secrets.signPage({
    page: 'checkout',
    environmentId: ctx.environment.id,
    subjectId: id,
  });
  return `${config.publicUrl}/checkout/${token}`;
}

/** How many subscriptions there are to each of the plans, or at each of the prices, that have any. One statement. */
export const countSubscriptions = (
  sql: Query,
  column: 'planId' | 'priceId',
  ids: readonly string[],
  statuses: readonly SubscriptionStatus[] | null,
): Promise<{ readonly id: string; readonly count: number }[]> =>
  sql(
    `SELECT t."${column}" AS id, count(*)::int AS count FROM "Subscription" t
     WHERE t."environmentId" = $1 AND t."${column}" = ANY($2) AND ($3::text[] IS NULL OR t.status::text = ANY($3)) GROUP BY 1`,
    [ids, statuses],
  );

/** How many deadlines of a kind fall due on a day, which begins at midnight UTC. */
export type DeadlineDay = { readonly day: Date; readonly kind: DeadlineKind; readonly count: number };

/** Most deadlines that are counted by day. */
export const mostCounted = 10_000;

/** The first deadlines until an instant, at most `mostCounted`, counted by day and kind, in order. One statement. */
export const readDeadlineDays = (
  sql: Query,
  until: Date,
  kinds: readonly DeadlineKind[] | null,
): Promise<DeadlineDay[]> =>
  sql<DeadlineDay>(
    `SELECT date_trunc('day', "dueAt", 'UTC') AS day, kind, count(*)::int AS count FROM (
       SELECT "dueAt", kind, rank FROM "Deadline"
       WHERE "environmentId" = $1 AND state IN ('ready', 'parked', 'failed') AND "dueAt" <= $2 AND ($3::text[] IS NULL OR kind = ANY($3))
       ORDER BY "dueAt", rank LIMIT ${mostCounted}) AS first
     GROUP BY 1, kind, rank ORDER BY 1, rank`,
    [until, kinds],
  );

/** The ids of a customer's subscriptions, whatever their status. */
export async function readSubscriptionIds(ctx: Context, customerId: string): Promise<string[]> {
  const rows = await ctx.db.subscription.findMany({ where: { customerId }, select: { id: true } });
  return rows.map(({ id }) => id);
}
