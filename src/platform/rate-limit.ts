import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { openRedis } from './redis.ts';

/** State of a rate limit window after a request. */
export type Allowance = {
  /** Maximum number of requests in a window. */
  readonly limit: number;
  /** Number of requests that remain in the window. Never negative. */
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. At least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
};

/**
 * Buckets with separate rate limits: usage ingestion, organization provisioning, purchases by page visitors, password attempts, and rejected
 * credentials. `general` applies to all other requests (PLT-61).
 */
export type Bucket = 'general' | 'ingestion' | 'provisioning' | 'purchases' | 'password' | 'rejected';

/** Request that is counted before its outcome is known. The request isn't counted if the limit is exceeded. */
export type Reservation = {
  readonly allowance: Allowance;
  /** Ends the reservation. `kept` requests remain counted; `given back` requests are subtracted. */
  readonly settle: (outcome: 'kept' | 'given back') => Promise<void>;
};

/** Rate limits with fixed windows of 60 seconds per caller and bucket. Counted in this process, or in Redis for all processes. */
export type RateLimits = {
  /** Counts `requests` requests, by default 1. Never throws; while Redis is unavailable, each process counts separately. */
  readonly take: (caller: string, bucket: Bucket, requests?: number) => Promise<Allowance>;
  /**
   * Counts a request before its outcome is known. If the window is full only because of this process's open reservations, waits until a
   * reservation is released or all reservations are settled. Doesn't call Redis after the limit is exceeded.
   */
  readonly reserve: (caller: string, bucket: Bucket) => Promise<Reservation>;
  readonly close: () => Promise<void>;
};

/** Returns the rate limit key of an IP address, for requests without a caller. */
export const addressName = (remoteAddress: string): string => `address:${remoteAddress}`;

/** Returns the rate limit headers of a response. */
export const allowanceHeaders = ({ limit, remaining, resetSeconds }: Allowance): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});

/** Returns the headers for a 429 response: the rate limit headers and `Retry-After`. */
export const exceededHeaders = (allowance: Allowance): Record<string, string> => ({
  ...allowanceHeaders(allowance),
  'Retry-After': String(allowance.resetSeconds),
});

const windowSeconds = 60;
const unlimited: Allowance = {
  limit: Number.MAX_SAFE_INTEGER,
  remaining: Number.MAX_SAFE_INTEGER,
  resetSeconds: windowSeconds,
  isExceeded: false,
};

const allowance = (limit: number, counted: RateLimiterRes, isExceeded: boolean): Allowance => ({
  limit,
  remaining: Math.max(0, counted.remainingPoints),
  resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
  isExceeded,
});

function limiter(bucket: Bucket, points: number, redis: Redis | null): RateLimiterAbstract {
  const options = { keyPrefix: `rate:${bucket}`, points, duration: windowSeconds };
  const memory = new RateLimiterMemory(options);
  return redis === null
    ? memory
    : new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory });
}

const nothing = async (): Promise<void> => undefined;

/** Unsettled reservations of this process by window, with the callers that wait for a reservation to end. */
class OpenReservations {
  readonly #windows = new Map<string, { count: number; readonly waiting: (() => void)[] }>();

  has(name: string): boolean {
    return this.#windows.has(name);
  }

  add(name: string): void {
    this.#windows.getOrInsertComputed(name, () => ({ count: 0, waiting: [] })).count++;
  }

  /** Resolves when a reservation in the window is released, or when all reservations are settled. */
  change(name: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const window = this.#windows.get(name);
    if (window === undefined) resolve();
    else window.waiting.push(resolve);
    return promise;
  }

  remove(name: string, isGivenBack: boolean): void {
    const window = this.#windows.get(name);
    if (window === undefined) return;
    window.count--;
    if (window.count === 0) this.#windows.delete(name);
    const woken = window.count === 0 ? window.waiting.length : isGivenBack ? 1 : 0;
    for (const wake of window.waiting.splice(0, woken)) wake();
  }
}

/** Creates the rate limits. A bucket with a limit of 0 never rejects requests, and its headers show the largest safe integer (PLT-61). */
export function openRateLimits(settings: {
  readonly rateLimitPerMinute: number;
  readonly rateLimitIngestionPerMinute: number;
  readonly provisioningPerMinute: number;
  readonly purchasesPerMinute: number;
  readonly signInsPerMinute: number;
  readonly redisUrl?: string | undefined;
}): RateLimits {
  const redis =
    settings.redisUrl === undefined ? null : openRedis(settings.redisUrl, { enableOfflineQueue: false });
  // Ignores connection errors, because the client reconnects automatically. Until then, requests don't wait for Redis, and each process
  // counts separately.
  redis?.on('error', () => undefined);
  const limits: Record<Bucket, number> = {
    general: settings.rateLimitPerMinute,
    ingestion: settings.rateLimitIngestionPerMinute,
    provisioning: settings.provisioningPerMinute,
    purchases: settings.purchasesPerMinute,
    password: settings.signInsPerMinute,
    rejected: settings.rateLimitPerMinute,
  };
  const limiters = {
    general: limiter('general', limits.general, redis),
    ingestion: limiter('ingestion', limits.ingestion, redis),
    provisioning: limiter('provisioning', limits.provisioning, redis),
    purchases: limiter('purchases', limits.purchases, redis),
    password: limiter('password', limits.password, redis),
    rejected: limiter('rejected', limits.rejected, redis),
  };
  const ended = new RateLimiterMemory({ keyPrefix: 'ended', points: 0, duration: windowSeconds });
  const counted = async (caller: string, bucket: Bucket, requests: number): Promise<Allowance> => {
    try {
      return allowance(limits[bucket], await limiters[bucket].consume(caller, requests), false);
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) return allowance(limits[bucket], rejected, true);
      throw rejected;
    }
  };
  const openNow = new OpenReservations();
  const giveBack = async (caller: string, bucket: Bucket): Promise<void> => {
    await limiters[bucket].reward(caller, 1);
  };
  const reserve = async (caller: string, bucket: Bucket): Promise<Reservation> => {
    const name = `${bucket}:${caller}`;
    for (;;) {
      const found = await ended.get(name);
      if (found !== null) return { allowance: allowance(limits[bucket], found, true), settle: nothing };
      const taken = await counted(caller, bucket, 1);
      if (!taken.isExceeded) {
        openNow.add(name);
        const settle: Reservation['settle'] = async (outcome) => {
          if (outcome === 'given back') await giveBack(caller, bucket);
          openNow.remove(name, outcome === 'given back');
        };
        return { allowance: taken, settle };
      }
      await giveBack(caller, bucket);
      if (!openNow.has(name)) {
        await ended.block(name, taken.resetSeconds);
        return { allowance: taken, settle: nothing };
      }
      await openNow.change(name);
    }
  };
  return {
    take: async (caller, bucket, requests = 1) =>
      limits[bucket] === 0 ? unlimited : counted(caller, bucket, requests),
    reserve: async (caller, bucket) =>
      limits[bucket] === 0 ? { allowance: unlimited, settle: nothing } : reserve(caller, bucket),
    close: async () => redis?.disconnect(),
  };
}
