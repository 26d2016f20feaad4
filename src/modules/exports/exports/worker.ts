import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import { dayMs } from '../../../domain/time/period.ts';
import { changeTopic } from '../../../outbox/write.ts';
import { type Clock, monotonicMs } from '../../../platform/clock.ts';
import type { Leased } from '../../../platform/queue/leased-loop.ts';
import { type App, type Context, RequestContext, systemContext } from '../../../request/context.ts';
import { declareLoop, type Loop } from '../../../request/loop.ts';
import { hintChange, inTransaction, recordEvents } from '../../../request/transaction.ts';
import { inExportTurn } from '../../../request/turn.ts';
import { exportTopic, exportTopicPrefix } from './create.ts';
import { type Plan, planOf } from './read-request.ts';
import type { RowSet } from './read-rows.ts';
import {
  type ExportKey,
  type ExportRow,
  exportLeases,
  findExportWork,
  insertChunk,
  noteEnd,
  noteFailure,
  noteProgress,
  noteStart,
  readDetails,
  readExport,
} from './store.ts';
import { endEvent } from './write-event.ts';

/** Maximum time that an export is written while other exports are waiting. */
const sliceMs = 2_000;

const places = 2;

/** Number of consecutive failures after which an export fails permanently. */
const maxFailures = 5;

/** Maximum number of rows to count for the total of an export. Larger exports have no total. */
const maxCounted = 5_000_000;

/** Number of days that the files of a finished export are stored. */
const keptDays = 7;

/** Maximum size of one file. Rows that exceed the limit are written to another file (DAT-36). */
export type PartLimits = { readonly rows: number; readonly bytes: number };
const partLimits: PartLimits = { rows: 50_000_000, bytes: 10 * 1_024 ** 3 };

/** Export being written, with the worker's state. */
type Writing = {
  readonly ctx: RequestContext;
  readonly owner: string;
  readonly plan: Plan;
  readonly limits: PartLimits;
  /** Current time of the environment, which advances while the export is written. */
  readonly present: Clock;
};

/**
 * Creates the context for reading rows. The context's time is fixed at the start of the export, so that the contents don't depend on how
 * long the export takes.
 */
async function contextAt(app: App, environmentId: string, asOf: Date): Promise<RequestContext> {
  const system = await systemContext(app, environmentId, 'export');
  const ctx = new RequestContext(app, 'export');
  ctx.become(system.caller, { ...system.environment, simulatedTime: asOf });
  return ctx;
}

const setOf = ({ request, snapshot, asOf }: ExportRow): RowSet => ({
  filter: request.filter,
  search: request.search,
  since: request.since,
  snapshot,
  asOf,
});

/** True if the export has more rows to write. */
const isOpen = ({ status }: Pick<ExportRow, 'status'>): boolean =>
  status === 'queued' || status === 'running';

type Part = Stored.ExportParts[number];

/** Returns the file to write to. Starts a new file if the last file is full. */
function openPart(
  { parts }: ExportRow,
  limits: PartLimits,
): { readonly number: number; readonly part: Part } {
  const last = parts.at(-1);
  const isFull = last !== undefined && (last.rows >= limits.rows || last.bytes >= limits.bytes);
  return last === undefined || isFull
    ? { number: parts.length + 1, part: { rows: 0, bytes: 0 } }
    : { number: parts.length, part: last };
}

/** Rows and bytes that a chunk adds to a file. */
type Added = { readonly rows: number; readonly bytes: Uint8Array; readonly details: Uint8Array | null };

/** Returns the export with its progress after a chunk was written. */
function advanced(
  row: ExportRow,
  number: number,
  part: Part,
  added: Added,
  cursor: string | null,
): ExportRow {
  const grown = { rows: part.rows + added.rows, bytes: part.bytes + added.bytes.length };
  return {
    ...row,
    chunks: row.chunks + 1,
    rows: row.rows + BigInt(added.rows),
    bytes: row.bytes + BigInt(added.bytes.length),
    parts: [...row.parts.slice(0, number - 1), grown],
    cursor,
  };
}

/** Writes the next chunk and records it in one transaction. Returns `null` if the owner lost the lease or the export was canceled. */
async function writeChunk(writing: Writing, row: ExportRow): Promise<ExportRow | null> {
  const { ctx, owner, plan, limits, present } = writing;
  const { number, part } = openPart(row, limits);
  const limit = Math.max(1, Math.min(plan.chunkRows, limits.rows - part.rows));
  const read = await plan.read(ctx, setOf(row), { cursor: row.cursor, limit });
  const { rows, cursor, isLast } = read;
  const chunk = await inExportTurn(ctx, async () => {
    await setImmediate();
    return read.write(part.bytes);
  });
  const added = { rows, ...chunk };
  const next = advanced(row, number, part, added, cursor);
  const closed = next.parts[number - 1] ?? part;
  const isClosed = isLast || closed.rows >= limits.rows || closed.bytes >= limits.bytes;
  const end = isClosed ? await endOf(writing, next, number, chunk.details) : null;
  const last =
    end === null ? next : advanced(next, number, closed, { rows: 0, bytes: end, details: null }, cursor);
  const isWritten = await inTransaction(
    ctx,
    async (tx) => {
      const { sql } = tx;
      if (!(await noteProgress(sql, { id: row.id, owner, before: row.chunks }, last))) return false;
      const at = { number: row.chunks, part: number, offset: BigInt(part.bytes) };
      await insertChunk(sql, row.id, { ...at, ...chunk });
      if (end !== null) {
        const endChunk = { number: row.chunks + 1, part: number, offset: BigInt(closed.bytes) };
        await insertChunk(sql, row.id, { ...endChunk, bytes: end, details: null });
      }
      const now = tx.wall.now();
      if (!isLast) return true;
      await noteEnd(sql, row.id, now, new Date(now.getTime() + keptDays * dayMs));
      // An export with a delivery ends only after the files have been delivered.
      if (last.isForDelivery)
        tx.transaction.afterCommit(() => tx.app.pubsub.hint(exportTopic(tx.environment.id)));
      else await recordEvents(tx, [endEvent(last, present.now(), null)]);
      return true;
    },
    { clockLock: 'none' },
  );
  ctx.app.pubsub.hint(changeTopic(ctx.environment.id));
  if (!isWritten) return null;
  return isLast ? { ...last, status: 'completed' } : last;
}

/** Returns the final bytes of a file, based on the chunk metadata. `null` if the format doesn't need final bytes. */
async function endOf(
  { ctx, plan }: Writing,
  row: ExportRow,
  number: number,
  details: Uint8Array | null,
): Promise<Uint8Array | null> {
  const stored = await readDetails(ctx.sql, row.id, number);
  const all = details === null ? stored : [...stored, details];
  const bytes = await plan.end(all, row.parts[number - 1]?.bytes ?? 0);
  return bytes.length === 0 ? null : bytes;
}

/** Writes a leased export until its time slice ends. */
async function write(
  app: App,
  schema: GraphQLSchema,
  { key, owner, goesOn }: Leased<ExportKey>,
  limits: PartLimits,
): Promise<void> {
  const system = await systemContext(app, key.environmentId, 'export');
  const found = await readExport(system.sql, key.id);
  if (found === null || !isOpen(found)) return;
  const ctx = await contextAt(app, key.environmentId, found.asOf);
  const plan = planOf(schema, found);
  if (found.status === 'queued') {
    const total = await plan.count(ctx, setOf(found), maxCounted);
    await noteStart(ctx.sql, found.id, total, app.wall.now());
  }
  const writing = { ctx, owner, plan, limits, present: system.clock };
  const until = monotonicMs() + sliceMs;
  let row: ExportRow | null = found;
  while (row !== null && isOpen(row) && goesOn() && monotonicMs() < until)
    row = await writeChunk(writing, row);
}

/** Records a failed attempt. After several consecutive failures, the export fails permanently. */
const noteAttempt = (ctx: Context, id: string): Promise<void> =>
  inTransaction(
    ctx,
    async (tx) => {
      const failed = await readExport(tx.sql, id);
      if (failed === null) return;
      const error =
        failed.failures + 1 >= maxFailures ? 'The file could not be written. Start a new export.' : null;
      const isNoted = await noteFailure(tx.sql, id, error, tx.wall.now());
      hintChange(tx);
      if (isNoted && error !== null) await recordEvents(tx, [endEvent(failed, tx.clock.now(), error)]);
    },
    { clockLock: 'none' },
  );

/** Writes an export until its time slice ends. Logs failures. After repeated failures, the export fails permanently. */
export async function serveExport(
  app: App,
  schema: GraphQLSchema,
  leased: Leased<ExportKey>,
  limits: PartLimits,
): Promise<void> {
  try {
    await write(app, schema, leased, limits);
  } catch (error) {
    const ctx = await systemContext(app, leased.key.environmentId, 'export');
    await noteAttempt(ctx, leased.key.id);
    throw error;
  }
}

/** Returns the loop that writes exports. If a worker dies, another worker resumes its export after the last completed chunk. */
export const exportLoop = (schema: GraphQLSchema): Loop =>
  declareLoop<ExportKey>('exports', (app) => {
    const { config, database } = app;
    return {
      about: 'Exports',
      table: exportLeases,
      places: database.kind === 'pglite' ? 1 : places,
      leaseMs: config.workerLeaseMs,
      pollMs: config.workerPollMs,
      wakesOn: exportTopicPrefix,
      find: (limit, now, within) => findExportWork(database.query, now, limit, within),
      work: (leased) => serveExport(app, schema, leased, partLimits),
    };
  });
