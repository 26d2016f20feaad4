import { LRUCache } from 'lru-cache';
import { monotonicMs } from '../clock.ts';
import { FairShare, type ShareSizes } from '../fair-share.ts';
import type { Outages } from './outages.ts';
import { assertOutsideTransaction } from './patches/prisma-scope.ts';
import type { PlaceOf } from './places.ts';
import { type Database, DatabaseBusyError, type Query, type Share } from './pool.ts';
import { type Work, works } from './work.ts';

/** Default maximum waiting time for a connection, in milliseconds. */
const defaultWaitMs = 5_000;

/**
 * Returns the sizes for sharing a connection pool among environments. A fifth of the pool is reserved for statements of
 * the process itself, such as key lookups. Of the rest, an environment can use up to half, and a quarter is reserved
 * for environments without connections. If only one environment is active, it can use everything except this quarter. The
 * environments on one node of a cluster can also use everything except this quarter. A pool of 10 connections has 8 slots: up to 4 per
 * environment, up to 6 for an environment that is alone, and 2 reserved.
 */
export function shareSizes(poolSize: number): ShareSizes {
  const slots = Math.max(1, poolSize - Math.ceil(poolSize / 5));
  const reserved = Math.floor(slots / 4);
  return { slots, most: Math.ceil(slots / 2), mostAlone: slots - reserved, reserved };
}

/** Number of environments whose database time is counted, and number of the busiest ones in the metrics. */
const mostTenants = 1_000;
const mostShown = 10;

/** Number of bytes that an environment's large responses may contain per millisecond: 8 MiB per second, a fraction of a process's throughput. */
const bytesPerMs = 8_389;

const late = (): Error => new DatabaseBusyError('No database connection became free in time.');

/** Places of environments, and the circuit breaker for places that don't respond. */
export type Guard = { readonly placeOf: PlaceOf; readonly outages: Outages };

/**
 * Creates the allocation of pool connections to environments (PLT-67). Work that uses a connection must not request a second one. `guard` is
 * `null` if the database is embedded, because it can't become unavailable on its own.
 */
export function openShare(poolSize: number, guard: Guard | null): Share {
  const share = new FairShare(shareSizes(poolSize));

  /** Runs work that has a slot. Its connections are closed if its place becomes unavailable, and at `endsAt`. */
  async function runGuarded<T>(
    { outages }: Guard,
    environmentId: string,
    place: string,
    endsAt: number,
    run: () => Promise<T>,
  ): Promise<T> {
    // The place may have become unavailable while the work waited for its slot.
    outages.demand(place);
    const work: Work = {
      environmentId,
      place,
      startedAt: monotonicMs(),
      endsAt,
      connections: new Set(),
      stopped: null,
    };
    outages.begin(work);
    let failure: unknown = null;
    try {
      return await works.run(work, run);
    } catch (error) {
      failure = error;
      throw outages.end(work, error);
    } finally {
      if (failure === null) outages.end(work, null);
      note(environmentId, monotonicMs() - work.startedAt);
    }
  }

  const uses = new LRUCache<string, { count: number; seconds: number }>({ max: mostTenants });
  const note = (environmentId: string, milliseconds: number): void => {
    const known = uses.get(environmentId) ?? { count: 0, seconds: 0 };
    known.count++;
    known.seconds += milliseconds / 1_000;
    uses.set(environmentId, known);
  };

  return {
    run: async (environmentId, run, { waitMs = defaultWaitMs, budget = null } = {}) => {
      assertOutsideTransaction();
      if (guard === null) return share.run(environmentId, run, waitMs, late);
      const found = guard.placeOf(environmentId);
      const place = typeof found === 'string' ? found : await found;
      guard.outages.demand(place);
      const endsAt = budget?.begin() ?? Number.POSITIVE_INFINITY;
      const wait = Math.max(0, Math.min(waitMs, endsAt - monotonicMs()));
      try {
        return await share.run(
          environmentId,
          () => runGuarded(guard, environmentId, place, endsAt, run),
          wait,
          late,
          place,
        );
      } finally {
        budget?.end();
      }
    },
    charge: (environmentId, bytes) => share.pause(environmentId, Math.ceil(bytes / bytesPerMs)),
    placeOf: (environmentId) => guard?.placeOf(environmentId) ?? environmentId,
    onOutage: (listener) => guard?.outages.onChange(listener),
    state: () => ({
      inUse: share.inUse,
      waiting: share.waiting,
      unavailable: guard?.outages.unavailable ?? [],
      busiest: [...uses.entries()]
        .map(([environment, { count, seconds }]) => ({ environmentId: environment, count, seconds }))
        .toSorted((a, b) => b.seconds - a.seconds)
        .slice(0, mostShown),
    }),
  };
}

/** Returns a query function whose statements count toward an environment's share of the database connections. Use it outside transactions. */
export const queryWithin =
  ({ query, share }: Pick<Database, 'query' | 'share'>, environmentId: string): Query =>
  (text, params, rowOf) =>
    share.run(environmentId, () => query(text, params, rowOf));
