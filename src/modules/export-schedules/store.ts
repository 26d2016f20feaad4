import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { isClockRunning } from '../../engine/running-clock.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { type BulkRow, columnList, insertRows } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';
import { mayRead } from '../exports/find-kind.ts';
import type { ExportKey } from '../exports/store.ts';

// The statements about schedules of exports.

export type ScheduleRow = Row<'ExportSchedule'>;

/** A schedule, as the key of its lease. */
export type ScheduleKey = { readonly environmentId: string; readonly id: string };

/** The leases of schedules. */
export const scheduleLeases = leaseTable<ScheduleKey>('ExportSchedule', ['environmentId', 'id']);

const columns = columnList('ExportSchedule', 't');

/** Up to `limit` schedules that nobody works on and that are due by `now` or by their test clock, the longest due first. Locks nothing. */
export function findDueSchedules(
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<ScheduleKey[]> {
  const own = environmentOf('t', environmentId, '$3');
  return query<ScheduleKey>(
    `SELECT t."environmentId", t.id FROM "ExportSchedule" t LEFT JOIN "TestClock" c ON c."environmentId" = ${own}
     WHERE t."isActive" AND t."nextRunAt" <= coalesce(c."simulatedTime", $1) AND ${isFree('t', '$1')} AND NOT ${isClockRunning(own)}
       ${isWithin('t', environmentId, '$3')}
     ORDER BY t."nextRunAt" LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );
}

/** The schedule with this id, locked until the transaction ends, if it is due; null where it is not, or a clock run is at work. */
export async function lockDueSchedule(sql: Query, id: string, now: Date): Promise<ScheduleRow | null> {
  const [row] = await sql<ScheduleRow>(
    `SELECT ${columns} FROM "ExportSchedule" t
     WHERE t."environmentId" = $1 AND t.id = $2 AND t."isActive" AND t."nextRunAt" <= $3 AND NOT ${isClockRunning('$1')} FOR UPDATE OF t`,
    [id, now],
  );
  return row ?? null;
}

/** Notes a run, and when the next one is due. */
export async function noteRun(
  sql: Query,
  {
    id,
    snapshot,
    lastRunAt,
    lastExportId,
    nextRunAt,
  }: Pick<ScheduleRow, 'id' | 'snapshot' | 'lastRunAt' | 'lastExportId' | 'nextRunAt'>,
): Promise<void> {
  await sql(
    `UPDATE "ExportSchedule" SET snapshot = $3, "lastRunAt" = $4, "lastExportId" = $5, "nextRunAt" = $6 WHERE "environmentId" = $1 AND id = $2`,
    [id, snapshot, lastRunAt, lastExportId, nextRunAt],
  );
}

/** The schedule with this id, locked until the transaction ends. Throws `not_found`, also for one of a kind the caller may not have. */
export async function requireLockedSchedule(ctx: Context, id: string): Promise<ScheduleRow> {
  const [row] = await ctx.sql<ScheduleRow>(
    `SELECT ${columns} FROM "ExportSchedule" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  if (row === undefined || !mayRead(ctx, row.kind))
    throw specificError('not_found', 'export_schedule', { param: 'id' });
  return row;
}

/** The schedule with this id, or null, also for one of a kind the caller may not have. Batched. */
export async function loadSchedule(ctx: Context, id: string): Promise<ScheduleRow | null> {
  const row = await loadRow(ctx, 'ExportSchedule', id);
  return row === null || !mayRead(ctx, row.kind) ? null : row;
}

/** Stores a new schedule. */
export const insertSchedule = (sql: Query, row: BulkRow<'ExportSchedule'>): Promise<unknown> =>
  insertRows(sql, 'ExportSchedule', [row]);

/** Stores how often a schedule runs, whether it does, and where its files go. */
export async function updateSchedule(
  sql: Query,
  { id, frequency, isActive, nextRunAt, updatedAt, sealedUrl, failedInRow, deliveryError }: ScheduleRow,
): Promise<void> {
  await sql(
    `UPDATE "ExportSchedule" SET frequency = $3::"ExportFrequency", "isActive" = $4, "nextRunAt" = $5, "updatedAt" = $6, "sealedUrl" = $7,
       "failedInRow" = $8, "deliveryError" = $9 WHERE "environmentId" = $1 AND id = $2`,
    [id, frequency, isActive, nextRunAt, updatedAt, sealedUrl, failedInRow, deliveryError],
  );
}

/** Deletes a schedule; its exports stay. */
export const deleteScheduleRow = (sql: Query, id: string): Promise<unknown> =>
  sql('DELETE FROM "ExportSchedule" WHERE "environmentId" = $1 AND id = $2', [id]);

/** How many schedules the environment has. */
export async function countSchedules(sql: Query): Promise<number> {
  const [row] = await sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM "ExportSchedule" WHERE "environmentId" = $1',
  );
  return row?.count ?? 0;
}

/** The leases of exports by workers that deliver them, when an attempt is due. */
export const deliveryLeases = leaseTable<ExportKey>('Export', ['environmentId', 'id'], 'nextAttemptAt');

/**
 * Up to `limit` exports whose next attempt to deliver is due and that nobody works on, one of each environment or that of one, those due longest first. Locks nothing.
 */
export const findDueDeliveries = (
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<ExportKey[]> =>
  query<ExportKey>(
    `SELECT d."environmentId", d.id FROM (
       SELECT t."environmentId", t.id, t."nextAttemptAt", ${isFree('t', '$1')} AS "isFree",
         row_number() OVER (PARTITION BY t."environmentId" ORDER BY ${isFree('t', '$1')}, t."nextAttemptAt", t.seq) AS place
       FROM "Export" t WHERE t.status = 'delivering' AND t."nextAttemptAt" <= $1 ${isWithin('t', environmentId, '$3')}) AS d
     WHERE d.place = 1 AND d."isFree" ORDER BY d."nextAttemptAt" LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );

/** The schedule with this id, or null. */
export async function readSchedule(sql: Query, id: string): Promise<ScheduleRow | null> {
  const [row] = await sql<ScheduleRow>(
    `SELECT ${columns} FROM "ExportSchedule" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return row ?? null;
}

/** The schedule with this id, locked until the transaction ends; null where it was deleted. */
export async function lockSchedule(sql: Query, id: string): Promise<ScheduleRow | null> {
  const [row] = await sql<ScheduleRow>(
    `SELECT ${columns} FROM "ExportSchedule" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  return row ?? null;
}

/** An export that is being delivered, and by whom. */
export type Delivering = { readonly id: string; readonly owner: string };

const isOwn = `"leaseOwner" = $3 AND status = 'delivering'`;

/** Counts an attempt that failed, and notes when the next one is due, unless the export is not the owner's any more or was canceled. */
export async function noteRetry(
  sql: Query,
  { id, owner }: Delivering,
  error: string,
  nextAttemptAt: Date,
): Promise<void> {
  await sql(
    `UPDATE "Export" SET failures = failures + 1, error = $4, "nextAttemptAt" = $5 WHERE "environmentId" = $1 AND id = $2 AND ${isOwn}`,
    [id, owner, error, nextAttemptAt],
  );
}

/** What a delivery came to. */
type DeliveryEnd = {
  /** Why it is given up; null where it is not. */
  readonly error: string | null;
  readonly deliveredAt: Date | null;
  readonly now: Date;
};

/** Notes the end of a delivery. Answers whether it was noted: the export was the owner's and not canceled. */
export async function noteDelivery(
  sql: Query,
  { id, owner }: Delivering,
  { error, deliveredAt, now }: DeliveryEnd,
): Promise<boolean> {
  const noted = await sql(
    `UPDATE "Export" SET status = CASE WHEN $4::text IS NULL THEN 'completed'::"ExportStatus" ELSE 'failed'::"ExportStatus" END, error = $4,
       failures = CASE WHEN $4::text IS NULL THEN 0 ELSE failures + 1 END, "deliveredAt" = $5, "finishedAt" = $6, "nextAttemptAt" = NULL
     WHERE "environmentId" = $1 AND id = $2 AND ${isOwn} RETURNING id`,
    [id, owner, error, deliveredAt, now],
  );
  return noted.length === 1;
}

/** Notes for a schedule, which is locked, how a delivery ended. */
export async function noteScheduleDelivery(
  sql: Query,
  {
    id,
    failedInRow,
    deliveryError,
    isActive,
    updatedAt,
  }: Pick<ScheduleRow, 'id' | 'failedInRow' | 'deliveryError' | 'isActive' | 'updatedAt'>,
): Promise<void> {
  await sql(
    `UPDATE "ExportSchedule" SET "failedInRow" = $3, "deliveryError" = $4, "isActive" = $5, "updatedAt" = $6 WHERE "environmentId" = $1 AND id = $2`,
    [id, failedInRow, deliveryError, isActive, updatedAt],
  );
}

/** Makes the next attempts of the deliveries of a schedule due. */
export async function attemptAtOnce(sql: Query, scheduleId: string, now: Date): Promise<void> {
  await sql(
    `UPDATE "Export" SET "nextAttemptAt" = $3 WHERE "environmentId" = $1 AND "scheduleId" = $2 AND status = 'delivering' AND "nextAttemptAt" > $3`,
    [scheduleId, now],
  );
}
