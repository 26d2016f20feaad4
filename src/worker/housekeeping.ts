import type { App } from '../context.ts';
import { portalSessionSpans } from '../domain/portal-session.ts';
import { emailFileName } from '../modules/emails/store.ts';
import { closeExpiredPurchases } from '../modules/pricing-tables/worker.ts';
import type { Row } from '../platform/db/rows.ts';
import { reseal } from '../platform/reseal.ts';
import { sealedColumns } from './sealed-columns.ts';

/** Rows removed per statement. */
const batchSize = 1_000;

/**
 * How many such statements one call may need before it leaves the rest for the next: half a million rows a minute, more than an installation
 * that writes 6,000 rows of a kind a second.
 */
const maxBatches = 500;

const dayMs = 86_400_000;

type Found = { readonly environmentId: string; readonly id: string };

/** Removes batch by batch until one is not full or enough was done; answers how many rows there were. */
async function removeBatches(removeBatch: () => Promise<readonly unknown[]>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const { length } = await removeBatch();
    removed += length;
    if (length < batchSize) break;
  }
  return removed;
}

/** Removes the rows found, environment by environment, since no statement locks rows of two. */
async function byEnvironment(
  rows: readonly Found[],
  remove: (environmentId: string, ids: readonly string[]) => Promise<unknown>,
) {
  for (const [environmentId, found] of Map.groupBy(rows, (row) => row.environmentId)) {
    await remove(
      environmentId,
      found.map(({ id }) => id),
    );
  }
  return rows;
}

/** Seals with the current `APP_SECRET` what older ones sealed, and says how much. Answers how many values. */
export async function resealOld(app: App): Promise<number> {
  const { resealed, unreadable } = await reseal(app.database, app.secrets, sealedColumns);
  if (resealed > 0)
    app.log.info({ resealed }, 'Stored secrets were sealed again with the current APP_SECRET.');
  if (unreadable > 0)
    app.log.error(
      { unreadable },
      'Stored secrets cannot be opened: their secret is missing from APP_SECRET_PREVIOUS.',
    );
  return resealed;
}

/** Removes idempotency keys past their 24 hours, by operational time, in small batches. Answers how many. */
export const removeExpired = async (app: App): Promise<number> =>
  (await removeExpiredOpen(app)) + (await removeExpiredOwn(app));

/** Those of callers without an environment. */
const removeExpiredOpen = (app: App): Promise<number> =>
  removeBatches(() =>
    app.database.query(
      `DELETE FROM "OpenIdempotencyKey" WHERE "expiresAt" <= $1
         AND (operation, id) IN (SELECT operation, id FROM "OpenIdempotencyKey" WHERE "expiresAt" <= $1 LIMIT $2) RETURNING id`,
      [app.wall.now(), batchSize],
    ),
  );

/** Those kept with an environment. */
const removeExpiredOwn = (app: App): Promise<number> =>
  removeBatches(async () => {
    const { query } = app.database;
    const rows = await query<Found>(
      'SELECT "environmentId", id FROM "IdempotencyKey" WHERE "expiresAt" <= $1 ORDER BY "expiresAt" LIMIT $2',
      [app.wall.now(), batchSize],
    );
    // A key can be taken again between the two statements, so its time is asked for again.
    return byEnvironment(rows, (environmentId, ids) =>
      query(
        'DELETE FROM "IdempotencyKey" WHERE "environmentId" = $1 AND id = ANY($2) AND "expiresAt" <= $3',
        [environmentId, ids, app.wall.now()],
      ),
    );
  });

/**
 * Removes the items of test-clock runs that ended `runItemRetentionDays` or longer ago by operational time, in small batches, the earliest
 * of a run first. The runs and their counts stay. Answers how many; a retention of 0 days keeps all items for ever.
 */
export async function removeOldRunItems(app: App): Promise<number> {
  const { runItemRetentionDays } = app.config;
  if (runItemRetentionDays === 0) return 0;
  const { query } = app.database;
  const endedBefore = new Date(app.wall.now().getTime() - runItemRetentionDays * dayMs);
  return removeBatches(async () => {
    // Run by run, so that each old run costs one look into the index of items, however many items others have.
    const rows = await query<Found>(
      `SELECT r."environmentId", i.id FROM "TestClockRun" r CROSS JOIN LATERAL (
         SELECT t.id FROM "TestClockRunItem" t WHERE t."environmentId" = r."environmentId" AND t."runId" = r.id ORDER BY t.seq LIMIT $2
       ) i WHERE r."finishedAt" <= $1 LIMIT $2`,
      [endedBefore, batchSize],
    );
    // A run that ended stays so, and gets no more items.
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "TestClockRunItem" WHERE "environmentId" = $1 AND id = ANY($2)', [
        environmentId,
        ids,
      ]),
    );
  });
}

/** Removes portal sessions past their two hours, by operational time, in small batches. Answers how many. */
export const removeEndedSessions = (app: App): Promise<number> =>
  removeBatches(async () => {
    const { query } = app.database;
    const rows = await query<Found>(
      'SELECT "environmentId", id FROM "PortalSession" WHERE "createdAt" <= $1 ORDER BY "createdAt" LIMIT $2',
      [new Date(app.wall.now().getTime() - portalSessionSpans.longestMs), batchSize],
    );
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "PortalSession" WHERE "environmentId" = $1 AND id = ANY($2)', [environmentId, ids]),
    );
  });

/** Removes tickets of sockets that nobody used in time, by operational time, in small batches. Answers how many. */
export const removeExpiredTickets = (app: App): Promise<number> =>
  removeBatches(async () => {
    const { query } = app.database;
    const rows = await query<Found>(
      'SELECT "environmentId", id FROM "LiveTicket" WHERE "expiresAt" <= $1 ORDER BY "expiresAt" LIMIT $2',
      [app.wall.now(), batchSize],
    );
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "LiveTicket" WHERE "environmentId" = $1 AND id = ANY($2)', [environmentId, ids]),
    );
  });

/** Removes challenges of passkeys and links of accounts that nobody answered in time, by operational time, in small batches. Answers how many. */
export const removeExpiredChallenges = (app: App): Promise<number> =>
  removeBatches(() =>
    app.database.query(
      `DELETE FROM "Verification" WHERE "expiresAt" <= $1
         AND id IN (SELECT id FROM "Verification" WHERE "expiresAt" <= $1 ORDER BY "expiresAt" LIMIT $2) RETURNING id`,
      [app.wall.now(), batchSize],
    ),
  );

/**
 * Removes the records of webhook deliveries that ended `webhookDeliveryRetentionDays` or longer ago by operational time, and of endpoints that
 * were deleted, in small batches; an endpoint without records left goes too (PLT-41). Answers how many records.
 */
export async function removeOldDeliveries(app: App): Promise<number> {
  const { query } = app.database;
  const remove = (environmentId: string, ids: readonly string[]) =>
    query('DELETE FROM "WebhookDelivery" WHERE "environmentId" = $1 AND id = ANY($2)', [environmentId, ids]);
  const { webhookDeliveryRetentionDays: days } = app.config;
  const endedBefore = new Date(app.wall.now().getTime() - days * dayMs);
  const old = await removeBatches(async () => {
    if (days === 0) return [];
    // A delivery that is resent at this moment is removed with its new attempt, which nobody waits for any longer.
    const text = `SELECT "environmentId", id FROM "WebhookDelivery" WHERE "finishedAt" <= $1 ORDER BY "finishedAt" LIMIT $2`;
    return byEnvironment(await query<Found>(text, [endedBefore, batchSize]), remove);
  });
  const orphaned = await removeBatches(async () => {
    const rows = await query<Found>(
      `SELECT d."environmentId", d.id FROM "Webhook" w CROSS JOIN LATERAL (
         SELECT t."environmentId", t.id FROM "WebhookDelivery" t WHERE t."environmentId" = w."environmentId" AND t."webhookId" = w.id LIMIT $1
       ) d WHERE w."deletedAt" IS NOT NULL LIMIT $1`,
      [batchSize],
    );
    return byEnvironment(rows, remove);
  });
  await removeDeletedEndpoints(app);
  return old + orphaned;
}

/**
 * Removes emails that were taken up `emailRetentionDays` or longer ago by operational time and have ended, with their files, in small batches,
 * the earliest of an environment first. Answers how many; a retention of 0 days keeps all for ever.
 */
export async function removeOldEmails(app: App): Promise<number> {
  const { emailRetentionDays } = app.config;
  if (emailRetentionDays === 0) return 0;
  const { query } = app.database;
  const takenUpBefore = new Date(app.wall.now().getTime() - emailRetentionDays * dayMs);
  return removeBatches(async () => {
    const rows = await query<Found & Pick<Row<'EmailNotification'>, 'seq' | 'kind'>>(
      `SELECT l."environmentId", l.id, l.seq, l.kind FROM "EmailCursor" k CROSS JOIN LATERAL (
         SELECT t."environmentId", t.id, t.seq, t.kind FROM "EmailNotification" t
         WHERE t."environmentId" = k."environmentId" AND t."createdAt" <= $1 AND t."finishedAt" IS NOT NULL
         ORDER BY t."createdAt", t.seq LIMIT $2) l LIMIT $2`,
      [takenUpBefore, batchSize],
    );
    const names = Map.groupBy(rows, (row) => row.environmentId);
    return byEnvironment(rows, async (environmentId, ids) => {
      await app.mail.forget(environmentId, (names.get(environmentId) ?? []).map(emailFileName));
      await query('DELETE FROM "EmailNotification" WHERE "environmentId" = $1 AND id = ANY($2)', [
        environmentId,
        ids,
      ]);
    });
  });
}

/**
 * Removes events that happened `eventRetentionDays` or longer ago, by their business time and the machine's clock, in small batches, the earliest of an
 * environment first. What emails, metrics or an endpoint in use have not come to stays. Answers how many; a retention of 0 days keeps all for ever.
 */
export async function removeOldEvents(app: App): Promise<number> {
  const { eventRetentionDays } = app.config;
  if (eventRetentionDays === 0) return 0;
  const { query } = app.database;
  const happenedBefore = new Date(app.wall.now().getTime() - eventRetentionDays * dayMs);
  return removeBatches(async () => {
    // Positions ascend with time, so what is old stands at the front; a young event there ends the look.
    const rows = await query<Found>(
      `SELECT e."environmentId", e.id FROM "EmailCursor" k JOIN "MetricsCursor" m ON m."environmentId" = k."environmentId"
       CROSS JOIN LATERAL (SELECT min(c.position) AS position FROM "WebhookCursor" c
         JOIN "Webhook" w ON w."environmentId" = k."environmentId" AND w.id = c.id AND w."isActive" AND w."deletedAt" IS NULL
         WHERE c."environmentId" = k."environmentId") AS endpoints
       CROSS JOIN LATERAL (SELECT t."environmentId", t.id, t."occurredAt" FROM "Event" t
         WHERE t."environmentId" = k."environmentId" AND t.position <= least(k.position, m.position, endpoints.position)
         ORDER BY t.position LIMIT $2) AS e
       WHERE e."occurredAt" <= $1 LIMIT $2`,
      [happenedBefore, batchSize],
    );
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "Event" WHERE "environmentId" = $1 AND id = ANY($2)', [environmentId, ids]),
    );
  });
}

/**
 * Removes usage events that were recorded `usageEventRetentionDays` or longer ago, by their business time and the machine's clock, in small batches, the
 * earliest of an environment first. What is not in the sums of days yet stays. Answers how many; a retention of 0 days keeps all for ever.
 */
export async function removeOldUsage(app: App): Promise<number> {
  const { usageEventRetentionDays } = app.config;
  if (usageEventRetentionDays === 0) return 0;
  const { query } = app.database;
  const recordedBefore = new Date(app.wall.now().getTime() - usageEventRetentionDays * dayMs);
  return removeBatches(async () => {
    const rows = await query<Found>(
      `SELECT e."environmentId", e.id FROM "UsageDayCursor" k CROSS JOIN LATERAL (
         SELECT t."environmentId", t.id FROM "UsageEvent" t
         WHERE t."environmentId" = k."environmentId" AND t."createdAt" <= $1 AND t."createdAt" < k.until
         ORDER BY t."createdAt", t.seq LIMIT $2) AS e LIMIT $2`,
      [recordedBefore, batchSize],
    );
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "UsageEvent" WHERE "environmentId" = $1 AND id = ANY($2)', [environmentId, ids]),
    );
  });
}

/** Removes deleted endpoints of which nothing is left but themselves. */
const removeDeletedEndpoints = (app: App): Promise<number> =>
  removeBatches(async () => {
    const { query } = app.database;
    const rows = await query<Found>(
      `SELECT w."environmentId", w.id FROM "Webhook" w WHERE w."deletedAt" IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM "WebhookDelivery" d WHERE d."environmentId" = w."environmentId" AND d."webhookId" = w.id) LIMIT $1`,
      [batchSize],
    );
    return byEnvironment(rows, async (environmentId, ids) => {
      await query('DELETE FROM "WebhookCursor" WHERE "environmentId" = $1 AND id = ANY($2)', [
        environmentId,
        ids,
      ]);
      await query('DELETE FROM "Webhook" WHERE "environmentId" = $1 AND id = ANY($2)', [environmentId, ids]);
    });
  });

/** Removes the bytes of exports that expired by operational time, were canceled or given up before all were written, export by export. Answers how many exports. */
export const removeExportBytes = (app: App): Promise<number> =>
  removeBatches(async () => {
    const { query } = app.database;
    const rows = await query<Found>(
      `SELECT e."environmentId", e.id FROM "Export" e
       WHERE (e.status = 'canceled' OR (e.status = 'failed' AND e."expiresAt" IS NULL) OR (e.status IN ('completed', 'failed') AND e."expiresAt" <= $1))
         AND EXISTS (SELECT FROM "ExportChunk" c WHERE c."environmentId" = e."environmentId" AND c."exportId" = e.id) LIMIT $2`,
      [app.wall.now(), batchSize],
    );
    // What is over gets no more chunks.
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "ExportChunk" WHERE "environmentId" = $1 AND "exportId" = ANY($2)', [
        environmentId,
        ids,
      ]),
    );
  });

/** All of it, one after the other. */
export async function housekeep(app: App): Promise<void> {
  await resealOld(app);
  await removeExpired(app);
  await removeEndedSessions(app);
  await removeExpiredTickets(app);
  await removeExpiredChallenges(app);
  await removeOldRunItems(app);
  await removeOldDeliveries(app);
  await removeOldEmails(app);
  await removeOldEvents(app);
  await removeOldUsage(app);
  await removeExportBytes(app);
  await closeExpiredPurchases(app);
}
