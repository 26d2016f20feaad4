import { createRequire } from 'node:module';
import type { Redis, RedisOptions } from 'ioredis';

const require = createRequire(import.meta.url);

type Options = Pick<RedisOptions, 'autoResubscribe' | 'enableOfflineQueue' | 'maxRetriesPerRequest'>;

/** Creates a Redis client. The client library is loaded on first use. */
export function openRedis(url: string, options: Options): Redis {
  const library = require('ioredis') as typeof import('ioredis');
  return new library.Redis(url, options);
}
