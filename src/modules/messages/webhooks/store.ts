import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { takeNumbers } from '../../../outbox/write.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { requirePublicHost, UnreachableHost } from '../../../platform/public-address.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../../platform/queue/lease-table.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { hintChange } from '../../../request/transaction.ts';

/** Lease key of a webhook endpoint. */
export type EndpointKey = { readonly environmentId: string; readonly id: string };

export const endpointLeases = leaseTable<EndpointKey>('WebhookCursor', ['environmentId', 'id']);

/**
 * Reserves consecutive versions for changed deliveries and returns the first version. Also notifies live fields. Call
 * this function late in the transaction, because it locks the version counter.
 */
async function takeVersions(tx: TransactionContext, count: number): Promise<bigint> {
  hintChange(tx);
  return (await takeNumbers(tx.transaction.query, tx.environment.id, { seq: count })).seq;
}

/** Permanently cancels an endpoint's pending deliveries. The caller must have locked the endpoint's row. Uses real time. */
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

/** Moves an endpoint's cursor past the last committed event, so that earlier events aren't delivered. */
export async function moveCursorToEnd(sql: Query, webhookId: string): Promise<void> {
  await sql(
    `UPDATE "WebhookCursor" SET position = c."eventPosition" FROM "EnvironmentCounter" c
     WHERE "WebhookCursor"."environmentId" = $1 AND id = $2 AND c."environmentId" = $1`,
    [webhookId],
  );
}

/**
 * Returns up to `limit` unleased endpoints that have work at `now`: events after their cursor, or a due delivery. Endpoints that haven't
 * been served for the longest time come first. Reads all environments without locks.
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

/**
 * Locks an endpoint's cursor until the transaction ends and returns the cursor's outbox position. `null` if the endpoint isn't leased to
 * `owner`. In the query, $1 is the environment.
 */
export async function lockCursor(sql: Query, webhookId: string, owner: string): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint }>(
    'SELECT position FROM "WebhookCursor" WHERE "environmentId" = $1 AND id = $2 AND "leaseOwner" = $3 FOR UPDATE',
    [webhookId, owner],
  );
  return row?.position ?? null;
}

/** Moves an endpoint's cursor to an outbox position. */
export async function moveCursor(sql: Query, webhookId: string, position: bigint): Promise<void> {
  await sql('UPDATE "WebhookCursor" SET position = $3 WHERE "environmentId" = $1 AND id = $2', [
    webhookId,
    position,
  ]);
}

/**
 * Reads up to `limit` deliveries for an endpoint that are due at `now`, by due time and then by event position. Excludes the deliveries in
 * `except`.
 */
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

/** Result of a delivery attempt. `attempts` includes this attempt. */
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
  /**
   * Entry to append to the delivery's log. Passed as JSON, because distributed databases don't support updates that build JSON from
   * columns.
   */
  readonly logged: Stored.WebhookAttempts;
};

/** Maximum number of attempts that a delivery's log contains. */
export const loggedAttempts = 16;

/** Stores attempt results. Returns the IDs of the updated deliveries, excluding deliveries that changed during the attempt. */
export async function recordAttempts(
  tx: TransactionContext,
  records: readonly AttemptRecord[],
): Promise<ReadonlySet<string>> {
  const first = await takeVersions(tx, records.length);
  // The version is passed as text, because JSON numbers can't represent every 64-bit integer.
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

/** Returns the latest version of a delivery in the environment. Later changes to deliveries get higher versions. */
export async function readLastVersion(sql: Query): Promise<bigint> {
  const [row] = await sql<{ seq: bigint }>('SELECT seq FROM "EnvironmentCounter" WHERE "environmentId" = $1');
  return row?.seq ?? 0n;
}

/**
 * Reads up to `limit` deliveries that changed after a version, in order of their last change. Runs one SQL statement.
 */
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

/** Webhook endpoints. Locks serialize changes, deletions, and writes of deliveries. */
export const webhookRows = resource('Webhook', {
  prefix: 'whe',
  object: 'webhook',
  notFound: (param) => new QuittanceError('webhook_not_found', { param }),
  // Maximum number of endpoints in an environment (PLT-40).
  limit: {
    most: 20,
    reached: (most) =>
      validationError([
        {
          field: 'url',
          message: `An environment can have up to ${most} webhook endpoints. Delete an endpoint first.`,
        },
      ]),
  },
  defaults: { isActive: true, failedInRow: 0 },
  whenDeleted: { isActive: false, sealedSecret: '', previousSecret: null, previousSecretUntil: null },
});

/**
 * True if endpoints in the environment can have private addresses (PLT-40). Only sandboxes can have them, and only if
 * the installation allows them. The organization must not have been created by `POST /provision`, which is open to
 * anyone.
 */
export const allowsPrivateAddresses = ({ app, livemode, environment }: Context): boolean =>
  !livemode && !environment.isProvisioned && app.config.webhooksToPrivateAddresses;

/**
 * Throws `validation_error` if a URL isn't allowed: a URL without TLS in the live environment, or a URL with a private
 * address that the environment doesn't allow (PLT-40). Call this function before the transaction, because it resolves
 * the host name. Deliveries check the address again, because DNS records can change. `field` is the input that contains
 * the URL.
 */
export async function checkUrl(ctx: Context, text: string, field = 'url'): Promise<void> {
  const badUrl = (message: string): QuittanceError => validationError([{ field, message }]);
  const url = new URL(text);
  if (ctx.livemode && url.protocol !== 'https:') throw badUrl('must be an HTTPS URL in the live environment');
  if (allowsPrivateAddresses(ctx)) return;
  try {
    await requirePublicHost(url);
  } catch (error) {
    // `listen` of the command line forwards events without an endpoint.
    const hint = ctx.livemode ? '' : '; to receive events on your computer, run `quittance listen`';
    if (error instanceof UnreachableHost) throw badUrl(`${error.message}${hint}`);
    throw error;
  }
}

/** Throws `validation_error` if an event type is repeated (PLT-40). */
export function rejectRepeated(events: readonly string[]): void {
  if (new Set(events).size !== events.length)
    throw validationError([{ field: 'events', message: 'must not contain the same event type twice' }]);
}

/** Returns a delivery by ID. Throws `not_found` if the delivery doesn't exist. */
export async function requireDelivery(ctx: Context, id: string): Promise<DeliveryRow> {
  const delivery = await ctx.db.webhookDelivery.findFirst({ where: { id } });
  if (delivery === null) throw specificError('not_found', 'webhook_delivery', { param: 'id' });
  return delivery;
}

/** Delivery statistics for an endpoint, for the hour that starts at `at`, or in total if `at` is `null`. */
export type HealthRow = {
  readonly webhookId: string;
  readonly at: Date | null;
  readonly delivered: number;
  readonly failed: number;
  readonly queued: number;
  readonly medianMs: number | null;
};

/** Number of latest deliveries per endpoint that the statistics include. */
export const maxDeliveries = 10_000;

/**
 * Reads statistics on the endpoints' latest deliveries, limited to deliveries created after the given time: in total
 * and by hour, oldest first. Runs one SQL statement.
 */
export const readHealth = (sql: Query, webhookIds: readonly string[], after: Date): Promise<HealthRow[]> =>
  sql<HealthRow>(
    `SELECT w.id AS "webhookId", d.at, count(*) FILTER (WHERE d.status = 'succeeded')::int AS delivered,
       count(*) FILTER (WHERE d.status = 'failed')::int AS failed, count(*) FILTER (WHERE d.status = 'pending')::int AS queued,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY d."durationMs"))::int AS "medianMs"
     FROM unnest($2::text[]) AS w(id) CROSS JOIN LATERAL (
       SELECT t.status, t."durationMs", date_trunc('hour', t."createdAt", 'UTC') AS at FROM "WebhookDelivery" t
       WHERE t."environmentId" = $1 AND t."webhookId" = w.id AND t."createdAt" > $3
       ORDER BY t."createdAt" DESC, t.seq DESC LIMIT ${maxDeliveries}) AS d
     GROUP BY GROUPING SETS ((w.id), (w.id, d.at)) ORDER BY w.id, d.at NULLS FIRST`,
    [webhookIds, after],
  );

/** Filter for the deliveries to resend. */
export type ResendFilter = {
  readonly status: 'failed' | 'canceled';
  readonly events: readonly string[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

/**
 * Restarts up to `limit` finished deliveries for an endpoint, oldest first, and returns their number. Excludes tests. The caller must have
 * locked the endpoint's row. `version` is the first of `limit` consecutive versions.
 */
export async function restartDeliveries(
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

/** Reads the latest stored event of a type. `null` if no event of the type is stored. */
export const readLatestEvent = async (sql: Query, kind: string): Promise<Row<'Event'> | null> =>
  (
    await sql<Row<'Event'>>(
      'SELECT * FROM "Event" WHERE "environmentId" = $1 AND kind = $2 ORDER BY position DESC LIMIT 1',
      [kind],
    )
  )[0] ?? null;
