import type { SumSource } from '../../../../domain/metrics/sources.ts';
import { isClockRunning } from '../../../../engine/running-clock.ts';
import type { Database, Query } from '../../../../platform/db/pool.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import {
  environmentOf,
  isFree,
  isWithin,
  leaseTable,
  within,
} from '../../../../platform/queue/lease-table.ts';
import { foldingAll, freshRows, type RowSource, type Source } from '../../day-sums/store.ts';
import { sources } from '../list-sources.ts';

/** Cursor that a worker leases. */
export type SumKey = { readonly environmentId: string; readonly source: SumSource };

/** Leases of cursors for the workers that update sums. */
export const sumLeases = leaseTable<SumKey>('SumCursor', ['environmentId', 'source']);

/** Progress of the sums of a source. */
export type Cursor = Pick<Row<'SumCursor'>, 'seq' | 'until' | 'day' | 'closedMonth' | 'closesAt'>;

/** SQL for the number of the last row in the environment that a source could contain. */
const counters = `CASE ${sources.map(({ name, counter }) => `WHEN k.source = '${name}' THEN c."${counter}"`).join(' ')} END`;

/** SQL condition for the cursors of any source. */
const ofAny = (condition: (source: Source) => string): string =>
  `(${sources.map((source) => `(k.source = '${source.name}' AND ${condition(source)})`).join(' OR ')})`;

/**
 * CTEs that move cursors to the environment's counter if no rows follow them, so that later searches don't look for rows. Excludes leased
 * cursors. Doesn't wait for locks.
 */
function skipping(own: string, environmentId: string | null): string {
  const isOwn = `${isWithin('k', environmentId, '$3')} ${isWithin('c', environmentId, '$3')}`;
  return `waiting AS MATERIALIZED (
     SELECT k."environmentId", k.source, ${counters} AS counter FROM "SumCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = k."environmentId"
     WHERE ${isFree('k', '$1')} ${isOwn} AND ${ofAny(({ counter, hasRows }) => `k.seq < c."${counter}" AND NOT ${hasRows(own)}`)}
     FOR UPDATE OF k SKIP LOCKED),
   skipped AS (UPDATE "SumCursor" k SET seq = w.counter FROM waiting w
     WHERE k."environmentId" = w."environmentId" AND k.source = w.source ${isWithin('k', environmentId, '$3')})`;
}

/**
 * Returns up to `limit` cursors whose sources have rows that the sums don't include yet, longest waiting first. Excludes leased cursors, and
 * environments with an unfinished clock run. Doesn't wait for locks.
 */
export async function findSumWork(
  { query, isDistributed }: Pick<Database, 'query' | 'isDistributed'>,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<SumKey[]> {
  // A single SQL statement can't move the cursors of several database servers. In that setup, searches in one environment move its
  // cursors.
  const skips = environmentId !== null || !(await isDistributed());
  // Refers to the counter, so that the planner compares the counter before it looks for rows.
  const own = environmentOf('c', environmentId, '$3');
  const hasWork = ({ counter, hasRows, isReady, isDue }: Source): string => {
    const ready = isReady === undefined ? '' : ` AND ${isReady('$1')}`;
    const due = isDue === undefined ? '' : ` OR (${isDue(own, '$1')})`;
    return `((k.seq < c."${counter}"${ready} AND ${hasRows(own)})${due})`;
  };
  return query<SumKey>(
    `${skips ? `WITH ${skipping(own, environmentId)}` : ''}
     SELECT k."environmentId", k.source FROM "SumCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = k."environmentId"
     WHERE ${isFree('k', '$1')} ${isWithin('k', environmentId, '$3')} ${isWithin('c', environmentId, '$3')} AND ${ofAny(hasWork)} AND NOT ${isClockRunning(own)}
     ORDER BY k."leaseUntil" NULLS FIRST LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );
}

/**
 * Locks the cursor of a source until the transaction ends and returns it. `null` if the cursor isn't leased to `owner`. If `owner` is `null`,
 * the lease isn't checked.
 */
export async function lockCursor(
  sql: Query,
  source: SumSource,
  owner: string | null,
): Promise<Cursor | null> {
  const [row] = await sql<Cursor>(
    `SELECT seq, until, day, "closedMonth", "closesAt" FROM "SumCursor"
     WHERE "environmentId" = $1 AND source = $2 AND ($3::text IS NULL OR "leaseOwner" = $3) FOR UPDATE`,
    [source, owner],
  );
  return row ?? null;
}

/** Locks all cursors of the environment until the transaction ends. */
export async function lockCursors(sql: Query): Promise<void> {
  await sql('SELECT source FROM "SumCursor" WHERE "environmentId" = $1 ORDER BY source FOR UPDATE');
}

/** Moves cursors back to the start of their sources. The caller must have locked the cursors. */
export async function resetCursors(sql: Query, names: readonly SumSource[]): Promise<void> {
  await sql(
    `UPDATE "SumCursor" SET seq = 0, until = 'epoch', "nextAt" = 'epoch', day = NULL, "closedMonth" = NULL, "closesAt" = NULL
     WHERE "environmentId" = $1 AND source = ANY($2::text[])`,
    [names],
  );
}

/** Deletes the sums of a source and the other tables derived from it. The caller must have locked the cursor. */
export async function deleteSums(sql: Query, { name, sums, derived }: Source): Promise<void> {
  for (const table of [...sums.map((sum) => sum.table), ...derived])
    await sql(`DELETE FROM "${table}" WHERE "environmentId" = $1`);
  await resetCursors(sql, [name]);
}

/**
 * SQL statement that adds the rows in `fresh` to the sums of a source and moves the cursor. Returns the number of rows. All writes are CTEs
 * of a SELECT, because distributed databases reject EXCLUDED in the final statement after a list of CTEs.
 */
const foldStatement = (source: RowSource, fresh: string, reached: string): string =>
  `WITH ${fresh}, ${foldingAll(source)},
     moved AS (UPDATE "SumCursor" SET ${source.reached} = ${reached} WHERE "environmentId" = $1 AND source = '${source.name}')
   SELECT count(*)::int AS count FROM fresh`;

/**
 * Adds up to `limit` rows after the locked cursor to the sums and moves the cursor, in one SQL statement. Returns
 * `true` if more rows may follow. The last position is read only once, because a distributed database runs the parts of
 * the statement one after another. A row that is committed in between must not be added or skipped.
 */
export async function foldRows(sql: Query, source: RowSource, limit: number): Promise<boolean> {
  const { table, at, reached } = source;
  const last = `last AS MATERIALIZED (SELECT max(e."${at}") AS at FROM "${table}" e WHERE e."environmentId" = $1)`;
  const fresh = freshRows(source, '$2', `e."${at}" <= (SELECT l.at FROM last l)`);
  const [row] = await sql<{ count: number }>(
    foldStatement(
      source,
      `${last}, ${fresh}`,
      `CASE WHEN (SELECT count(*) FROM fresh) = $2 THEN (SELECT max(f."${at}") FROM fresh f) ELSE greatest(${reached}, (SELECT l.at FROM last l)) END`,
    ),
    [limit],
  );
  return row?.count === limit;
}

/** Adds the rows from the locked cursor until a time (exclusive) to the sums, and moves the cursor to this time. Runs one SQL statement. */
export async function foldUntil(sql: Query, source: RowSource, until: Date): Promise<void> {
  const fresh = freshRows(source, 'ALL', `e."${source.at}" < $2`);
  await sql(foldStatement(source, fresh, '$2'), [until]);
}
