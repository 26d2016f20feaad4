import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import pLimit from 'p-limit';
import { monotonicMs } from '../clock.ts';
import type { Query } from '../db/pool.ts';
import { queryWithin } from '../db/share.ts';
import { isOfOutage } from '../db/temporary.ts';
import { guarded } from '../guard.ts';
import { newId } from '../ids.ts';
import { essential } from '../last-resort.ts';
import type { Log } from '../log.ts';
import { inSpan } from '../tracing/spans.ts';
import type { LeaseKey, LeaseTable } from './lease-table.ts';
import { WakeSignal } from './wake-signal.ts';
import { type SearchOptions, WorkSearch } from './work-search.ts';

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

export type LeasedLoopOptions<K extends LeaseKey> = SearchOptions<K> & {
  /** Plural name of the subjects in log messages, such as `Emails`. */
  readonly about: string;
  readonly log: Log;
  readonly table: LeaseTable<K>;
  /** Maximum number of subjects in progress at the same time. */
  readonly places: number;
  /** Duration of a lease in milliseconds. Extended after each third of this time while the work runs. */
  readonly leaseMs: number;
  /** Minimum pause between two searches in milliseconds. Defaults to 0. */
  readonly restMs?: number;
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
  /** Shortens the pause before the next search to `pollMs`, because the service writes. */
  readonly stir: () => void;
  /** Counts the subjects with due work that aren't leased, up to `mostCounted`. Searches all servers. */
  readonly backlog: () => Promise<number>;
  /** Completes the current work, releases the leases and ends the loop. */
  readonly stop: () => Promise<void>;
};

/** Slot of a subject: one of the regular slots, or an additional slot after the subject's work called `stepAside`. */
type Place = { readonly stepAside: () => Promise<void>; readonly leave: () => void };

class Loop<K extends LeaseKey> {
  readonly #options: LeasedLoopOptions<K>;
  readonly #owner = newId('wrk');
  readonly #signal = new WakeSignal();
  /** Subjects in progress, by key. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #aside = pLimit(maxAside);
  readonly #search: WorkSearch<K>;
  #freePlaces: number;
  readonly #stopping = new AbortController();

  constructor(options: LeasedLoopOptions<K>) {
    this.#options = options;
    this.#freePlaces = options.places;
    this.#search = new WorkSearch(options, {
      freePlaces: () => this.#freePlaces,
      begin: (found) => this.#begin(found),
    });
  }

  wake(environmentId: string | null = null): void {
    this.#search.expect(environmentId);
    this.#signal.raise();
  }

  stir(): void {
    if (this.#search.stir()) this.#signal.raiseWithin(this.#options.pollMs);
  }

  backlog(): Promise<number> {
    return this.#search.backlog();
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
      let pause = pollMs;
      try {
        pause = await this.#search.run();
        hasFailed = false;
      } catch (error) {
        // The first failure is logged as an error. Further failures in a row usually have the same cause.
        const level = hasFailed || isOfOutage(error) ? 'debug' : 'error';
        log[level]({ err: error }, `${about}: the search for work failed and continues after a pause.`);
        hasFailed = true;
      }
      if (restMs > 0)
        await sleep(restMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (!this.#stopping.signal.aborted) await this.#signal.wait(pause);
    }
    await Promise.all(this.#running.values());
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
        if (key['environmentId'] !== undefined) this.#search.expect(key['environmentId']);
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
 * after a wake-up, after each completed row, and regularly. Several processes can run the loop for the same table; the rows of a
 * crashed process become available when their leases expire. A row whose work failed is leased again after five seconds and doesn't block
 * other rows.
 */
export function startLeasedLoop<K extends LeaseKey>(options: LeasedLoopOptions<K>): LeasedLoop {
  const loop = new Loop(options);
  const running = essential(loop.run());
  return {
    wake: (environmentId) => loop.wake(environmentId),
    stir: () => loop.stir(),
    backlog: () => loop.backlog(),
    stop: async () => {
      loop.end();
      await running;
    },
  };
}
