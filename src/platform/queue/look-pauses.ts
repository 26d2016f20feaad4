/** Kind of search: of one database server, or of all servers of a distributed database. */
export type LookScope = 'server' | 'cluster';

/** Length of a pause: a multiple of the loop's `pollMs`, but at most `ms` milliseconds. */
type Length = { readonly polls: number; readonly ms: number };

/** Shortest and longest pause. A search of a cluster runs a statement on every shard. `least` applies while the service writes, and each search without a result then doubles the pause up to `most`. */
const pauses = {
  server: { least: { polls: 1, ms: Number.POSITIVE_INFINITY }, most: { polls: 30, ms: 30_000 } },
  cluster: { least: { polls: 15, ms: 15_000 }, most: { polls: 120, ms: 120_000 } },
} as const satisfies Record<LookScope, { readonly least: Length; readonly most: Length }>;

/**
 * Pauses between a loop's searches for work. A quiet service searches rarely, because notifications start searches for new work. The searches
 * only find work whose notification was lost, work of a crashed process, and work that becomes due. Such work starts late by at most the
 * time for which the service was quiet.
 */
export class LookPauses {
  readonly #pollMs: number;
  /** Number of consecutive searches without a result. */
  #empty = 0;

  constructor(pollMs: number) {
    this.#pollMs = pollMs;
  }

  #lengthOf({ polls, ms }: Length): number {
    return Math.max(this.#pollMs, Math.min(this.#pollMs * polls, ms));
  }

  /** Returns the shortest pause in milliseconds. */
  least(scope: LookScope): number {
    return this.#lengthOf(pauses[scope].least);
  }

  /** Returns the pause after a search in milliseconds. */
  after(scope: LookScope, isEmpty: boolean): number {
    const least = this.least(scope);
    const pause = Math.min(least * 2 ** Math.min(this.#empty, 10), this.#lengthOf(pauses[scope].most));
    this.#empty = isEmpty ? this.#empty + 1 : 0;
    return isEmpty ? pause : least;
  }

  /** Ends the growth of the pauses, because the service writes. Returns true if the current pause can be longer than the shortest one. */
  stir(): boolean {
    const wasQuiet = this.#empty > 1;
    this.#empty = 0;
    return wasQuiet;
  }
}
