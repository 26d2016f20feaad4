import type { Database } from './db/pool.ts';
import { guarded, type Reporter } from './guard.ts';
import { openRedis } from './redis.ts';

/**
 * Notifications about changes, by topic. A lost notification only delays the change until the next poll. After a lost
 * connection, all listeners are called, because notifications may have been missed. `hint` must be called after the
 * commit and doesn't wait.
 */
export type PubSub = {
  readonly hint: (topic: string) => void;
  /** Calls `heard` for each notification on the topic. Returns a function that unsubscribes. */
  readonly onHint: (topic: string, heard: () => void) => () => void;
  /**
   * Calls `heard` for each notification on topics with this prefix, and passes the rest of the topic, or `null` if
   * notifications may have been missed. Returns a function that unsubscribes.
   */
  readonly onHintsBelow: (prefix: string, heard: (rest: string | null) => void) => () => void;
  readonly close: () => Promise<void>;
};

/** Listeners in this process, by topic. An error in a listener is logged and doesn't affect other listeners. */
class Listeners {
  readonly #log: Reporter;
  readonly #byTopic = new Map<string, Set<() => void>>();
  readonly #below = new Set<{
    readonly prefix: string;
    readonly heard: (rest: string | null) => void;
  }>();

  constructor(log: Reporter) {
    this.#log = log;
  }

  call(topic: string): void {
    for (const heard of this.#byTopic.get(topic) ?? []) heard();
    for (const { prefix, heard } of this.#below)
      if (topic.startsWith(prefix)) heard(topic.slice(prefix.length));
  }

  /** Calls all listeners, because notifications on any topic may have been missed. */
  callAll(): void {
    for (const listeners of this.#byTopic.values()) for (const heard of listeners) heard();
    for (const { heard } of this.#below) heard(null);
  }

  addBelow(prefix: string, heard: (rest: string | null) => void): () => void {
    const listener = { prefix, heard: guarded(this.#log, 'A hint could not be heard.', heard) };
    this.#below.add(listener);
    return () => void this.#below.delete(listener);
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
    onHintsBelow: (prefix, heard) => listeners.addBelow(prefix, heard),
    close: async () => undefined,
  };
}

async function redisPubSub(url: string, log: Reporter): Promise<PubSub> {
  const listeners = new Listeners(log);
  const publisher = openRedis(url, { maxRetriesPerRequest: 1 });
  const subscriber = openRedis(url, { autoResubscribe: false });
  // Ignores connection errors, because the client reconnects automatically. Until then, listeners rely on polling.
  publisher.on('error', () => undefined);
  subscriber.on('error', () => undefined);
  subscriber.on(
    'message',
    guarded(log, 'A hint could not be heard.', (_channel: string, topic: string) => listeners.call(topic)),
  );
  await subscriber.subscribe(channel);
  const resubscribe = async (): Promise<void> => {
    await subscriber.subscribe(channel);
    listeners.callAll();
  };
  // If the connection is lost during the call, the next connection subscribes again.
  subscriber.on('ready', () => void resubscribe().catch(() => undefined));
  return {
    hint: (topic) => void publisher.publish(channel, topic).catch(() => undefined),
    onHint: (topic, heard) => listeners.add(topic, heard),
    onHintsBelow: (prefix, heard) => listeners.addBelow(prefix, heard),
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}

async function databasePubSub(database: Database, log: Reporter): Promise<PubSub> {
  const listeners = new Listeners(log);
  const { notify, stop } = await database.listen(channel, {
    heard: (topic) => listeners.call(topic),
    resumed: () => listeners.callAll(),
  });
  return {
    hint: notify,
    onHint: (topic, heard) => listeners.add(topic, heard),
    onHintsBelow: (prefix, heard) => listeners.addBelow(prefix, heard),
    close: stop,
  };
}

/**
 * Opens the notification transport: Redis if configured, in-process if the process has all roles, otherwise PostgreSQL
 * notifications.
 */
export async function openPubSub(
  settings: { redisUrl?: string | undefined; role: 'all' | 'api' | 'worker' },
  database: Database,
  log: Reporter,
): Promise<PubSub> {
  if (settings.redisUrl !== undefined) return redisPubSub(settings.redisUrl, log);
  return settings.role === 'all' ? memoryPubSub(log) : databasePubSub(database, log);
}
