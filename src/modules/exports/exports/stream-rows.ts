import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { requireStreamQuota } from '../../../engine/quotas.ts';
import { monotonicMs } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inExportTurn } from '../../../request/turn.ts';
import { type ExportRequest, type PlannedChunk, planOf, snapshotOf } from './read-request.ts';
import type { RowSet } from './read-rows.ts';
import { ensureStream, readSnapshot, streamLeases } from './store.ts';

/** Duration of a stream's lease. If a process dies, the caller can't start another stream until the lease expires. */
const leaseMs = 60_000;

/** Approximate size of a chunk. The number of rows in a chunk depends on the size of previous rows. */
const chunkBytes = 1_048_576;
const firstRows = 200;

/**
 * Interval between lease extensions. Each extension waits for a disk write, which takes as long as generating about a
 * thousand rows.
 */
const extendMs = 1_000;

/** Resume position of a stream, and the sequence number of the last row in the selection. */
export type StreamFrom = {
  /** Cursor at the end of an earlier stream, or the ID of the last received row. */
  readonly after?: string | null | undefined;
  /** Snapshot of the selected rows, as returned by an earlier stream. */
  readonly snapshot?: string | null | undefined;
};

/** Exported rows as bytes that are generated on demand. */
export type RowStream = {
  readonly snapshot: bigint;
  readonly chunks: Pick<AsyncGenerator<Uint8Array, void>, 'next' | 'return'>;
  /** Returns the number of rows and the last cursor. Call this function after the last chunk. */
  readonly summary: () => { readonly rows: number; readonly cursor: string | null };
};

/** Returns the ID of the caller that owns a stream. */
function callerIdOf({ caller }: Context): string {
  if (caller.kind === 'key') return caller.apiKeyId;
  return caller.kind === 'member' ? caller.memberId : caller.kind;
}

/** Returns the number of rows for a chunk, based on the size of the rows written so far. */
const rowsPerChunk = (most: number, rows: number, bytes: number): number =>
  bytes === 0 ? most : Math.max(1, Math.min(most, Math.ceil((rows * chunkBytes) / bytes)));

/** Leases the caller's stream to one reader at a time. Throws `rate_limited` if another reader holds the lease. */
async function leaseStream(ctx: Context) {
  const key = { environmentId: ctx.environment.id, callerId: callerIdOf(ctx) };
  const { query } = ctx.app.database;
  const owner = newId('str');
  const until = (): Date => new Date(ctx.wall.now().getTime() + leaseMs);
  await ensureStream(ctx.sql, key.callerId);
  if (!(await streamLeases.lease(query, key, owner, ctx.wall.now(), until())))
    throw specificError('rate_limited', 'export_stream');
  let extendedAt = monotonicMs();
  return {
    extend: async (): Promise<void> => {
      extendedAt = monotonicMs();
      if (!(await streamLeases.extend(query, key, owner, until())))
        throw new Error("Another reader has taken over this caller's stream.");
    },
    isOld: (): boolean => monotonicMs() - extendedAt >= extendMs,
    release: () => streamLeases.release(query, key, owner, ctx.wall.now()),
  };
}

/**
 * Wraps chunks so that the lease is released when the stream ends or fails, or when the reader closes the stream, even before the first
 * chunk.
 */
function releasing(
  chunks: AsyncGenerator<Uint8Array, void>,
  release: () => Promise<void>,
): RowStream['chunks'] {
  return {
    next: async () => {
      try {
        const next = await chunks.next();
        if (next.done === true) await release();
        return next;
      } catch (error) {
        await release();
        throw error;
      }
    },
    return: async () => {
      await chunks.return();
      await release();
      return { done: true, value: undefined };
    },
  };
}

/**
 * Streams the requested rows as a file that is generated while the caller reads it. Reads nothing before the first chunk is requested.
 * Keeps at most two chunks in memory: the chunk that is being sent, and the rows of the next chunk. Throws `rate_limited` if the caller is
 * reading another stream, `quota_exceeded` if a free sandbox has no streams left, and `validation_error` if the position is invalid.
 */
export async function streamRows(
  ctx: Context,
  schema: GraphQLSchema,
  exported: ExportRequest,
  from: StreamFrom,
): Promise<RowStream> {
  const { kind, request } = exported;
  const present = snapshotOf(kind, await readSnapshot(ctx.sql));
  const snapshot = from.snapshot ? BigInt(from.snapshot) : present;
  if (snapshot > present)
    throw validationError([
      { field: 'snapshot', message: 'must be a snapshot that an earlier stream returned' },
    ]);
  const plan = planOf(schema, exported);
  let cursor = from.after ? await plan.cursorAfter(ctx, from.after) : null;
  let rows = 0;
  const { filter, search } = request;
  const set: RowSet = { filter, search, snapshot, asOf: ctx.clock.now() };
  await requireStreamQuota(ctx);
  const lease = await leaseStream(ctx);
  let limit = Math.min(firstRows, plan.chunkRows);
  const readNext = async (): Promise<PlannedChunk> => {
    const [read] = await Promise.all([
      plan.read(ctx, set, { cursor, limit }),
      lease.isOld() ? lease.extend() : undefined,
    ]);
    return read;
  };
  const written = async function* (): AsyncGenerator<Uint8Array, void> {
    const details: Uint8Array[] = [];
    let offset = 0;
    let next: Promise<PlannedChunk> | null = readNext();
    try {
      while (next !== null) {
        const read: PlannedChunk = await next;
        ({ cursor } = read);
        // Read the next rows while the current chunk is being written and sent.
        next = read.isLast ? null : readNext();
        next?.catch(() => undefined);
        // The file is complete only if the reader still holds the lease.
        if (read.isLast) await lease.extend();
        const chunk = await inExportTurn(ctx, async () => {
          // Creating a chunk takes as long as the database query. Yield, so that the next statement and the process's other work can start
          // first.
          await setImmediate();
          return read.write(offset);
        });
        limit = rowsPerChunk(plan.chunkRows, read.rows, chunk.bytes.length);
        offset += chunk.bytes.length;
        if (chunk.details !== null) details.push(chunk.details);
        yield chunk.bytes;
        rows += read.rows;
      }
    } finally {
      // If the reader closes the stream, wait for the pending read.
      await next?.catch(() => undefined);
    }
    const end = await plan.end(details, offset);
    if (end.length > 0) yield end;
  };
  return { snapshot, chunks: releasing(written(), lease.release), summary: () => ({ rows, cursor }) };
}
