import { FairShare, type ShareSizes } from '../fair-share.ts';
import { assertOutsideTransaction } from './patches/prisma-scope.ts';
import { DatabaseBusyError, type Share } from './pool.ts';

/** Default maximum waiting time for a connection, in milliseconds. */
const defaultWaitMs = 5_000;

/**
 * Returns the sizes for sharing a connection pool among environments. A fifth of the pool is reserved for statements of
 * the process itself, such as key lookups. Of the rest, an environment can use up to half, and a quarter is reserved
 * for environments without connections. If only one environment is active, it can use everything except this quarter. A
 * pool of 10 connections has 8 slots: up to 4 per environment, up to 6 for an environment that is alone, and 2
 * reserved.
 */
export function shareSizes(poolSize: number): ShareSizes {
  const slots = Math.max(1, poolSize - Math.ceil(poolSize / 5));
  const reserved = Math.floor(slots / 4);
  return { slots, most: Math.ceil(slots / 2), mostAlone: slots - reserved, reserved };
}

/** Number of bytes that an environment's large responses may contain per millisecond: 8 MiB per second, a fraction of a process's throughput. */
const bytesPerMs = 8_389;

const late = (): Error => new DatabaseBusyError('No database connection became free in time.');

/** Creates the allocation of pool connections to environments (PLT-67). Work that uses a connection must not request a second one. */
export function openShare(poolSize: number): Share {
  const share = new FairShare(shareSizes(poolSize));
  return {
    run: async (environmentId, work, waitMs = defaultWaitMs) => {
      assertOutsideTransaction();
      return share.run(environmentId, work, waitMs, late);
    },
    charge: (environmentId, bytes) => share.pause(environmentId, Math.ceil(bytes / bytesPerMs)),
  };
}
