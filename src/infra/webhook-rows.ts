import type { Query } from './db.ts';
import type { Row } from './rows.ts';

/** One endpoint of one environment. */
export type EndpointRef = { readonly environmentId: string; readonly id: string };

/** Gives up what has not been delivered to an endpoint, for good; `now` is operational time. `sql` has the environment as $1. */
export async function cancelPendingDeliveries(sql: Query, webhookId: string, now: Date): Promise<void> {
  await sql(
    `UPDATE "WebhookDelivery" SET status = 'canceled', "nextAttemptAt" = NULL, "finishedAt" = $3
     WHERE "environmentId" = $1 AND "webhookId" = $2 AND status = 'pending'`,
    [webhookId, now],
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
 * Up to `limit` endpoints that nobody serves and that have something to be told at `now`: events they have not come to, or a delivery that is
 * due. Those served longest ago come first. Reads all environments and locks nothing.
 */
export const findEndpointsWithWork = (query: Query, now: Date, limit: number): Promise<EndpointRef[]> =>
  query<EndpointRef>(
    `SELECT k."environmentId", k.id FROM "WebhookCursor" k
     JOIN "Webhook" w ON w."environmentId" = k."environmentId" AND w.id = k.id
     JOIN "EnvironmentCounter" c ON c."environmentId" = k."environmentId"
     WHERE w."deletedAt" IS NULL AND (k."leaseUntil" IS NULL OR k."leaseUntil" <= $1)
       AND ((w."isActive" AND k.position < c."eventPosition") OR EXISTS (
         SELECT 1 FROM "WebhookDelivery" d WHERE d."environmentId" = k."environmentId" AND d."webhookId" = k.id
           AND d.status = 'pending' AND d."nextAttemptAt" <= $1))
     ORDER BY k."leaseUntil" NULLS FIRST LIMIT $2`,
    [now, limit],
  );

/** Leases an endpoint until `until`; false when somebody else was faster. */
export async function leaseEndpoint(
  query: Query,
  { environmentId, id }: EndpointRef,
  owner: string,
  now: Date,
  until: Date,
): Promise<boolean> {
  const rows = await query(
    `UPDATE "WebhookCursor" SET "leaseOwner" = $3, "leaseUntil" = $5
     WHERE "environmentId" = $1 AND id = $2 AND ("leaseUntil" IS NULL OR "leaseUntil" <= $4) RETURNING id`,
    [environmentId, id, owner, now, until],
  );
  return rows.length === 1;
}

/** Keeps the lease of an endpoint until `until`; false when it has passed to another worker. */
export async function extendEndpointLease(query: Query, { environmentId, id }: EndpointRef, owner: string, until: Date): Promise<boolean> {
  const rows = await query(
    `UPDATE "WebhookCursor" SET "leaseUntil" = $4 WHERE "environmentId" = $1 AND id = $2 AND "leaseOwner" = $3 RETURNING id`,
    [environmentId, id, owner, until],
  );
  return rows.length === 1;
}

/** Gives an endpoint back at `now`; one that has passed to another worker is left alone. */
export async function releaseEndpoint(query: Query, { environmentId, id }: EndpointRef, owner: string, now: Date): Promise<void> {
  await query(
    `UPDATE "WebhookCursor" SET "leaseOwner" = NULL, "leaseUntil" = $4 WHERE "environmentId" = $1 AND id = $2 AND "leaseOwner" = $3`,
    [environmentId, id, owner, now],
  );
}

/** Ends all leases of endpoints: where there is one process only, whoever held them is gone. */
export async function forgetEndpointLeases(query: Query): Promise<void> {
  await query(
    `UPDATE "WebhookCursor" SET "leaseOwner" = NULL, "leaseUntil" = NULL WHERE "environmentId" <> '' AND "leaseOwner" IS NOT NULL`,
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
  await sql('UPDATE "WebhookCursor" SET position = $3 WHERE "environmentId" = $1 AND id = $2', [webhookId, position]);
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
>;

/** Stores what attempts made of their deliveries, in one statement, and answers the ids of those that still waited for exactly that attempt. */
export async function recordAttempts(sql: Query, records: readonly AttemptRecord[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }>(
    `UPDATE "WebhookDelivery" d SET status = r.status, attempts = r.attempts, "nextAttemptAt" = r."nextAttemptAt", "lastAttemptAt" = r."lastAttemptAt",
       "responseStatus" = r."responseStatus", "responseBody" = r."responseBody", error = r.error, "durationMs" = r."durationMs", "finishedAt" = r."finishedAt"
     FROM json_to_recordset($2::json) AS r(id text, status "WebhookDeliveryStatus", attempts integer, "nextAttemptAt" timestamptz, "lastAttemptAt" timestamptz,
       "responseStatus" integer, "responseBody" text, error text, "durationMs" integer, "finishedAt" timestamptz)
     WHERE d."environmentId" = $1 AND d.id = r.id AND d.status = 'pending' AND d.attempts = r.attempts - 1 RETURNING d.id`,
    [JSON.stringify(records)],
  );
  return new Set(rows.map(({ id }) => id));
}
