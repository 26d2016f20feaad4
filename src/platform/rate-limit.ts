import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { openRedis } from './redis.ts';

/** Where a caller stands in its window after one more request. */
export type Allowance = {
  /** Requests allowed in the window. */
  readonly limit: number;
  /** Requests left in the window, from 0 on. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
};

/** The windows that are counted apart: usage ingestion, provisioning of organizations, purchases of visitors, proofs of a password, rejected credentials, and everything else (PLT-61). */
export type Bucket = 'general' | 'ingestion' | 'provisioning' | 'purchases' | 'password' | 'rejected';

/** Counts requests in fixed windows of 60 seconds per caller and bucket, in this process or shared through Redis. */
export type RateLimits = {
  /** Counts requests, one by default. Never throws: when Redis cannot be reached, this process counts alone. */
  readonly take: (caller: string, bucket: Bucket, requests?: number) => Promise<Allowance>;
  /** The window of a caller where this process has seen its end, which costs no request to Redis; null for any other. Counts nothing. */
  readonly usedUp: (caller: string, bucket: Bucket) => Promise<Allowance | null>;
  readonly close: () => Promise<void>;
};

/** Whose window a request without a caller counts in: that of its address. */
export const addressName = (remoteAddress: string): string => `address:${remoteAddress}`;

/** The headers that tell a caller where its window stands. */
export const allowanceHeaders = ({ limit, remaining, resetSeconds }: Allowance): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});

/** The headers of a 429: where the window stands, and how many whole seconds to wait. */
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

/** Opens the counters. A limit of 0 never rejects; its windows read as endless (PLT-61). */
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
  // Lost connections are retried by the client; meanwhile no request waits for them and the process counts alone.
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
  return {
    take: async (caller, bucket, requests = 1) => {
      if (limits[bucket] === 0) return unlimited;
      const taken = await counted(caller, bucket, requests);
      if (bucket === 'rejected' && taken.remaining === 0)
        await ended.block(`${bucket}:${caller}`, taken.resetSeconds);
      return taken;
    },
    usedUp: async (caller, bucket) => {
      const found = await ended.get(`${bucket}:${caller}`);
      return found === null ? null : allowance(limits[bucket], found, true);
    },
    close: async () => redis?.disconnect(),
  };
}
