import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { type ExportRequest, type PlannedChunk, planOf, snapshotOf } from './read-request.ts';
import type { RowSet } from './read-rows.ts';
import { ensureStream, readSnapshot, streamLeases } from './store.ts';

/** How long a stream is its caller's without a chunk; a process that dies leaves it for so long. */
const leaseMs = 60_000;

/** How often it says that it goes on: a commit waits for the disk, which takes as long as some thousand rows. */
const extendMs = 1_000;

/** Where a stream goes on, and the number of the last row of the set. */
export type StreamFrom = {
  /** The cursor that an earlier stream ended with, or the id of the last row that arrived. */
  readonly after?: string | null | undefined;
  /** The number an earlier stream began with. */
  readonly snapshot?: string | null | undefined;
};

/** Rows as bytes, made when they are asked for. */
export type RowStream = {
  readonly snapshot: bigint;
  readonly chunks: Pick<AsyncGenerator<Uint8Array, void>, 'next' | 'return'>;
  /** What there is to tell at the end. */
  readonly summary: () => { readonly rows: number; readonly cursor: string | null };
};

/** Who a stream belongs to. */
function callerIdOf({ caller }: Context): string {
  if (caller.kind === 'key') return caller.apiKeyId;
  return caller.kind === 'member' ? caller.memberId : caller.kind;
}

/** The stream of a caller, leased to one reader at a time. Throws `rate_limited` while another one reads. */
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
        throw new Error('Another reader has the stream of this caller.');
    },
    isOld: (): boolean => monotonicMs() - extendedAt >= extendMs,
    release: () => streamLeases.release(query, key, owner, ctx.wall.now()),
  };
}

/** The same chunks; the lease is given back at the end, after a failure, and when the reader leaves, also before the first. */
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
 * The rows of a request as a file that is written while it is read: nothing is read before the first chunk is asked for, and never more is held than the
 * chunk that is sent and the rows of the next.
 * Throws `rate_limited` while the caller reads another one, `validation_error` for a place that is none.
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
    throw validationError([{ field: 'snapshot', message: 'must be what an earlier stream began with' }]);
  const plan = planOf(schema, exported);
  let cursor = from.after ? await plan.cursorAfter(ctx, from.after) : null;
  let rows = 0;
  const { filter, search } = request;
  const set: RowSet = { filter, search, snapshot, asOf: ctx.clock.now() };
  const lease = await leaseStream(ctx);
  const readNext = async (): Promise<PlannedChunk> => {
    const [read] = await Promise.all([
      plan.read(ctx, set, { cursor, limit: plan.chunkRows }),
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
        // The next rows are read while these are written and sent.
        next = read.isLast ? null : readNext();
        next?.catch(() => undefined);
        // Their statement leaves in the next turn: writing takes as long as the database does.
        await setImmediate();
        // No file is whole of which another reader has the turn by now.
        if (read.isLast) await lease.extend();
        const chunk = await read.write(offset);
        offset += chunk.bytes.length;
        if (chunk.details !== null) details.push(chunk.details);
        yield chunk.bytes;
        rows += read.rows;
      }
    } finally {
      // A reader who leaves does so with nothing under way.
      await next?.catch(() => undefined);
    }
    const end = await plan.end(details, offset);
    if (end.length > 0) yield end;
  };
  return { snapshot, chunks: releasing(written(), lease.release), summary: () => ({ rows, cursor }) };
}
