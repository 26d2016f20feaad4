import { portalSessionSpans } from '../domain/pages/portal-session.ts';
import { dayMs } from '../domain/time/period.ts';
import { emailFileName } from '../modules/messages/emails/store.ts';
import { closeExpiredPurchases } from '../modules/pages/pricing-tables/worker.ts';
import type { Row } from '../platform/db/rows.ts';
import { reseal } from '../platform/reseal.ts';
import type { App } from '../request/context.ts';
import { sealedColumns } from './sealed-columns.ts';

/** Number of rows to remove per statement. */
const batchSize = 1_000;

/**
 * Maximum number of statements per run. The next run removes the remaining rows. Half a million rows per
 * minute are enough for an installation that writes 6,000 rows of a kind per second.
 */
const maxBatches = 500;

type Found = { readonly environmentId: string; readonly id: string };

/** Removes rows in batches until a batch isn't full or the maximum number of batches is reached. Returns the number of removed rows. */
async function removeBatches(removeBatch: () => Promise<readonly unknown[]>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const { length } = await removeBatch();
    removed += length;
    if (length < batchSize) break;
  }
  return removed;
}

/** Removes the given rows with one statement per environment, because a statement must not lock rows of two environments. */
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

/** Encrypts values with the current `APP_SECRET` that were encrypted with older secrets. Logs and returns their number. */
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

/** Removes idempotency keys that are at least 24 hours old in real time, in small batches. Returns the number of removed keys. */
export const removeExpired = async (app: App): Promise<number> =>
  (await removeExpiredOpen(app)) + (await removeExpiredOwn(app));

/** Removes idempotency keys of requests without an environment. */
const removeExpiredOpen = (app: App): Promise<number> =>
  removeBatches(() =>
    app.database.query(
      `DELETE FROM "OpenIdempotencyKey" WHERE "expiresAt" <= $1
         AND (operation, id) IN (SELECT operation, id FROM "OpenIdempotencyKey" WHERE "expiresAt" <= $1 LIMIT $2) RETURNING id`,
      [app.wall.now(), batchSize],
    ),
  );

/** Removes idempotency keys of requests with an environment. */
const removeExpiredOwn = (app: App): Promise<number> =>
  removeBatches(async () => {
    const { query } = app.database;
    const rows = await query<Found>(
      'SELECT "environmentId", id FROM "IdempotencyKey" WHERE "expiresAt" <= $1 ORDER BY "expiresAt" LIMIT $2',
      [app.wall.now(), batchSize],
    );
    // A key can be reused between the two statements, so check its expiration again.
    return byEnvironment(rows, (environmentId, ids) =>
      query(
        'DELETE FROM "IdempotencyKey" WHERE "environmentId" = $1 AND id = ANY($2) AND "expiresAt" <= $3',
        [environmentId, ids, app.wall.now()],
      ),
    );
  });

/**
 * Removes the results of clock runs that ended at least `runItemRetentionDays` ago in real time, in small
 * batches, oldest first. The runs and their counts are kept. Returns the number of removed results. With a
 * retention of 0 days, results are kept forever.
 */
export async function removeOldRunItems(app: App): Promise<number> {
  const { runItemRetentionDays } = app.config;
  if (runItemRetentionDays === 0) return 0;
  const { query } = app.database;
  const endedBefore = new Date(app.wall.now().getTime() - runItemRetentionDays * dayMs);
  return removeBatches(async () => {
    // Use one query per run, so that each old run takes one index lookup, regardless of the results of
    // other runs.
    const rows = await query<Found>(
      `SELECT r."environmentId", i.id FROM "TestClockRun" r CROSS JOIN LATERAL (
         SELECT t.id FROM "TestClockRunItem" t WHERE t."environmentId" = r."environmentId" AND t."runId" = r.id ORDER BY t.seq LIMIT $2
       ) i WHERE r."finishedAt" <= $1 LIMIT $2`,
      [endedBefore, batchSize],
    );
    // Results are never added to an ended run.
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "TestClockRunItem" WHERE "environmentId" = $1 AND id = ANY($2)', [
        environmentId,
        ids,
      ]),
    );
  });
}

/** Removes portal sessions that are at least two hours old in real time, in small batches. Returns the number of removed sessions. */
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

/** Removes expired socket tickets in real time, in small batches. Returns the number of removed tickets. */
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

/** Removes expired passkey challenges and account links in real time, in small batches. Returns the number of removed rows. */
export const removeExpiredChallenges = (app: App): Promise<number> =>
  removeBatches(() =>
    app.database.query(
      `DELETE FROM "Verification" WHERE "expiresAt" <= $1
         AND id IN (SELECT id FROM "Verification" WHERE "expiresAt" <= $1 ORDER BY "expiresAt" LIMIT $2) RETURNING id`,
      [app.wall.now(), batchSize],
    ),
  );

/** Removes expired rate limit windows in real time, in small batches. Returns the number of removed windows. */
export const removeEndedWindows = (app: App): Promise<number> =>
  removeBatches(() =>
    app.database.query(
      `DELETE FROM "UseWindow" WHERE "endsAt" <= $1
         AND id IN (SELECT id FROM "UseWindow" WHERE "endsAt" <= $1 ORDER BY "endsAt" LIMIT $2) RETURNING id`,
      [app.wall.now(), batchSize],
    ),
  );

/**
 * Removes webhook deliveries that ended at least `webhookDeliveryRetentionDays` ago in real time, and
 * deliveries of deleted endpoints, in small batches. Also removes deleted endpoints without deliveries
 * (PLT-41). Returns the number of removed deliveries.
 */
export async function removeOldDeliveries(app: App): Promise<number> {
  const { query } = app.database;
  const remove = (environmentId: string, ids: readonly string[]) =>
    query('DELETE FROM "WebhookDelivery" WHERE "environmentId" = $1 AND id = ANY($2)', [environmentId, ids]);
  const { webhookDeliveryRetentionDays: days } = app.config;
  const endedBefore = new Date(app.wall.now().getTime() - days * dayMs);
  const old = await removeBatches(async () => {
    if (days === 0) return [];
    // A delivery that is being resent is removed together with its new attempt.
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
 * Removes completed emails that were queued at least `emailRetentionDays` ago in real time, with their files,
 * in small batches, oldest first. Returns the number of removed emails. With a retention of 0 days, emails
 * are kept forever.
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
 * Removes events that occurred at least `eventRetentionDays` ago, in small batches, oldest first. Compares
 * the event's environment time with the current real time. Keeps events that emails, metrics or an active
 * endpoint haven't processed. Returns the number of removed events. With a retention of 0 days, events are
 * kept forever.
 */
export async function removeOldEvents(app: App): Promise<number> {
  const { eventRetentionDays } = app.config;
  if (eventRetentionDays === 0) return 0;
  const { query } = app.database;
  const happenedBefore = new Date(app.wall.now().getTime() - eventRetentionDays * dayMs);
  return removeBatches(async () => {
    // Positions ascend with time, so the search starts with the oldest event and ends at the first recent
    // event.
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
 * Removes usage events that were recorded at least `usageEventRetentionDays` ago, in small batches, oldest
 * first. Compares the event's environment time with the current real time. Keeps events that aren't
 * included in the daily sums yet. Returns the number of removed events. With a retention of 0 days, events
 * are kept forever.
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

/**
 * Removes the files of exports that expired in real time, were canceled or failed, one export at a time.
 * Returns the number of exports whose files were removed.
 */
export const removeExportBytes = (app: App): Promise<number> =>
  removeBatches(async () => {
    const { query } = app.database;
    const rows = await query<Found>(
      `SELECT e."environmentId", e.id FROM "Export" e
       WHERE (e.status = 'canceled' OR (e.status = 'failed' AND e."expiresAt" IS NULL) OR (e.status IN ('completed', 'failed') AND e."expiresAt" <= $1))
         AND EXISTS (SELECT FROM "ExportChunk" c WHERE c."environmentId" = e."environmentId" AND c."exportId" = e.id) LIMIT $2`,
      [app.wall.now(), batchSize],
    );
    // Chunks are never added to an ended export.
    return byEnvironment(rows, (environmentId, ids) =>
      query('DELETE FROM "ExportChunk" WHERE "environmentId" = $1 AND "exportId" = ANY($2)', [
        environmentId,
        ids,
      ]),
    );
  });

/** Runs all housekeeping tasks one after another. */
export async function housekeep(app: App): Promise<void> {
  await resealOld(app);
  await removeExpired(app);
  await removeEndedSessions(app);
  await removeExpiredTickets(app);
  await removeExpiredChallenges(app);
  await removeEndedWindows(app);
  await removeOldRunItems(app);
  await removeOldDeliveries(app);
  await removeOldEmails(app);
  await removeOldEvents(app);
  await removeOldUsage(app);
  await removeExportBytes(app);
  await closeExpiredPurchases(app);
}
