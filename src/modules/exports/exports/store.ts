import { specificError } from '../../../domain/errors/errors.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import { type BulkRow, columnList, insertRows } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { readCounts } from '../../../platform/db/row-list-figures.ts';
import type { RowList } from '../../../platform/db/row-lists.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isFree, isWithin, leaseTable, within } from '../../../platform/queue/lease-table.ts';
import type { Context } from '../../../request/context.ts';
import { mayRead } from './find-kind.ts';

export type ExportRow = Row<'Export'>;

export const isEnded = (status: ExportRow['status']): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled';

/** Lease key of an export. */
export type ExportKey = { readonly environmentId: string; readonly id: string };

export const exportLeases = leaseTable<ExportKey>('Export', ['environmentId', 'id']);

/** Maximum number of exports per environment that are written at the same time. Additional exports stay queued. */
const runningAtOnce = 3;

const columns = columnList('Export', 't');

/** Reads an export by ID. `null` if it doesn't exist. */
export async function readExport(sql: Query, id: string): Promise<ExportRow | null> {
  const [row] = await sql<ExportRow>(
    `SELECT ${columns} FROM "Export" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return row ?? null;
}

/** Returns an export by ID. Throws `not_found` if it doesn't exist or the caller can't read its export type. */
export async function requireExport(ctx: Context, id: string): Promise<ExportRow> {
  const row = await readExport(ctx.sql, id);
  if (row === null || !mayRead(ctx, row.kind)) throw specificError('not_found', 'export', { param: 'id' });
  return row;
}

/**
 * Returns an export by ID. `null` if it doesn't exist or the caller can't read its export type. Lookups are batched.
 */
export async function loadExport(ctx: Context, id: string): Promise<ExportRow | null> {
  const row = await loadRow(ctx, 'Export', id);
  return row === null || !mayRead(ctx, row.kind) ? null : row;
}

export const insertExport = (sql: Query, row: BulkRow<'Export'>): Promise<unknown> =>
  insertRows(sql, 'Export', [row]);

/**
 * Returns up to `limit` unleased exports to write. Alternates between environments. Within an environment, the export that has waited
 * longest comes first.
 */
export const findExportWork = (
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<ExportKey[]> =>
  query<ExportKey>(
    `SELECT t."environmentId", t.id FROM (
       SELECT e.*, row_number() OVER (PARTITION BY e."environmentId" ORDER BY e."createdAt", e.seq) AS place
       FROM "Export" e WHERE e.status IN ('queued', 'running') ${isWithin('e', environmentId, '$3')}
     ) t WHERE t.place <= ${runningAtOnce} AND ${isFree('t', '$1')} ORDER BY t.place, t."createdAt" LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );

/** Records the start of an export and the total number of rows. */
export async function noteStart(sql: Query, id: string, total: bigint | null, now: Date): Promise<void> {
  await sql(
    `UPDATE "Export" SET status = 'running', total = $3, "startedAt" = $4 WHERE "environmentId" = $1 AND id = $2 AND status = 'queued'`,
    [id, total, now],
  );
}

/** Counts the rows in a list. `null` if the list has more than `limit` rows. */
export async function countRows(sql: Query, list: RowList, limit: number): Promise<bigint | null> {
  const [counted] = await readCounts(sql, list, null, limit + 1);
  const count = BigInt(counted?.count ?? 0);
  return count > limit ? null : count;
}

export type Progress = Pick<ExportRow, 'chunks' | 'rows' | 'bytes' | 'parts' | 'cursor'>;

/**
 * Records progress. Returns `false` without changes if the owner lost the lease, the export isn't running, or its number of
 * chunks differs from `before`.
 */
export async function noteProgress(
  sql: Query,
  { id, owner, before }: { readonly id: string; readonly owner: string; readonly before: number },
  { chunks, rows, bytes, parts, cursor }: Progress,
): Promise<boolean> {
  const noted = await sql(
    `UPDATE "Export" SET chunks = $5, rows = $6, bytes = $7, parts = $8::jsonb, cursor = $9, failures = 0
     WHERE "environmentId" = $1 AND id = $2 AND "leaseOwner" = $3 AND chunks = $4 AND status = 'running' RETURNING id`,
    [id, owner, before, chunks, rows, bytes, JSON.stringify(parts), cursor],
  );
  return noted.length === 1;
}

export type ChunkRow = Pick<Row<'ExportChunk'>, 'number' | 'part' | 'offset'> & {
  readonly bytes: Uint8Array;
  readonly details: Uint8Array | null;
};

export async function insertChunk(
  sql: Query,
  exportId: string,
  { number, part, offset, bytes, details }: ChunkRow,
): Promise<void> {
  await sql(
    `INSERT INTO "ExportChunk" ("environmentId", "exportId", number, part, "offset", size, bytes, details) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [exportId, number, part, offset, bytes.length, bytes, details],
  );
}

/** Reads the metadata of a file's chunks, in the order of the chunks. */
export async function readDetails(sql: Query, exportId: string, part: number): Promise<Uint8Array[]> {
  const rows = await sql<{ details: Uint8Array }>(
    `SELECT t.details FROM "ExportChunk" t WHERE t."environmentId" = $1 AND t."exportId" = $2 AND t.part = $3 AND t.details IS NOT NULL
     ORDER BY t.number`,
    [exportId, part],
  );
  return rows.map(({ details }) => details);
}

/**
 * Records that an export is complete, and the expiration time of its files. Ends the export unless it must be
 * delivered.
 */
export async function noteEnd(sql: Query, id: string, now: Date, expiresAt: Date): Promise<void> {
  await sql(
    `UPDATE "Export" SET status = CASE WHEN "isForDelivery" THEN 'delivering'::"ExportStatus" ELSE 'completed'::"ExportStatus" END,
       "finishedAt" = CASE WHEN "isForDelivery" THEN NULL ELSE $3::timestamptz END, "nextAttemptAt" = CASE WHEN "isForDelivery" THEN $3::timestamptz END,
       "expiresAt" = $4 WHERE "environmentId" = $1 AND id = $2`,
    [id, now, expiresAt],
  );
}

/** Records a failed attempt. Ends the export if a message is given. Returns `false` if the export had already ended. */
export async function noteFailure(
  sql: Query,
  id: string,
  message: string | null,
  now: Date,
): Promise<boolean> {
  const noted = await sql(
    `UPDATE "Export" SET failures = failures + 1, status = CASE WHEN $3::text IS NULL THEN status ELSE 'failed' END,
       error = $3, "finishedAt" = CASE WHEN $3::text IS NULL THEN NULL ELSE $4::timestamptz END
     WHERE "environmentId" = $1 AND id = $2 AND status IN ('queued', 'running') RETURNING id`,
    [id, message, now],
  );
  return noted.length === 1;
}

/** Cancels an export. Returns `false` if the export had already ended. */
export async function noteCancel(sql: Query, id: string, now: Date): Promise<boolean> {
  const canceled = await sql(
    `UPDATE "Export" SET status = 'canceled', "finishedAt" = $3, "nextAttemptAt" = NULL
     WHERE "environmentId" = $1 AND id = $2 AND status IN ('queued', 'running', 'delivering') RETURNING id`,
    [id, now],
  );
  return canceled.length === 1;
}

/** Reads a file's bytes from an offset, up to `most` bytes from one chunk. `null` at the end of the file. */
export async function readBytes(
  sql: Query,
  file: { readonly exportId: string; readonly part: number },
  from: number,
  most: number,
): Promise<Uint8Array | null> {
  const [row] = await sql<{ bytes: Uint8Array }>(
    `SELECT substring(t.bytes FROM ($4::bigint - t."offset" + 1)::int FOR $5::int) AS bytes FROM "ExportChunk" t
     WHERE t."environmentId" = $1 AND t."exportId" = $2 AND t.part = $3 AND t."offset" <= $4 ORDER BY t."offset" DESC LIMIT 1`,
    [file.exportId, file.part, from, most],
  );
  return row === undefined || row.bytes.length === 0 ? null : row.bytes;
}

/** Lease key of the stream that a caller reads. */
export type StreamKey = { readonly environmentId: string; readonly callerId: string };
export const streamLeases = leaseTable<StreamKey>('ExportStream', ['environmentId', 'callerId']);

/** Creates the database row for the lease of the caller's stream, unless the row already exists. */
export async function ensureStream(sql: Query, callerId: string): Promise<void> {
  await sql(
    'INSERT INTO "ExportStream" ("environmentId", "callerId") VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [callerId],
  );
}

/** Reads the latest sequence number and event position in the environment. All rows up to these numbers have been committed. */
export async function readSnapshot(sql: Query): Promise<{ readonly seq: bigint; readonly position: bigint }> {
  const [row] = await sql<{ seq: bigint; position: bigint }>(
    'SELECT seq, "eventPosition" AS position FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  if (row === undefined) throw new Error('The environment has no counter row.');
  return row;
}

/** True if the API key or member still exists. False for expired keys. Runs one SQL statement. */
export async function holderExists(
  { app, environment, sql, wall }: Pick<Context, 'app' | 'environment' | 'sql' | 'wall'>,
  id: string,
): Promise<boolean> {
  const found = id.startsWith('mem_')
    ? await app.database.query('SELECT 1 FROM "Member" WHERE id = $1 AND "organizationId" = $2', [
        id,
        environment.organizationId,
      ])
    : await sql(
        'SELECT 1 FROM "ApiKey" WHERE "environmentId" = $1 AND id = $2 AND ("expiresAt" IS NULL OR "expiresAt" > $3)',
        [id, wall.now()],
      );
  return found.length > 0;
}
