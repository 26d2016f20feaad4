import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { SubscriptionStatus } from '../../../domain/rows/enums.ts';
import type { DeadlineKind } from '../../../domain/rows/rows.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import { type Columns, selectionOf, union } from '../../../platform/db/columns.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { type Row, readOne } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/**
 * Returns the current subscription of each customer, which is the subscription that isn't canceled (SUB-4). Returns an open checkout only
 * if the customer has no other subscription. Omits customers without a current subscription. Runs one SQL statement for all customers.
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

/** Returns the subscription with this ID, or `null` if it doesn't exist. */
const findSubscription = (ctx: Context, id: string): Promise<SubscriptionRow | null> =>
  readOne(ctx.sql, 'Subscription', { id });

/** Returns the subscription with this ID. Throws `subscription_not_found`. */
export async function requireSubscription(ctx: Context, id: string): Promise<SubscriptionRow> {
  const subscription = await findSubscription(ctx, id);
  if (subscription === null) throw new QuittanceError('subscription_not_found', { param: 'id' });
  return subscription;
}

/** Subject and result of operations that change a subscription and return the changed subscription. */
export const onSubscription = {
  find: (ctx: Context, { id }: { readonly id: string }): Promise<SubscriptionRow> =>
    requireSubscription(ctx, id),
  result: (ctx: Context, { subject }: { readonly subject: SubscriptionRow }): Promise<SubscriptionRow> =>
    requireSubscription(ctx, subject.id),
};

/** Checks with one SQL statement that all subscriptions exist. Throws `subscription_not_found` for the first missing ID. */
export async function requireSubscriptions(ctx: Context, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db.subscription.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing === undefined) return;
  throw specificError('subscription_not_found', 'missing', { values: { missing }, param: 'subscriptionIds' });
}

export type CurrentSubscriptionLoader = (customerId: string) => Promise<SubscriptionRow | null>;

/**
 * Returns a function that loads a customer's current subscription, which is the subscription that isn't canceled
 * (SUB-4). Returns an open checkout only if the customer has no other subscription. `null` if the customer has no
 * current subscription. Lookups are batched.
 */
export function currentSubscriptionLoader(ctx: Context, columns: Columns = 'all'): CurrentSubscriptionLoader {
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
  return (customerId) => load(customerId, columns);
}

/** Returns the customer's current subscription, or `null`. Batched like `currentSubscriptionLoader`. */
export const loadCurrentSubscription = (ctx: Context, customerId: string): Promise<SubscriptionRow | null> =>
  currentSubscriptionLoader(ctx)(customerId);

/**
 * Returns the checkout URL of a subscription that is pending payment. `null` if the subscription has another status. The URL is stable
 * (SUB-14).
 */
export async function checkoutUrl(
  ctx: Context,
  { id, status }: Pick<SubscriptionRow, 'id' | 'status'>,
): Promise<string | null> {
  return status === 'pending_payment' ? openCheckoutUrl(ctx, id) : null;
}

/** Returns the checkout URL of a subscription in any status. */
export async function openCheckoutUrl(ctx: Context, id: string): Promise<string> {
  const { secrets, config } = ctx.app;
  const token = await secrets.signPage({
    page: 'checkout',
    environmentId: ctx.environment.id,
    subjectId: id,
  });
  return `${config.publicUrl}/checkout/${token}`;
}

/** Counts subscriptions by plan or price. Omits plans and prices without subscriptions. Runs one SQL statement. */
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

/** Number of deadlines with one type that are due on a UTC day. */
export type DeadlineDay = { readonly day: Date; readonly kind: DeadlineKind; readonly count: number };

/** Maximum number of deadlines that `upcomingDeadlineDays` counts. */
export const mostCounted = 10_000;

/** Counts deadlines up to a given time, by day and type. Counts at most the first `mostCounted` deadlines. Runs one SQL statement. */
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

/** Returns the IDs of a customer's subscriptions in any status. */
export async function readSubscriptionIds(ctx: Context, customerId: string): Promise<string[]> {
  const rows = await ctx.db.subscription.findMany({ where: { customerId }, select: { id: true } });
  return rows.map(({ id }) => id);
}
