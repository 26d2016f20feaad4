import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { isClockRunning } from '../../../engine/running-clock.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../../platform/queue/lease-table.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { mayRead } from '../exports/find-kind.ts';
import type { ExportKey } from '../exports/store.ts';

export type ScheduleRow = Row<'ExportSchedule'>;

/** Lease key of an export schedule. */
export type ScheduleKey = { readonly environmentId: string; readonly id: string };

export const scheduleLeases = leaseTable<ScheduleKey>('ExportSchedule', ['environmentId', 'id']);

const columns = columnList('ExportSchedule', 't');

/**
 * Returns up to `limit` unleased schedules that are due at `now` or at their test clock's time, longest overdue first. Doesn't lock the
 * schedules.
 */
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

/** Reads a due schedule and locks it until the transaction ends. `null` if the schedule isn't due, or during a clock run. */
export async function lockDueSchedule(sql: Query, id: string, now: Date): Promise<ScheduleRow | null> {
  const [row] = await sql<ScheduleRow>(
    `SELECT ${columns} FROM "ExportSchedule" t
     WHERE t."environmentId" = $1 AND t.id = $2 AND t."isActive" AND t."nextRunAt" <= $3 AND NOT ${isClockRunning('$1')} FOR UPDATE OF t`,
    [id, now],
  );
  return row ?? null;
}

/** Records a run of a schedule and the time of its next run. */
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

const scheduleNotFound = (param: string): QuittanceError =>
  specificError('not_found', 'export_schedule', { param });

/** Export schedules, at most 50 in an environment. Deletions are permanent, and exports that a schedule started are kept. */
export const scheduleRows = resource('ExportSchedule', {
  prefix: 'exs',
  object: 'export_schedule',
  notFound: scheduleNotFound,
  limit: {
    most: 50,
    reached: (most) => specificError('validation_error', 'too_many_schedules', { values: { most } }),
  },
  defaults: { isActive: true, isIncremental: false, failedInRow: 0 },
});

/** Throws `not_found` if the caller can't read the export type of a schedule. */
export function requireReadable(ctx: Context, { kind }: ScheduleRow): void {
  if (!mayRead(ctx, kind)) throw scheduleNotFound('id');
}

/**
 * Returns a schedule by ID. `null` if it doesn't exist or the caller can't read its export type. Lookups are batched.
 */
export async function loadSchedule(ctx: Context, id: string): Promise<ScheduleRow | null> {
  const row = await loadRow(ctx, 'ExportSchedule', id);
  return row === null || !mayRead(ctx, row.kind) ? null : row;
}

/** Leases for exports that have a due delivery attempt. */
export const deliveryLeases = leaseTable<ExportKey>('Export', ['environmentId', 'id'], 'nextAttemptAt');

/**
 * Returns up to `limit` unleased exports with a due delivery attempt, at most one per environment, longest overdue first. Doesn't lock the
 * exports.
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

/** Export being delivered, and the worker that delivers it. */
export type Delivering = { readonly id: string; readonly owner: string };

const isOwn = `"leaseOwner" = $3 AND status = 'delivering'`;

/** Records a failed attempt and the time of the next attempt. Does nothing if the owner lost the lease or the export was canceled. */
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

/** Final result of delivering an export. */
type DeliveryEnd = {
  /** Reason why the delivery failed permanently. `null` if the delivery succeeded. */
  readonly error: string | null;
  readonly deliveredAt: Date | null;
  readonly now: Date;
};

/**
 * Records the final result of delivering an export. Returns `false` without changes if the owner lost the lease or the export was canceled.
 */
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

/** Updates an export's schedule with the final result of the delivery. The caller must have locked the schedule. */
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

/** Makes the pending delivery attempts of a schedule's exports due immediately. */
export async function attemptImmediately(sql: Query, scheduleId: string, now: Date): Promise<void> {
  await sql(
    `UPDATE "Export" SET "nextAttemptAt" = $3 WHERE "environmentId" = $1 AND "scheduleId" = $2 AND status = 'delivering' AND "nextAttemptAt" > $3`,
    [scheduleId, now],
  );
}
