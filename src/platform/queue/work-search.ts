import pLimit from 'p-limit';
import { monotonicMs } from '../clock.ts';
import { everywhere } from '../db/places.ts';
import type { Database } from '../db/pool.ts';
import { WaitBudget } from '../db/wait-budget.ts';
import type { LeaseKey, LeaseTable } from './lease-table.ts';
import { LookPauses } from './look-pauses.ts';

/** Time in milliseconds after which a search of all servers is stopped. */
const stopMs = 5_000;

/** Number of environments above which one search of all servers is cheaper than separate searches. */
const mostNamed = 16;

/** Maximum number of waiting subjects in the metrics. Further subjects aren't counted. */
const mostCounted = 1_000;

/** Searches of all servers that run now, by the `query` function of the database, which all loops of a process share. */
const clusterSearches = new WeakMap<object, ReturnType<typeof pLimit>>();

/**
 * Runs a search of all servers. One search at a time runs in a process, and a search that takes too long is stopped, so that an unavailable server
 * occupies one connection at most.
 */
const ofCluster = <T>(on: Pick<Database, 'query' | 'share'>, search: () => Promise<T>): Promise<T> =>
  clusterSearches.getOrInsertComputed(on.query, () => pLimit(1))(() =>
    on.share.run(everywhere, search, { budget: new WaitBudget(stopMs) }),
  );

/** Options of a search for due work. */
export type SearchOptions<K extends LeaseKey> = {
  readonly now: () => Date;
  readonly database: Pick<Database, 'kind' | 'query' | 'isDistributed' | 'share'>;
  readonly table: Pick<LeaseTable<K>, 'isOfEnvironments'>;
  /** Pause between two searches in milliseconds while the service writes. `LookPauses` defines the pauses of a quiet service. */
  readonly pollMs: number;
  /**
   * Returns up to `limit` subjects with due work that aren't leased, longest waiting first. If `within` isn't `null`, returns only
   * subjects of this environment. Must not acquire locks.
   */
  readonly find: (limit: number, now: Date, within: string | null) => Promise<readonly K[]>;
  /** Returns the earliest time after `now` at which a subject's work becomes due. `null` if no work is scheduled. */
  readonly findNextDue?: (now: Date) => Promise<Date | null>;
};

/** Loop that receives the found subjects. `begin` can lower the number of free slots. */
type Receiver<K> = { readonly freePlaces: () => number; readonly begin: (found: readonly K[]) => void };

/**
 * Search for the due work of a leased loop. In a distributed database, environments that may have due work are searched on their own servers.
 * The less frequent searches of all servers find work that has become due, and work whose notification was lost.
 */
export class WorkSearch<K extends LeaseKey> {
  readonly #options: SearchOptions<K>;
  readonly #receiver: Receiver<K>;
  readonly #pauses: LookPauses;
  /** Environments that may have due work. Only used in a distributed database. */
  readonly #named = new Set<string>();
  /** Time of the next search of all servers. Only used in a distributed database. */
  #clusterAt = 0;
  /** True if the last search of all servers returned as many subjects as requested, so that other subjects may have due work. */
  #isMore = false;
  /** True if the last search of all servers failed. */
  #hasFailed = false;

  constructor(options: SearchOptions<K>, receiver: Receiver<K>) {
    this.#options = options;
    this.#receiver = receiver;
    this.#pauses = new LookPauses(options.pollMs);
  }

  /** Includes an environment in the next search. `null` includes all environments. */
  expect(environmentId: string | null): void {
    this.stir();
    if (environmentId === null) this.#clusterAt = 0;
    else this.#named.add(environmentId);
  }

  /** Notes that the service writes. Returns true if the current pause has to be shortened to `pollMs`. */
  stir(): boolean {
    if (!this.#pauses.stir()) return false;
    this.#clusterAt = Math.min(this.#clusterAt, monotonicMs() + this.#pauses.least('cluster'));
    return true;
  }

  /** Counts the subjects with due work that aren't leased, up to `mostCounted`. */
  async backlog(): Promise<number> {
    const { database, find, now } = this.#options;
    return (await ofCluster(database, () => find(mostCounted, now(), null))).length;
  }

  /** Searches once, passes the found subjects to the receiver, and returns the pause before the next search in milliseconds. */
  async run(): Promise<number> {
    const { database, find, now, pollMs, table } = this.#options;
    const { freePlaces, begin } = this.#receiver;
    if (freePlaces() === 0) return pollMs;
    if (!table.isOfEnvironments || !(await database.isDistributed())) {
      this.#named.clear();
      const found = await find(freePlaces(), now(), null);
      begin(found);
      return this.#untilDue(this.#pauses.after('server', found.length === 0));
    }
    const isMany = this.#named.size > mostNamed && !this.#hasFailed;
    if (monotonicMs() >= this.#clusterAt || isMany) await this.#searchCluster();
    else {
      await this.#searchNamed();
      if (this.#isMore && freePlaces() > 0) await this.#searchCluster();
    }
    return this.#named.size > 0 ? pollMs : Math.max(1, this.#clusterAt - monotonicMs());
  }

  /** Shortens a pause so that it ends when the next work becomes due. */
  async #untilDue(pause: number): Promise<number> {
    const { findNextDue, now, pollMs } = this.#options;
    if (findNextDue === undefined || pause <= pollMs) return pause;
    const at = await findNextDue(now());
    return at === null ? pause : Math.max(1, Math.min(pause, at.getTime() - now().getTime()));
  }

  /**
   * Searches environments that may have due work. If a server is unavailable, its environments are searched again later, and other environments
   * aren't affected.
   */
  async #searchNamed(): Promise<void> {
    const { database, find, now } = this.#options;
    const { freePlaces, begin } = this.#receiver;
    let failure: unknown = null;
    // Searches a copy of the list. The next search handles environments that are added during this search.
    for (const environmentId of [...this.#named].slice(0, mostNamed)) {
      if (freePlaces() === 0) break;
      this.#named.delete(environmentId);
      try {
        begin(await database.share.run(environmentId, () => find(freePlaces(), now(), environmentId)));
      } catch (error) {
        this.#named.add(environmentId);
        failure = error;
      }
    }
    if (failure !== null) throw failure;
  }

  /**
   * Searches all servers. If the search finds more environments than there are free slots, the remaining environments are searched
   * separately later.
   */
  async #searchCluster(): Promise<void> {
    const { database, find, now, pollMs } = this.#options;
    const places = this.#receiver.freePlaces();
    const limit = places + mostNamed / 2;
    const named = [...this.#named];
    this.#named.clear();
    // Set before the search, so that a signal during the search triggers another search.
    const next = monotonicMs() + this.#pauses.least('cluster');
    this.#clusterAt = next;
    try {
      const found = await ofCluster(database, () => find(limit, now(), null));
      this.#hasFailed = false;
      this.#receiver.begin(found.slice(0, places));
      for (const { environmentId } of found.slice(places))
        if (environmentId !== undefined) this.#named.add(environmentId);
      this.#isMore = found.length === limit;
      const pause = await this.#untilDue(this.#pauses.after('cluster', found.length === 0));
      if (this.#clusterAt === next) this.#clusterAt = monotonicMs() + pause;
    } catch (error) {
      // While a server is unavailable, environments on other servers are searched separately.
      this.#hasFailed = true;
      this.#isMore = false;
      for (const environmentId of named) this.#named.add(environmentId);
      this.#clusterAt = monotonicMs() + pollMs;
      throw error;
    }
  }
}
