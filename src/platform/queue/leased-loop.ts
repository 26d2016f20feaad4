import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import pLimit from 'p-limit';
import { monotonicMs } from '../clock.ts';
import { everywhere } from '../db/places.ts';
import type { Database, Query } from '../db/pool.ts';
import { queryWithin } from '../db/share.ts';
import { isOfOutage } from '../db/temporary.ts';
import { WaitBudget } from '../db/wait-budget.ts';
import { guarded } from '../guard.ts';
import { newId } from '../ids.ts';
import { essential } from '../last-resort.ts';
import type { Log } from '../log.ts';
import { inSpan } from '../tracing/spans.ts';
import type { LeaseKey, LeaseTable } from './lease-table.ts';
import { WakeSignal } from './wake-signal.ts';

/** Pause in milliseconds before a subject is leased again after an error, so that the subject doesn't block other subjects. */
const troubleMs = 5_000;

/** Maximum number of leased subjects that don't occupy a slot, because their work called `stepAside`. */
const maxAside = 64;

/** Leased subject: a row whose due work the loop processes. Passed to `work`. */
export type Leased<K> = {
  readonly key: K;
  /** ID of the loop that holds the lease. */
  readonly owner: string;
  /** True if a further step can start: the lease is valid and the loop isn't stopping. */
  readonly goesOn: () => boolean;
  /** Frees the slot of this subject for another subject. This subject stays leased. Used for work that mostly waits. */
  readonly stepAside: () => Promise<void>;
};

export type LeasedLoopOptions<K extends LeaseKey> = {
  /** Plural name of the subjects in log messages, such as `Emails`. */
  readonly about: string;
  readonly log: Log;
  readonly now: () => Date;
  readonly database: Pick<Database, 'kind' | 'query' | 'isDistributed' | 'share'>;
  readonly table: LeaseTable<K>;
  /** Maximum number of subjects in progress at the same time. */
  readonly places: number;
  /** Duration of a lease in milliseconds. Extended after each third of this time while the work runs. */
  readonly leaseMs: number;
  /** Maximum pause between two searches in milliseconds. In a distributed database, see also `farLook`. */
  readonly pollMs: number;
  /** Minimum pause between two searches in milliseconds. Defaults to 0. */
  readonly restMs?: number;
  /**
   * Returns up to `limit` subjects with due work that aren't leased, longest waiting first. If `within` isn't `null`, returns only
   * subjects of this environment. Must not acquire locks.
   */
  readonly find: (limit: number, now: Date, within: string | null) => Promise<readonly K[]>;
  /** Processes the due work of a subject for a limited time. Must not start further steps after `goesOn` returns false. */
  readonly work: (leased: Leased<K>) => Promise<void>;
  /**
   * Ends the lease after the work. If the work failed, the subject can be leased again from `restsUntil`; otherwise `restsUntil` is `null`. Without
   * this function, the subject can be leased again immediately.
   */
  readonly release?: (key: K, owner: string, restsUntil: Date | null) => Promise<void>;
  /** Called after the work on a subject, with its duration in seconds. */
  readonly note?: (seconds: number, hasFailed: boolean) => void;
};

/** Running loop that processes leased subjects. */
export type LeasedLoop = {
  /** Starts a search in one environment. `null` searches all environments. */
  readonly wake: (environmentId?: string | null) => void;
  /** Counts the subjects with due work that aren't leased, up to `mostCounted`. Searches all servers. */
  readonly backlog: () => Promise<number>;
  /** Completes the current work, releases the leases and ends the loop. */
  readonly stop: () => Promise<void>;
};

/**
 * Interval between searches across all servers of a distributed database: `polls` times `pollMs`, up to `mostMs`. Such a search finds work
 * that has become due and work whose notification was lost. Between these searches, environments with known work are searched on their own server. A search
 * is stopped after `stopMs`.
 */
const farLook = { polls: 15, mostMs: 15_000, stopMs: 5_000 } as const;

/** Number of environments above which one search across all servers is cheaper than separate searches. */
const mostNamed = 16;

/** Searches of all servers that run now, by the `query` function of the database, which all loops of a process share. */
const farLooks = new WeakMap<object, ReturnType<typeof pLimit>>();

/**
 * Runs a search of all servers. One search at a time runs in a process, and a search that takes too long is stopped, so that an unavailable server
 * occupies one connection at most.
 */
const inFarLook = <T>(on: Pick<Database, 'query' | 'share'>, search: () => Promise<T>): Promise<T> =>
  farLooks.getOrInsertComputed(on.query, () => pLimit(1))(() =>
    on.share.run(everywhere, search, { budget: new WaitBudget(farLook.stopMs) }),
  );

/** Slot of a subject: one of the regular slots, or an additional slot after the subject's work called `stepAside`. */
type Place = { readonly stepAside: () => Promise<void>; readonly leave: () => void };

/** Maximum number of waiting subjects in the metrics. Further subjects aren't counted. */
const mostCounted = 1_000;

class Loop<K extends LeaseKey> {
  readonly #options: LeasedLoopOptions<K>;
  readonly #owner = newId('wrk');
  readonly #signal = new WakeSignal();
  /** Subjects in progress, by key. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #aside = pLimit(maxAside);
  /** Environments that may have due work. Only used in a distributed database. */
  readonly #named = new Set<string>();
  /** Time of the next search across all servers. Only used in a distributed database. */
  #farLookAt = 0;
  /** True if the last search across all servers returned as many subjects as requested, so that other subjects may have due work. */
  #isMore = false;
  /** True if the last search across all servers failed. */
  #hasFarFailed = false;
  #freePlaces: number;
  readonly #stopping = new AbortController();

  constructor(options: LeasedLoopOptions<K>) {
    this.#options = options;
    this.#freePlaces = options.places;
  }

  wake(environmentId: string | null = null): void {
    if (environmentId === null) this.#farLookAt = 0;
    else this.#named.add(environmentId);
    this.#signal.raise();
  }

  async backlog(): Promise<number> {
    const { database, find, now } = this.#options;
    const found = await inFarLook(database, () => find(mostCounted, now(), null));
    return found.length;
  }

  end(): void {
    this.#stopping.abort();
    this.#signal.raise();
  }

  async run(): Promise<void> {
    const { about, database, log, pollMs, restMs = 0, table } = this.#options;
    // Only this process uses the embedded database, so all existing leases are from earlier processes.
    if (database.kind === 'pglite') {
      await table
        .forget(database.query)
        .catch((error: unknown) => log.error({ err: error }, `${about}: old leases could not be ended.`));
    }
    let hasFailed = false;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#look();
        hasFailed = false;
      } catch (error) {
        // The first failure is logged as an error. Further failures in a row usually have the same cause.
        const level = hasFailed || isOfOutage(error) ? 'debug' : 'error';
        log[level]({ err: error }, `${about}: the search for work failed and continues after a pause.`);
        hasFailed = true;
      }
      if (restMs > 0)
        await sleep(restMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (!this.#stopping.signal.aborted) await this.#signal.wait(pollMs);
    }
    await Promise.all(this.#running.values());
  }

  async #look(): Promise<void> {
    if (this.#freePlaces === 0) return;
    const { database, find, now, table } = this.#options;
    if (!table.isOfEnvironments || !(await database.isDistributed())) {
      this.#named.clear();
      return this.#begin(await find(this.#freePlaces, now(), null));
    }
    const isMany = this.#named.size > mostNamed && !this.#hasFarFailed;
    if (monotonicMs() >= this.#farLookAt || isMany) return this.#lookFar();
    await this.#lookNear();
    if (this.#isMore && this.#freePlaces > 0) await this.#lookFar();
  }

  /**
   * Searches environments that may have due work. If a server is unavailable, its environments are searched again later, and other environments
   * aren't affected.
   */
  async #lookNear(): Promise<void> {
    const { database, find, now } = this.#options;
    let failure: unknown = null;
    // Searches a copy of the list. The next search handles environments that are added during this search.
    for (const environmentId of [...this.#named].slice(0, mostNamed)) {
      if (this.#freePlaces === 0) break;
      this.#named.delete(environmentId);
      try {
        const search = () => find(this.#freePlaces, now(), environmentId);
        this.#begin(await database.share.run(environmentId, search));
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
  async #lookFar(): Promise<void> {
    const { database, find, now, pollMs } = this.#options;
    const places = this.#freePlaces;
    const limit = places + mostNamed / 2;
    const pause = Math.max(pollMs, Math.min(pollMs * farLook.polls, farLook.mostMs));
    const named = [...this.#named];
    this.#named.clear();
    // Set before the search, so that a signal during the search triggers another search.
    this.#farLookAt = monotonicMs() + pause;
    try {
      const found = await inFarLook(database, () => find(limit, now(), null));
      this.#hasFarFailed = false;
      this.#begin(found.slice(0, places));
      for (const { environmentId } of found.slice(places))
        if (environmentId !== undefined) this.#named.add(environmentId);
      this.#isMore = found.length === limit;
    } catch (error) {
      // While a server is unavailable, environments on other servers are searched separately.
      this.#hasFarFailed = true;
      this.#isMore = false;
      for (const environmentId of named) this.#named.add(environmentId);
      this.#farLookAt = monotonicMs() + pollMs;
      throw error;
    }
  }

  #begin(found: readonly K[]): void {
    for (const key of found) {
      const name = JSON.stringify(key);
      // Skips a subject that this process is still working on although the lease has expired.
      if (this.#stopping.signal.aborted || this.#running.has(name)) continue;
      const place = this.#takePlace();
      const serving = this.#serve(key, place).finally(() => {
        this.#running.delete(name);
        // A slot is free again, and the environment may have more work.
        if (key['environmentId'] !== undefined) this.#named.add(key['environmentId']);
        place.leave();
      });
      this.#running.set(name, serving);
    }
  }

  #takePlace(): Place {
    this.#freePlaces--;
    const left = Promise.withResolvers<void>();
    let isOwn = true;
    const leaveOwn = (): void => {
      if (isOwn) this.#freePlaces++;
      isOwn = false;
      this.#signal.raise();
    };
    const stepAside = async (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      void this.#aside(() => {
        resolve();
        return left.promise;
      });
      await promise;
      leaveOwn();
    };
    return {
      stepAside,
      leave: () => {
        left.resolve();
        leaveOwn();
      },
    };
  }

  /** Returns the query function for a subject. Statements about an environment count toward the environment's share of the connections. */
  #queryFor(key: K): Query {
    const { database } = this.#options;
    const environmentId = key['environmentId'];
    return environmentId === undefined ? database.query : queryWithin(database, environmentId);
  }

  /** Leases a subject, runs its work and releases the lease. Never rejects. */
  async #serve(key: K, place: Place): Promise<void> {
    const { about, log, now, leaseMs, note, release, table } = this.#options;
    try {
      const leasedAt = now();
      const until = new Date(leasedAt.getTime() + leaseMs);
      const query = this.#queryFor(key);
      if (!(await table.lease(query, key, this.#owner, leasedAt, until))) return;
      const began = monotonicMs();
      const hasFailed = await this.#work(key, place);
      note?.((monotonicMs() - began) / 1_000, hasFailed);
      const restsUntil = hasFailed ? new Date(now().getTime() + troubleMs) : null;
      if (release === undefined) await table.release(query, key, this.#owner, restsUntil ?? now());
      else await release(key, this.#owner, restsUntil);
    } catch (error) {
      if (!isOfOutage(error))
        log.error({ err: error, key }, `${about}: a lease could not be taken or given back.`);
    }
  }

  /** Runs the work on a subject and extends the lease until the work ends. Returns true if the work failed. */
  async #work(key: K, { stepAside }: Place): Promise<boolean> {
    const { about, log, now, leaseMs, table, work } = this.#options;
    const owner = this.#owner;
    let isLeased = true;
    const extend = async (): Promise<void> => {
      const until = new Date(now().getTime() + leaseMs);
      isLeased = await table.extend(this.#queryFor(key), key, owner, until);
    };
    const extending = setInterval(guarded(log, `${about}: a lease was not extended.`, extend), leaseMs / 3);
    try {
      const leased = { key, owner, stepAside, goesOn: () => isLeased && !this.#stopping.signal.aborted };
      await inSpan(
        () => ({ name: about, attributes: { ...key }, parent: ROOT_CONTEXT }),
        () => work(leased),
      );
      return false;
    } catch (error) {
      if (!isOfOutage(error)) log.error({ err: error, key }, `${about}: the work failed.`);
      return true;
    } finally {
      clearInterval(extending);
    }
  }
}

/**
 * Processes the due rows of a table. Each row is leased to one worker at a time, and the number of concurrent rows is limited. Searches
 * after a wake-up, after each completed row, and every `pollMs`. Several processes can run the loop for the same table; the rows of a
 * crashed process become available when their leases expire. A row whose work failed is leased again after five seconds and doesn't block
 * other rows.
 */
export function startLeasedLoop<K extends LeaseKey>(options: LeasedLoopOptions<K>): LeasedLoop {
  const loop = new Loop(options);
  const running = essential(loop.run());
  return {
    wake: (environmentId) => loop.wake(environmentId),
    backlog: () => loop.backlog(),
    stop: async () => {
      loop.end();
      await running;
    },
  };
}
