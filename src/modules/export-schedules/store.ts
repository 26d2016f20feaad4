import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { type BulkRow, columnList, insertRows } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';
import { mayRead } from '../exports/find-kind.ts';

// The statements about schedules of exports.

export type ScheduleRow = Row<'ExportSchedule'>;

/** A schedule, as the key of its lease. */
export type ScheduleKey = { readonly environmentId: string; readonly id: string };

/** The leases of schedules. */
export const scheduleLeases = leaseTable<ScheduleKey>('ExportSchedule', ['environmentId', 'id']);

const columns = columnList('ExportSchedule', 't');

/** No clock run is at work: what is due in the midst of one runs at its end. */
const standsStill = (environment: string): string =>
  `NOT EXISTS (SELECT FROM "TestClockRun" r WHERE r."environmentId" = ${environment} AND r.status IN ('pending', 'running'))`;

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
     WHERE t."isActive" AND t."nextRunAt" <= coalesce(c."simulatedTime", $1) AND ${isFree('t', '$1')} AND ${standsStill(own)}
       ${isWithin('t', environmentId, '$3')}
     ORDER BY t."nextRunAt" LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );
}

/** The schedule with this id, locked until the transaction ends, if it is due; null where it is not, or a clock run is at work. */
export async function lockDueSchedule(sql: Query, id: string, now: Date): Promise<ScheduleRow | null> {
  const [row] = await sql<ScheduleRow>(
    `SELECT ${columns} FROM "ExportSchedule" t
     WHERE t."environmentId" = $1 AND t.id = $2 AND t."isActive" AND t."nextRunAt" <= $3 AND ${standsStill('$1')} FOR UPDATE OF t`,
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

/** Stores another frequency, and whether a schedule runs. */
export async function updateSchedule(
  sql: Query,
  { id, frequency, isActive, nextRunAt, updatedAt }: ScheduleRow,
): Promise<void> {
  await sql(
    `UPDATE "ExportSchedule" SET frequency = $3::"ExportFrequency", "isActive" = $4, "nextRunAt" = $5, "updatedAt" = $6 WHERE "environmentId" = $1 AND id = $2`,
    [id, frequency, isActive, nextRunAt, updatedAt],
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
