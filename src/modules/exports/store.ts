import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { type BulkRow, columnList, insertRows } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import { readCounts } from '../../platform/db/row-list-figures.ts';
import type { RowList } from '../../platform/db/row-lists.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';
import { mayRead } from './find-kind.ts';

// The statements about exports.

export type ExportRow = Row<'Export'>;

/** Whether nothing more becomes of an export. */
export const isEnded = (status: ExportRow['status']): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled';

/** An export, as the key of its lease. */
export type ExportKey = { readonly environmentId: string; readonly id: string };

/** The leases of exports. */
export const exportLeases = leaseTable<ExportKey>('Export', ['environmentId', 'id']);

/** Exports of an environment that are written at once; more wait. */
const runningAtOnce = 3;

const columns = columnList('Export', 't');

/** The export with this id, or null. */
export async function readExport(sql: Query, id: string): Promise<ExportRow | null> {
  const [row] = await sql<ExportRow>(
    `SELECT ${columns} FROM "Export" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return row ?? null;
}

/** The export with this id. Throws `not_found`, also for one of a kind the caller may not have. */
export async function requireExport(ctx: Context, id: string): Promise<ExportRow> {
  const row = await readExport(ctx.sql, id);
  if (row === null || !mayRead(ctx, row.kind)) throw specificError('not_found', 'export', { param: 'id' });
  return row;
}

/** The export with this id, or null, also for one of a kind the caller may not have. Batched. */
export async function loadExport(ctx: Context, id: string): Promise<ExportRow | null> {
  const row = await loadRow(ctx, 'Export', id);
  return row === null || !mayRead(ctx, row.kind) ? null : row;
}

/** Stores a new export. */
export const insertExport = (sql: Query, row: BulkRow<'Export'>): Promise<unknown> =>
  insertRows(sql, 'Export', [row]);

/** Up to `limit` exports to work on that nobody works on, the first of each environment and those that waited longest before others. */
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

/** Notes that an export begins, with the rows there are to write. */
export async function noteStart(sql: Query, id: string, total: bigint | null, now: Date): Promise<void> {
  await sql(
    `UPDATE "Export" SET status = 'running', total = $3, "startedAt" = $4 WHERE "environmentId" = $1 AND id = $2 AND status = 'queued'`,
    [id, total, now],
  );
}

/** The number of rows of a list; null where there are more than `limit`. */
export async function countRows(sql: Query, list: RowList, limit: number): Promise<bigint | null> {
  const [counted] = await readCounts(sql, list, null, limit + 1);
  const count = BigInt(counted?.count ?? 0);
  return count > limit ? null : count;
}

/** How far an export comes with a chunk. */
export type Progress = Pick<ExportRow, 'chunks' | 'rows' | 'bytes' | 'parts' | 'cursor'>;

/** Notes progress, if the lease is still the owner's and the export goes on from `before` chunks. Answers whether it did. */
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

/** A chunk of a file. */
export type ChunkRow = Pick<Row<'ExportChunk'>, 'number' | 'part' | 'offset'> & {
  readonly bytes: Uint8Array;
  readonly details: Uint8Array | null;
};

/** Stores a chunk. */
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

/** What the chunks of a file say about themselves, in order. */
export async function readDetails(sql: Query, exportId: string, part: number): Promise<Uint8Array[]> {
  const rows = await sql<{ details: Uint8Array }>(
    `SELECT t.details FROM "ExportChunk" t WHERE t."environmentId" = $1 AND t."exportId" = $2 AND t.part = $3 AND t.details IS NOT NULL
     ORDER BY t.number`,
    [exportId, part],
  );
  return rows.map(({ details }) => details);
}

/** Notes that all of an export is written, and until when its bytes are there. It has ended, unless it is to be delivered. */
export async function noteEnd(sql: Query, id: string, now: Date, expiresAt: Date): Promise<void> {
  await sql(
    `UPDATE "Export" SET status = CASE WHEN "isForDelivery" THEN 'delivering'::"ExportStatus" ELSE 'completed'::"ExportStatus" END,
       "finishedAt" = CASE WHEN "isForDelivery" THEN NULL ELSE $3::timestamptz END, "nextAttemptAt" = CASE WHEN "isForDelivery" THEN $3::timestamptz END,
       "expiresAt" = $4 WHERE "environmentId" = $1 AND id = $2`,
    [id, now, expiresAt],
  );
}

/** Counts a failed attempt; with a message the export ends. Answers whether it had not ended yet. */
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

/** Cancels an export that has not ended, and answers whether it did. */
export async function noteCancel(sql: Query, id: string, now: Date): Promise<boolean> {
  const canceled = await sql(
    `UPDATE "Export" SET status = 'canceled', "finishedAt" = $3, "nextAttemptAt" = NULL
     WHERE "environmentId" = $1 AND id = $2 AND status IN ('queued', 'running', 'delivering') RETURNING id`,
    [id, now],
  );
  return canceled.length === 1;
}

/** The next bytes of a file from a place on, at most `most`, all of one chunk; null beyond its end. */
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

/** The leases of streams. */
export type StreamKey = { readonly environmentId: string; readonly callerId: string };
export const streamLeases = leaseTable<StreamKey>('ExportStream', ['environmentId', 'callerId']);

/** Makes sure that a caller has a row to lease. */
export async function ensureStream(sql: Query, callerId: string): Promise<void> {
  await sql(
    'INSERT INTO "ExportStream" ("environmentId", "callerId") VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [callerId],
  );
}

/** The numbers given last in the environment: rows with these or lower ones are there. */
export async function readSnapshot(sql: Query): Promise<{ readonly seq: bigint; readonly position: bigint }> {
  const [row] = await sql<{ seq: bigint; position: bigint }>(
    'SELECT seq, "eventPosition" AS position FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  if (row === undefined) throw new Error('The environment has no counter row.');
  return row;
}
