import type { GraphQLSchema } from 'graphql';
import { type App, type Context, RequestContext, systemContext } from '../../context.ts';
import { changeTopic } from '../../outbox/write.ts';
import { type Clock, monotonicMs } from '../../platform/clock.ts';
import { type Leased, type LeasedLoop, startLeasedLoop } from '../../platform/queue/leased-loop.ts';
import { hintChange, inTransaction, recordEvents } from '../../transaction.ts';
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

/** How long one export may keep its place while others wait. */
const sliceMs = 2_000;

/** Exports written at once by a process. */
const places = 2;

/** Attempts that may fail in a row before an export is given up. */
const mostFailures = 5;

/** Rows that are counted for the progress; where there are more, the progress has no total. */
const mostCounted = 5_000_000;

const dayMs = 86_400_000;

/** How long the bytes of a finished export are there. */
export const keptDays = 7;

/** The most of one file, where another one begins (DAT-36). */
export type PartLimits = { readonly rows: number; readonly bytes: number };
export const partLimits: PartLimits = { rows: 50_000_000, bytes: 10 * 1_024 ** 3 };

/** An export that is being written, and by whom. */
type Writing = {
  readonly ctx: RequestContext;
  readonly owner: string;
  readonly plan: Plan;
  readonly limits: PartLimits;
  /** The business time, which goes on. */
  readonly present: Clock;
};

/** The context in which rows are read: the time stands where it stood at the start, so that a row shows the same however long it takes. */
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

/** Whether there is more to write. */
const isOpen = ({ status }: Pick<ExportRow, 'status'>): boolean =>
  status === 'queued' || status === 'running';

type Part = Stored.ExportParts[number];

/** The part to write into: another one where the last is full. */
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

/** What a step adds to a part. */
type Added = { readonly rows: number; readonly bytes: Uint8Array; readonly details: Uint8Array | null };

/** The export after a step. */
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

/** Writes the next chunk and notes it in one transaction; null where the export is not the owner's any more, or was canceled. */
async function writeChunk(writing: Writing, row: ExportRow): Promise<ExportRow | null> {
  const { ctx, owner, plan, limits, present } = writing;
  const { number, part } = openPart(row, limits);
  const limit = Math.max(1, Math.min(plan.chunkRows, limits.rows - part.rows));
  const read = await plan.read(ctx, setOf(row), { cursor: row.cursor, limit });
  const { rows, cursor, isLast } = read;
  const chunk = await read.write(part.bytes);
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
        const behind = { number: row.chunks + 1, part: number, offset: BigInt(closed.bytes) };
        await insertChunk(sql, row.id, { ...behind, bytes: end, details: null });
      }
      const now = tx.wall.now();
      if (!isLast) return true;
      await noteEnd(sql, row.id, now, new Date(now.getTime() + keptDays * dayMs));
      // One that is to be delivered ends with that.
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

/** The end of a file whose last chunk has these details; null where the format has none. */
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

/** Writes a leased export for a slice of time. */
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
    const total = await plan.count(ctx, setOf(found), mostCounted);
    await noteStart(ctx.sql, found.id, total, app.wall.now());
  }
  const writing = { ctx, owner, plan, limits, present: system.clock };
  const until = monotonicMs() + sliceMs;
  let row: ExportRow | null = found;
  while (row !== null && isOpen(row) && goesOn() && monotonicMs() < until)
    row = await writeChunk(writing, row);
}

/** Notes an attempt that failed, and gives the export up after several. */
const noteAttempt = (ctx: Context, id: string): Promise<void> =>
  inTransaction(
    ctx,
    async (tx) => {
      const failed = await readExport(tx.sql, id);
      if (failed === null) return;
      const error =
        failed.failures + 1 >= mostFailures ? 'The file could not be written. Ask for it again.' : null;
      const isNoted = await noteFailure(tx.sql, id, error, tx.wall.now());
      hintChange(tx);
      if (isNoted && error !== null) await recordEvents(tx, [endEvent(failed, tx.clock.now(), error)]);
    },
    { clockLock: 'none' },
  );

/** Writes for a slice of time. One that fails again and again is given up, for a reason that is in the log. */
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

/** Starts the writing of exports. What a worker that is gone left is gone on with from its last chunk. */
export function startExports(
  app: App,
  schema: GraphQLSchema,
  limits: PartLimits = partLimits,
): Pick<LeasedLoop, 'stop'> {
  const { config, database, log, pubsub, wall } = app;
  const loop = startLeasedLoop({
    about: 'Exports',
    log,
    now: () => wall.now(),
    database,
    table: exportLeases,
    places: database.kind === 'pglite' ? 1 : places,
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    find: (limit, now, within) => findExportWork(database.query, now, limit, within),
    work: (leased) => serveExport(app, schema, leased, limits),
  });
  const stopListening = pubsub.onHintsBelow(exportTopicPrefix, (environmentId) => loop.wake(environmentId));
  return {
    stop: async () => {
      stopListening();
      await loop.stop();
    },
  };
}
