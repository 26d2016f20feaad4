import type { Context, TransactionContext } from '../../context.ts';
import { QuittanceError, specificError, validationError } from '../../domain/errors.ts';
import { takeNumbers } from '../../outbox/write.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requirePublicHost, UnreachableHost } from '../../platform/public-address.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';
import { hintChange } from '../../transaction.ts';

/** One endpoint of one environment, as the key of its lease. */
export type EndpointKey = { readonly environmentId: string; readonly id: string };

/** The leases of endpoints. */
export const endpointLeases = leaseTable<EndpointKey>('WebhookCursor', ['environmentId', 'id']);

/** Takes consecutive versions for so many changed deliveries and answers the first; late in the transaction. Live fields are hinted at them. */
async function takeVersions(tx: TransactionContext, count: number): Promise<bigint> {
  hintChange(tx);
  return (await takeNumbers(tx.transaction.query, tx.environment.id, { seq: count })).seq;
}

/** Gives up what has not been delivered to an endpoint, whose row is locked, permanently; by operational time. */
export async function cancelPendingDeliveries(tx: TransactionContext, webhookId: string): Promise<void> {
  const [found] = await tx.sql<{ count: bigint }>(
    `SELECT count(*) AS count FROM "WebhookDelivery" WHERE "environmentId" = $1 AND "webhookId" = $2 AND status = 'pending'`,
    [webhookId],
  );
  const count = Number(found?.count ?? 0n);
  if (count === 0) return;
  await tx.sql(
    `UPDATE "WebhookDelivery" d SET status = 'canceled', "nextAttemptAt" = NULL, "finishedAt" = $3, version = $4 + n.place
     FROM (SELECT id, row_number() OVER (ORDER BY seq) - 1 AS place FROM "WebhookDelivery"
       WHERE "environmentId" = $1 AND "webhookId" = $2 AND status = 'pending') n
     WHERE d."environmentId" = $1 AND d.id = n.id`,
    [webhookId, tx.wall.now(), await takeVersions(tx, count)],
  );
}

/** Lets an endpoint go on after the last event committed in the environment, so that it receives none of those before. */
export async function moveCursorToEnd(sql: Query, webhookId: string): Promise<void> {
  await sql(
    `UPDATE "WebhookCursor" SET position = c."eventPosition" FROM "EnvironmentCounter" c
     WHERE "WebhookCursor"."environmentId" = $1 AND id = $2 AND c."environmentId" = $1`,
    [webhookId],
  );
}

/**
 * Up to `limit` endpoints without a lease that have something to deliver at `now`: events they have not come to, or a delivery that is
 * due. Those served longest ago come first. Reads all environments and locks nothing.
 */
export function findEndpointsWithWork(
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null = null,
): Promise<EndpointKey[]> {
  const own = environmentOf('k', environmentId, '$3');
  return query<EndpointKey>(
    `SELECT k."environmentId", k.id FROM "WebhookCursor" k
     JOIN "Webhook" w ON w."environmentId" = ${own} AND w.id = k.id
     JOIN "EnvironmentCounter" c ON c."environmentId" = ${own}
     WHERE w."deletedAt" IS NULL AND ${isFree('k', '$1')}
       AND ((w."isActive" AND k.position < c."eventPosition") OR EXISTS (
         SELECT 1 FROM "WebhookDelivery" d WHERE d."environmentId" = ${own} AND d."webhookId" = k.id
           AND d.status = 'pending' AND d."nextAttemptAt" <= $1)) ${isWithin('k', environmentId, '$3')}
     ORDER BY k."leaseUntil" NULLS FIRST LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );
}

/** How far the endpoint has come in the outbox, locked until the transaction ends; null when it is not leased to `owner`. `sql` has the environment as $1. */
export async function lockCursor(sql: Query, webhookId: string, owner: string): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint }>(
    'SELECT position FROM "WebhookCursor" WHERE "environmentId" = $1 AND id = $2 AND "leaseOwner" = $3 FOR UPDATE',
    [webhookId, owner],
  );
  return row?.position ?? null;
}

/** Notes how far the endpoint has come in the outbox. */
export async function moveCursor(sql: Query, webhookId: string, position: bigint): Promise<void> {
  await sql('UPDATE "WebhookCursor" SET position = $3 WHERE "environmentId" = $1 AND id = $2', [
    webhookId,
    position,
  ]);
}

/** Up to `limit` deliveries of an endpoint that are due at `now` and not among `except`, those due longest first, then in the order of their events. */
export const readDueDeliveries = (
  sql: Query,
  webhookId: string,
  now: Date,
  except: readonly string[],
  limit: number,
): Promise<Row<'WebhookDelivery'>[]> =>
  sql<Row<'WebhookDelivery'>>(
    `SELECT * FROM "WebhookDelivery" WHERE "environmentId" = $1 AND "webhookId" = $2 AND status = 'pending' AND "nextAttemptAt" <= $3
       AND NOT id = ANY($4) ORDER BY "nextAttemptAt", position LIMIT $5`,
    [webhookId, now, except, limit],
  );

/** What an attempt made of a delivery; `attempts` includes it. */
export type AttemptRecord = Pick<
  Row<'WebhookDelivery'>,
  | 'id'
  | 'status'
  | 'attempts'
  | 'nextAttemptAt'
  | 'lastAttemptAt'
  | 'responseStatus'
  | 'responseBody'
  | 'error'
  | 'durationMs'
  | 'finishedAt'
> & {
  /** What is added to the log of the delivery: an update that makes JSON of columns is none a distributed database runs. */
  readonly logged: Stored.WebhookAttempts;
};

/** Attempts of a delivery that are kept. */
export const loggedAttempts = 16;

/** Stores what attempts made of their deliveries and answers the ids of those that still waited for exactly that attempt. */
export async function recordAttempts(
  tx: TransactionContext,
  records: readonly AttemptRecord[],
): Promise<ReadonlySet<string>> {
  const first = await takeVersions(tx, records.length);
  // As text: JSON has no numbers of this size.
  const versioned = records.map((record, index) => ({ ...record, version: String(first + BigInt(index)) }));
  const rows = await tx.sql<{ id: string }>(
    `UPDATE "WebhookDelivery" d SET status = r.status, attempts = r.attempts, "nextAttemptAt" = r."nextAttemptAt", "lastAttemptAt" = r."lastAttemptAt",
       "responseStatus" = r."responseStatus", "responseBody" = r."responseBody", error = r.error, "durationMs" = r."durationMs", "finishedAt" = r."finishedAt",
       "attemptLog" = CASE WHEN jsonb_array_length(d."attemptLog") >= ${loggedAttempts} THEN d."attemptLog" - 0 ELSE coalesce(d."attemptLog", '[]'::jsonb) END || r.logged,
       version = r.version
     FROM json_to_recordset($2::json) AS r(id text, status "WebhookDeliveryStatus", attempts integer, "nextAttemptAt" timestamptz, "lastAttemptAt" timestamptz,
       "responseStatus" integer, "responseBody" text, error text, "durationMs" integer, "finishedAt" timestamptz, version bigint, logged jsonb)
     WHERE d."environmentId" = $1 AND d.id = r.id AND d.status = 'pending' AND d.attempts = r.attempts - 1 RETURNING d.id`,
    [JSON.stringify(versioned)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The version after which changes follow that have not been committed yet. */
export async function readLastVersion(sql: Query): Promise<bigint> {
  const [row] = await sql<{ seq: bigint }>('SELECT seq FROM "EnvironmentCounter" WHERE "environmentId" = $1');
  return row?.seq ?? 0n;
}

/** Up to `limit` deliveries that changed after a version, each as it is now, in the order of their last changes. One statement. */
export const readChangedDeliveries = (
  sql: Query,
  after: bigint,
  limit: number,
): Promise<Row<'WebhookDelivery'>[]> =>
  sql<Row<'WebhookDelivery'>>(
    'SELECT * FROM "WebhookDelivery" WHERE "environmentId" = $1 AND version > $2 ORDER BY version LIMIT $3',
    [after, limit],
  );

export type WebhookRow = Row<'Webhook'>;

export type DeliveryRow = Row<'WebhookDelivery'>;

const notFound = (): QuittanceError => new QuittanceError('webhook_not_found', { param: 'id' });

/** The endpoint with this id. Throws `webhook_not_found`, also for a deleted one. */
export async function requireWebhook(ctx: Context, id: string): Promise<WebhookRow> {
  const webhook = await ctx.db.webhook.findFirst({ where: { id, deletedAt: null } });
  if (webhook === null) throw notFound();
  return webhook;
}

/** Locks the endpoint until the transaction ends and answers it as it is at that time. Throws `webhook_not_found`. */
export async function requireLockedWebhook(ctx: Context, id: string): Promise<WebhookRow> {
  await lockRow(ctx.sql, 'Webhook', id);
  return requireWebhook(ctx, id);
}

/**
 * Whether endpoints of the environment may have addresses that are not public: in a sandbox where the settings allow it, unless the organization
 * was made by `POST /provision`, which is open to anybody (PLT-40).
 */
export const allowsPrivateAddresses = ({ app, livemode, environment }: Context): boolean =>
  !livemode && !environment.isProvisioned && app.config.webhooksToPrivateAddresses;

/**
 * Throws `validation_error` for an address that may not be called: in live mode one without TLS, and wherever private addresses are not allowed
 * one that leads, by any of its addresses, elsewhere than to the public internet (PLT-40). Asks the name service, so it belongs before the
 * transaction. Deliveries check again, since names can change their addresses. `field` is the input it stands in.
 */
export async function checkUrl(ctx: Context, text: string, field = 'url'): Promise<void> {
  const badUrl = (message: string): QuittanceError => validationError([{ field, message }]);
  const url = new URL(text);
  if (ctx.livemode && url.protocol !== 'https:') throw badUrl('must be an https address in live mode');
  if (allowsPrivateAddresses(ctx)) return;
  try {
    await requirePublicHost(url);
  } catch (error) {
    if (error instanceof UnreachableHost) throw badUrl(error.message);
    throw error;
  }
}

/** Throws `validation_error` when a kind is named twice (PLT-40). */
export function rejectRepeated(events: readonly string[]): void {
  if (new Set(events).size !== events.length)
    throw validationError([{ field: 'events', message: 'must not name a kind twice' }]);
}

/** How many endpoints the environment has. */
export const countEndpoints = (ctx: Context): Promise<number> =>
  ctx.db.webhook.count({ where: { deletedAt: null } });

/** The delivery with this id. Throws `not_found`. */
export async function requireDelivery(ctx: Context, id: string): Promise<DeliveryRow> {
  const delivery = await ctx.db.webhookDelivery.findFirst({ where: { id } });
  if (delivery === null) throw specificError('not_found', 'webhook_delivery', { param: 'id' });
  return delivery;
}

/**
 * Locks the endpoint until the transaction ends, so that it is neither switched off nor deleted meanwhile, and answers it as it is at that time;
 * null when it was deleted.
 */
export async function findLockedWebhook(ctx: Context, id: string): Promise<WebhookRow | null> {
  await lockRow(ctx.sql, 'Webhook', id);
  return ctx.db.webhook.findFirst({ where: { id, deletedAt: null } });
}

/** How the deliveries of an endpoint went in an hour, or in all hours where there is none. */
export type HealthRow = {
  readonly webhookId: string;
  readonly at: Date | null;
  readonly delivered: number;
  readonly failed: number;
  readonly queued: number;
  readonly medianMs: number | null;
};

/** The latest deliveries of an endpoint that are looked at. */
export const mostDeliveries = 10_000;

/** How the latest deliveries of endpoints went that were made after an instant: in all and by hour, the earliest first. One statement. */
export const readHealth = (sql: Query, webhookIds: readonly string[], after: Date): Promise<HealthRow[]> =>
  sql<HealthRow>(
    `SELECT w.id AS "webhookId", d.at, count(*) FILTER (WHERE d.status = 'succeeded')::int AS delivered,
       count(*) FILTER (WHERE d.status = 'failed')::int AS failed, count(*) FILTER (WHERE d.status = 'pending')::int AS queued,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY d."durationMs"))::int AS "medianMs"
     FROM unnest($2::text[]) AS w(id) CROSS JOIN LATERAL (
       SELECT t.status, t."durationMs", date_trunc('hour', t."createdAt", 'UTC') AS at FROM "WebhookDelivery" t
       WHERE t."environmentId" = $1 AND t."webhookId" = w.id AND t."createdAt" > $3
       ORDER BY t."createdAt" DESC, t.seq DESC LIMIT ${mostDeliveries}) AS d
     GROUP BY GROUPING SETS ((w.id), (w.id, d.at)) ORDER BY w.id, d.at NULLS FIRST`,
    [webhookIds, after],
  );

/** Which deliveries of an endpoint to send again. */
export type ResendFilter = {
  readonly status: 'failed' | 'canceled';
  readonly events: readonly string[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

/**
 * Lets up to `limit` finished deliveries of an endpoint, whose row is locked, begin again, the earliest first; tests are left out. Answers how many
 * did. `version` is the first of as many versions.
 */
export async function beginAgain(
  sql: Query,
  webhookId: string,
  { status, events, from, to }: ResendFilter,
  { now, version, limit }: { readonly now: Date; readonly version: bigint; readonly limit: number },
): Promise<number> {
  const rows = await sql(
    `UPDATE "WebhookDelivery" d SET status = 'pending', attempts = 0, "nextAttemptAt" = $7, "finishedAt" = NULL, version = $8 + n.place
     FROM (SELECT t.id, row_number() OVER (ORDER BY t.seq) - 1 AS place FROM "WebhookDelivery" t
       WHERE t."environmentId" = $1 AND t."webhookId" = $2 AND t.status = $3::"WebhookDeliveryStatus" AND t.position > 0
         AND ($4::text[] IS NULL OR t.kind = ANY($4)) AND ($5::timestamptz IS NULL OR t."createdAt" >= $5)
         AND ($6::timestamptz IS NULL OR t."createdAt" < $6)
       ORDER BY t.seq LIMIT ${limit}) n
     WHERE d."environmentId" = $1 AND d.id = n.id RETURNING d.id`,
    [webhookId, status, events, from, to, now, version],
  );
  return rows.length;
}

/** The latest stored event of a kind, or null. */
export const readLatestEvent = async (sql: Query, kind: string): Promise<Row<'Event'> | null> =>
  (
    await sql<Row<'Event'>>(
      'SELECT * FROM "Event" WHERE "environmentId" = $1 AND kind = $2 ORDER BY position DESC LIMIT 1',
      [kind],
    )
  )[0] ?? null;
