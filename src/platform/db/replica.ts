// Read replica for lists and metrics. The replica is used only while it's known to contain all transactions up to a recent time.
import pg from 'pg';
import { monotonicMs } from '../clock.ts';
import type { Query, Replica } from './pool.ts';

/** Interval at which the positions of both servers are compared, in milliseconds. */
const pollMs = 500;

/** Number of remembered positions of the primary server. */
const mostPositions = 240;

/** Position in the primary server's log, and a time before it was read. The log up to the position contains all transactions up to the time. */
type Position = { readonly atMs: number; readonly lsn: bigint };

/** Bounds of the use of a replica, in milliseconds. */
export type ReplicaBounds = {
  /** Maximum age of the replica's data. */
  readonly lagMs: number;
  /** Time for which a caller reads from the primary server after the start of a write, so that the caller sees the write. */
  readonly afterWriteMs: number;
};

/** SQLSTATE of a statement that took too long. The primary server would need as long. */
const statementTimeout = '57014';

const positionOf = async (query: Query, lsn: string): Promise<bigint | null> => {
  const [row] = await query<{ position: bigint | null }>(
    `SELECT pg_wal_lsn_diff(${lsn}, '0/0')::bigint AS position`,
  );
  return row?.position ?? null;
};

/** Compares the positions of a primary server and its replica. */
class Positions {
  readonly #primary: Query;
  readonly #replica: Query;
  readonly #known: Position[] = [];
  /** Time up to which the replica contains all transactions. */
  #containedMs: number | null = null;

  constructor(primary: Query, replica: Query) {
    this.#primary = primary;
    this.#replica = replica;
  }

  /** Reads both positions. A promoted server has no position, because it no longer replays the log. */
  async compare(): Promise<void> {
    const atMs = monotonicMs();
    const lsn = await positionOf(this.#primary, 'pg_current_wal_insert_lsn()');
    if (lsn === null) return;
    this.#known.push({ atMs, lsn });
    if (this.#known.length > mostPositions) this.#known.shift();
    const replayed = await positionOf(
      this.#replica,
      'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END',
    );
    const contained =
      replayed === null ? undefined : this.#known.findLast((position) => position.lsn <= replayed);
    this.#containedMs = replayed === null ? null : (contained?.atMs ?? this.#containedMs);
  }

  get lagMs(): number | null {
    return this.#containedMs === null ? null : monotonicMs() - this.#containedMs;
  }
}

/** Uses a replica through a pool. `primary` and `replica` execute statements on the servers. */
export function openReplica(
  primary: Query,
  replica: Query,
  { lagMs, afterWriteMs }: ReplicaBounds,
  closePool: () => Promise<void>,
): Replica {
  const positions = new Positions(primary, replica);
  const writtenMs = new Map<string, number>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function forgetWrites(): void {
    const beforeMs = monotonicMs() - afterWriteMs;
    for (const [caller, ms] of writtenMs) if (ms < beforeMs) writtenMs.delete(caller);
  }

  async function poll(): Promise<void> {
    // If a server doesn't respond, the age of the data rises until the replica isn't used.
    await positions.compare().catch(() => undefined);
    forgetWrites();
    if (!isClosed) timer = setTimeout(() => void poll(), pollMs).unref();
  }
  void poll();

  return {
    query: (text, params, rowOf) =>
      replica<never>(text, params, rowOf).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code === statementTimeout) throw error;
        return primary<never>(text, params, rowOf);
      }),
    serves: (caller) => {
      const lag = positions.lagMs;
      return lag !== null && lag <= lagMs && !writtenMs.has(caller);
    },
    noteWrite: (caller) => {
      // A later write moves the caller to the end, so the map stays sorted by time.
      writtenMs.delete(caller);
      writtenMs.set(caller, monotonicMs());
    },
    lagSeconds: () => {
      const lag = positions.lagMs;
      return lag === null ? null : lag / 1_000;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await closePool();
    },
  };
}
