import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { partInsert, partParameters } from '../../platform/db/bulk.ts';
import type { Database, Query } from '../../platform/db/pool.ts';
import { queryWithin } from '../../platform/db/share.ts';
import { newId } from '../../platform/ids.ts';
import { scopedQuery } from '../reads.ts';
import type { RequestBodies, RequestRow, ShapedRequest } from './shape-record.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Maximum number of requests whose bodies are compressed together. */
export const blockSize = 50;

/** Maximum number of records per statement. */
const recordsPerStatement = 500;

type Block = { readonly id: string; readonly createdAt: Date; readonly content: Buffer };

/** Adds up records that count the same requests. */
function addedUp(rows: readonly RequestRow[]): RequestRow[] {
  const byId = new Map<string, RequestRow>();
  for (const row of rows) {
    const other = byId.get(row.id);
    if (other === undefined) {
      byId.set(row.id, row);
      continue;
    }
    const slowest = row.milliseconds > other.milliseconds ? row : other;
    const { milliseconds, slowestRequestId } = slowest;
    byId.set(row.id, { ...other, milliseconds, slowestRequestId, count: other.count + row.count });
  }
  // Processes that write the same records lock them in the same order.
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Puts the bodies of requests into blocks. */
async function inBlocks(
  shaped: readonly ShapedRequest[],
): Promise<{ readonly rows: RequestRow[]; readonly blocks: Block[] }> {
  const rows = shaped.filter(({ bodies }) => bodies === null).map(({ row }) => row);
  const blocks: Block[] = [];
  const stored = shaped.flatMap(({ row, bodies }) => (bodies === null ? [] : [{ row, bodies }]));
  for (let start = 0; start < stored.length; start += blockSize) {
    const part = stored.slice(start, start + blockSize);
    const id = newId('rqb');
    const content = await compress(JSON.stringify(part.map(({ bodies }) => bodies)));
    const createdAt = part[0]?.row.createdAt ?? new Date(0);
    blocks.push({ id, createdAt, content });
    rows.push(...part.map(({ row }, slot) => ({ ...row, blockId: id, slot })));
  }
  return { rows, blocks };
}

const onConflict = `ON CONFLICT ("environmentId", id) DO UPDATE SET count = "RequestRecord".count + EXCLUDED.count,
  milliseconds = greatest("RequestRecord".milliseconds, EXCLUDED.milliseconds),
  "slowestRequestId" = CASE WHEN EXCLUDED.milliseconds > "RequestRecord".milliseconds THEN EXCLUDED."slowestRequestId" ELSE "RequestRecord"."slowestRequestId" END
  WHERE "RequestRecord"."blockId" IS NULL`;

/** Writes the records of an environment and their bodies. A record that counts requests is added to the stored record. */
export async function writeRequests(
  database: Pick<Database, 'query' | 'share'>,
  environmentId: string,
  shaped: readonly ShapedRequest[],
): Promise<void> {
  const { rows, blocks } = await inBlocks(shaped);
  const sql = scopedQuery(queryWithin(database, environmentId), environmentId);
  for (const { id, createdAt, content } of blocks)
    await sql(
      'INSERT INTO "RequestBlock" ("environmentId", id, "createdAt", content) SELECT a."environmentId", $2, $3, $4 FROM "EnvironmentCounter" a WHERE a."environmentId" = $1',
      [id, createdAt, content],
    );
  const records = addedUp(rows);
  for (let start = 0; start < records.length; start += recordsPerStatement)
    await insertOrAdd(sql, records.slice(start, start + recordsPerStatement));
}

const insertOrAdd = async (sql: Query, rows: readonly RequestRow[]): Promise<void> => {
  await sql(partInsert('RequestRecord', { onConflict }), partParameters('RequestRecord', rows));
};

/** Returns the bodies in blocks, by block and slot. */
export async function readBlocks(
  sql: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly RequestBodies[]>> {
  const blocks = await sql<{ id: string; content: Uint8Array }>(
    'SELECT t.id, t.content FROM "RequestBlock" t WHERE t."environmentId" = $1 AND t.id = ANY($2::text[])',
    [ids],
  );
  return new Map(
    await Promise.all(
      blocks.map(
        async ({ id, content }): Promise<[string, RequestBodies[]]> => [
          id,
          JSON.parse(String(await decompress(content))) as RequestBodies[],
        ],
      ),
    ),
  );
}
