import { Redis } from 'ioredis';
import type { Database } from './db/pool.ts';
import { guarded, type Reporter } from './guard.ts';

/**
 * Hints that something may have changed under a topic. Never more than a hint: a lost one only means waiting for the next poll.
 * `hint` is called after a commit and does not wait for anybody.
 */
export type PubSub = {
  readonly hint: (topic: string) => void;
  /** Calls back on every hint of the topic; answers a function that stops it. */
  readonly onHint: (topic: string, heard: () => void) => () => void;
  /** Calls back on every hint with its topic; answers a function that stops it. */
  readonly onAnyHint: (heard: (topic: string) => void) => () => void;
  readonly close: () => Promise<void>;
};

/** Who waits for which topic in this process. One that throws is logged, and keeps the hint from nobody else. */
class Listeners {
  readonly #log: Reporter;
  readonly #byTopic = new Map<string, Set<() => void>>();
  readonly #ofAll = new Set<(topic: string) => void>();

  constructor(log: Reporter) {
    this.#log = log;
  }

  call(topic: string): void {
    for (const heard of this.#byTopic.get(topic) ?? []) heard();
    for (const heard of this.#ofAll) heard(topic);
  }

  addToAll(heard: (topic: string) => void): () => void {
    const safe = guarded(this.#log, 'A hint could not be heard.', heard);
    this.#ofAll.add(safe);
    return () => void this.#ofAll.delete(safe);
  }

  add(topic: string, heard: () => void): () => void {
    const safe = guarded(this.#log, 'A hint could not be heard.', heard);
    const waiting = this.#byTopic.get(topic) ?? new Set();
    waiting.add(safe);
    this.#byTopic.set(topic, waiting);
    return () => {
      waiting.delete(safe);
      if (waiting.size === 0) this.#byTopic.delete(topic);
    };
  }
}

const channel = 'quittance_hints';

function memoryPubSub(log: Reporter): PubSub {
  const listeners = new Listeners(log);
  return {
    hint: (topic) => setImmediate(() => listeners.call(topic)),
    onHint: (topic, heard) => listeners.add(topic, heard),
    onAnyHint: (heard) => listeners.addToAll(heard),
    close: async () => undefined,
  };
}

async function redisPubSub(url: string, log: Reporter): Promise<PubSub> {
  const listeners = new Listeners(log);
  const publisher = new Redis(url, { maxRetriesPerRequest: 1 });
  const subscriber = new Redis(url);
  // Lost connections are retried by the client; the polls behind every hint bridge the time.
  publisher.on('error', () => undefined);
  subscriber.on('error', () => undefined);
  subscriber.on(
    'message',
    guarded(log, 'A hint could not be heard.', (_channel: string, topic: string) => listeners.call(topic)),
  );
  await subscriber.subscribe(channel);
  return {
    hint: (topic) => void publisher.publish(channel, topic).catch(() => undefined),
    onHint: (topic, heard) => listeners.add(topic, heard),
    onAnyHint: (heard) => listeners.addToAll(heard),
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}

async function databasePubSub(database: Database, log: Reporter): Promise<PubSub> {
  const listeners = new Listeners(log);
  const { notify, stop } = await database.listen(channel, (topic) => listeners.call(topic));
  return {
    hint: notify,
    onHint: (topic, heard) => listeners.add(topic, heard),
    onAnyHint: (heard) => listeners.addToAll(heard),
    close: stop,
  };
}

/** Redis when there is an address; memory when this process plays every role; else the database's own notifications. */
export async function openPubSub(
  settings: { redisUrl?: string | undefined; role: 'all' | 'api' | 'worker' },
  database: Database,
  log: Reporter,
): Promise<PubSub> {
  if (settings.redisUrl !== undefined) return redisPubSub(settings.redisUrl, log);
  return settings.role === 'all' ? memoryPubSub(log) : databasePubSub(database, log);
}
