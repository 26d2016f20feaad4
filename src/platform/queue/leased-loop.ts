import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import pLimit from 'p-limit';
import { monotonicMs } from '../clock.ts';
import type { Database } from '../db/pool.ts';
import { guarded } from '../guard.ts';
import { newId } from '../ids.ts';
import { essential } from '../last-resort.ts';
import type { Log } from '../log.ts';
import { inSpan } from '../tracing/spans.ts';
import type { LeaseKey, LeaseTable } from './lease-table.ts';
import { WakeSignal } from './wake-signal.ts';

/** How long a subject rests after its work failed, so that it keeps no place from the others. */
const troubleMs = 5_000;

/** Subjects that may stand aside at once; a further one keeps its place until one of them is done. */
const maxAside = 64;

/** One leased subject, as its work sees it. */
export type Leased<K> = {
  readonly key: K;
  /** Who the lease belongs to. */
  readonly owner: string;
  /** Whether to begin anything further: the lease is ours and the loop is not to end. */
  readonly goesOn: () => boolean;
  /** Makes its place free for another subject while this one stays leased: what follows waits for someone else and uses little here. */
  readonly stepAside: () => Promise<void>;
};

/** What a loop works on, and how. */
export type LeasedLoopOptions<K extends LeaseKey> = {
  /** What the subjects are, for the log: `Emails`. */
  readonly about: string;
  readonly log: Log;
  readonly now: () => Date;
  readonly database: Pick<Database, 'kind' | 'query' | 'isDistributed'>;
  readonly table: LeaseTable<K>;
  /** Subjects worked on at once. */
  readonly places: number;
  /** How long a lease lasts. It is extended every third of this span for as long as the work goes on. */
  readonly leaseMs: number;
  /** The longest pause between two looks. Where rows are distributed over several servers, looks at all of them are rarer (`farLook`). */
  readonly pollMs: number;
  /** The shortest pause between two looks, however many signals come. Defaults to 0. */
  readonly restMs?: number;
  /**
   * Finds up to `limit` subjects that nobody works on and that have something to do now, those that waited longest first; those of one environment
   * where `within` names it. Locks nothing.
   */
  readonly find: (limit: number, now: Date, within: string | null) => Promise<readonly K[]>;
  /** Works on a subject for a slice of time, and begins nothing further once it does not `goesOn`. */
  readonly work: (leased: Leased<K>) => Promise<void>;
  /**
   * Gives the subject back after its work, to be leased again at `restsUntil` at the earliest, which is null after work that did not fail. Defaults to
   * a release of the row that any look may find again.
   */
  readonly release?: (key: K, owner: string, restsUntil: Date | null) => Promise<void>;
};

/** A loop that works in this process. */
export type LeasedLoop = {
  /** Looks at once, since there may be work: in an environment, or in any. */
  readonly wake: (environmentId?: string | null) => void;
  /** Finishes the work under way, gives the leases back and ends. */
  readonly stop: () => Promise<void>;
};

/**
 * How looks go where rows are distributed: what is known to have something is looked for where it lies. A look at all servers is for what comes due by
 * itself and for hints that were lost; so many polls lie between two of them, up to so long.
 */
const farLook = { polls: 15, mostMs: 15_000 } as const;

/** With more environments named than these, one look at all servers costs less. */
const mostNamed = 16;

/** One of the places of a loop, or a place aside. */
type Place = { readonly stepAside: () => Promise<void>; readonly leave: () => void };

class Loop<K extends LeaseKey> {
  readonly #options: LeasedLoopOptions<K>;
  readonly #owner = newId('wrk');
  readonly #signal = new WakeSignal();
  /** The subjects worked on, by key. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #aside = pLimit(maxAside);
  /** Environments that may have something, where rows are distributed. */
  readonly #named = new Set<string>();
  /** When everything is looked at next, where rows are distributed. */
  #farLookAt = 0;
  /** Whether the last look at everything found as many as it asked for. */
  #isMore = false;
  /** Whether the last look at everything failed. */
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

  end(): void {
    this.#stopping.abort();
    this.#signal.raise();
  }

  async run(): Promise<void> {
    const { about, database, log, pollMs, restMs = 0, table } = this.#options;
    // On the embedded database a dead process cannot have a lease any longer: there is only this one.
    if (database.kind === 'pglite') {
      await table
        .forget(database.query)
        .catch((error: unknown) => log.error({ err: error }, `${about}: old leases could not be ended.`));
    }
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#look();
      } catch (error) {
        log.error({ err: error }, `${about}: the search for work failed and continues after a pause.`);
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

  /** Looks in the environments that are named. One that cannot be looked in, since its server is away, keeps its name, and no other from its turn. */
  async #lookNear(): Promise<void> {
    const { find, now } = this.#options;
    let failure: unknown = null;
    // Those that are named meanwhile are looked at next.
    for (const environmentId of [...this.#named].slice(0, mostNamed)) {
      if (this.#freePlaces === 0) break;
      this.#named.delete(environmentId);
      try {
        this.#begin(await find(this.#freePlaces, now(), environmentId));
      } catch (error) {
        this.#named.add(environmentId);
        failure = error;
      }
    }
    if (failure !== null) throw failure;
  }

  /** Looks at all servers. Environments for which there is no place are named, so that the next place looks for them only. */
  async #lookFar(): Promise<void> {
    const { find, now, pollMs } = this.#options;
    const places = this.#freePlaces;
    const limit = places + mostNamed / 2;
    const pause = Math.max(pollMs, Math.min(pollMs * farLook.polls, farLook.mostMs));
    const named = [...this.#named];
    this.#named.clear();
    // A signal that comes while it looks has everything looked at again.
    this.#farLookAt = monotonicMs() + pause;
    try {
      const found = await find(limit, now(), null);
      this.#hasFarFailed = false;
      this.#begin(found.slice(0, places));
      for (const { environmentId } of found.slice(places))
        if (environmentId !== undefined) this.#named.add(environmentId);
      this.#isMore = found.length === limit;
    } catch (error) {
      // While one server is away, environments of the others are looked in where they are named.
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
      // One whose lease ran out while it is worked on here is left to its work.
      if (this.#stopping.signal.aborted || this.#running.has(name)) continue;
      const place = this.#takePlace();
      const serving = this.#serve(key, place).finally(() => {
        this.#running.delete(name);
        // It may have left work behind, and always leaves a place.
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

  /** Leases the subject, works on it and gives it back. Never rejects. */
  async #serve(key: K, place: Place): Promise<void> {
    const { about, database, log, now, leaseMs, release, table } = this.#options;
    try {
      const leasedAt = now();
      const until = new Date(leasedAt.getTime() + leaseMs);
      if (!(await table.lease(database.query, key, this.#owner, leasedAt, until))) return;
      const hasFailed = await this.#work(key, place);
      const restsUntil = hasFailed ? new Date(now().getTime() + troubleMs) : null;
      if (release === undefined) await table.release(database.query, key, this.#owner, restsUntil ?? now());
      else await release(key, this.#owner, restsUntil);
    } catch (error) {
      log.error({ err: error, key }, `${about}: a lease could not be taken or given back.`);
    }
  }

  /** Works on a subject whose lease is extended meanwhile; true when the work failed. */
  async #work(key: K, { stepAside }: Place): Promise<boolean> {
    const { about, database, log, now, leaseMs, table, work } = this.#options;
    const owner = this.#owner;
    let isLeased = true;
    const extend = async (): Promise<void> => {
      const until = new Date(now().getTime() + leaseMs);
      isLeased = await table.extend(database.query, key, owner, until);
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
      log.error({ err: error, key }, `${about}: the work failed.`);
      return true;
    } finally {
      clearInterval(extending);
    }
  }
}

/**
 * Works on the rows of a table that have something to do, each leased to one worker at a time, up to a number of rows beside each other. It searches immediately when it is
 * woken or done with a row, and every `pollMs` otherwise. Any number of loops in any number of processes may share a table: what one leaves behind when
 * it dies is taken over when its lease ends. A row whose work fails rests for five seconds and holds up no other.
 */
export function startLeasedLoop<K extends LeaseKey>(options: LeasedLoopOptions<K>): LeasedLoop {
  const loop = new Loop(options);
  const running = essential(loop.run());
  return {
    wake: (environmentId) => loop.wake(environmentId),
    stop: async () => {
      loop.end();
      await running;
    },
  };
}
