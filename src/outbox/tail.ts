import { setTimeout as rest } from 'node:timers/promises';
import { monotonicMs } from '../platform/clock.ts';
import type { EnvironmentDetails } from '../platform/credentials.ts';
import { findEnvironments } from '../platform/credentials.ts';
import { groupsByServer, type Reader } from '../platform/db/distribution.ts';
import type { Log } from '../platform/log.ts';
import type { PubSub } from '../platform/pubsub.ts';
import { WakeSignal } from '../platform/queue/wake-signal.ts';
import { Feed } from './feed.ts';
import { readEventsAfter, readStandings } from './read.ts';
import { changeTopic, eventTopic } from './write.ts';

// Reads new events from all environments with listeners in this process. Each environment is read once, regardless of the number of
// listeners. A read starts after each notification, and a periodic poll compensates for lost notifications.

/** Interval between polls in milliseconds, which is also the maximum delay of an event whose notification was lost. */
const pollMs = 1_000;

/** Refresh interval in milliseconds for values that can change without an event. */
const refreshMs = 5_000;

/** Delay in milliseconds before a retry after a database error. */
const restMs = 500;

/** Maximum number of events to read per environment at a time. */
const pageSize = 500;

/** Number of events to keep in memory: in total, and the minimum and maximum per environment. */
const kept = { all: 25_600, least: 64, most: 1_024 } as const;

type Parts = {
  readonly database: Reader;
  readonly pubsub: PubSub;
  readonly log: Log;
};

/** Runs `work` for all parts at the same time. Throws the first failure after all parts have ended. */
async function settled<Part>(parts: readonly Part[], work: (part: Part) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(parts.map(work));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Feed of an environment. `isDue` is true if the feed must be read. */
type Followed = { readonly feed: Feed; readonly stopHearing: () => void; isDue: boolean };

/** Reader of the events of all environments with listeners. Doesn't read anything if there are no listeners. */
export class Tail {
  readonly #parts: Parts;
  readonly #followed = new Map<string, Followed>();
  readonly #signal = new WakeSignal();
  #isRunning = false;
  #pollAt = 0;
  #refreshAt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the feed of an environment. The caller must add a listener immediately, and remove it later. */
  feed(environmentId: string): Feed {
    const known = this.#followed.get(environmentId);
    if (known !== undefined) return known.feed;
    const followed: Followed = {
      feed: new Feed(environmentId, {
        left: () => this.#leave(environmentId),
        look: () => this.#wake(followed),
      }),
      stopHearing: this.#hear(environmentId, () => this.#wake(followed)),
      isDue: true,
    };
    this.#followed.set(environmentId, followed);
    for (const { feed } of this.#followed.values()) feed.keep(this.#share());
    this.#signal.raise();
    if (!this.#isRunning) void this.#run();
    return followed.feed;
  }

  #hear(environmentId: string, heard: () => void): () => void {
    const { pubsub } = this.#parts;
    const stops = [eventTopic, changeTopic].map((topic) => pubsub.onHint(topic(environmentId), heard));
    return () => {
      for (const stop of stops) stop();
    };
  }

  #share(): number {
    return Math.min(kept.most, Math.max(kept.least, Math.floor(kept.all / this.#followed.size)));
  }

  #wake(followed: Followed): void {
    followed.isDue = true;
    this.#signal.raise();
  }

  #leave(environmentId: string): void {
    this.#followed.get(environmentId)?.stopHearing();
    this.#followed.delete(environmentId);
    // Wakes the read loop, which ends if no feeds are left.
    this.#signal.raise();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#pollAt = monotonicMs() + pollMs;
    this.#refreshAt = monotonicMs() + refreshMs;
    let failures = 0;
    while (this.#followed.size > 0) {
      await this.#signal.wait(Math.max(0, this.#pollAt - monotonicMs()));
      try {
        await this.#look();
        failures = 0;
      } catch (error) {
        // Keeps all feeds after a database error and retries the read.
        failures++;
        if (failures === 1) this.#parts.log.warn({ err: error }, 'Live fields wait for the database.');
        await rest(restMs);
      }
    }
    this.#isRunning = false;
  }

  /** Polls all environments if the poll is due, then reads the events of changed environments. */
  async #look(): Promise<void> {
    const now = monotonicMs();
    const isPolled = now >= this.#pollAt;
    await this.#place(isPolled);
    if (isPolled) this.#pollAt = now + pollMs;
    if (now >= this.#refreshAt) {
      for (const followed of this.#followed.values()) if (followed.feed.isRefreshed) followed.isDue = true;
      this.#refreshAt = now + refreshMs;
    }
    await this.#read();
  }

  /** Reads the positions of new environments, or of all environments. If the position has changed, the environment becomes due. */
  async #place(all: boolean): Promise<void> {
    const looked = [...this.#followed.values()].filter(({ feed }) => all || !feed.isPlaced);
    if (looked.length === 0) return;
    const { database } = this.#parts;
    const ids = looked.map(({ feed }) => feed.environmentId);
    await settled(await groupsByServer(database, ids), async ({ query, environmentIds }) => {
      for (const standing of await readStandings(query, environmentIds)) {
        const followed = this.#followed.get(standing.environmentId);
        if (followed?.feed.place(standing) === true) followed.isDue = true;
      }
    });
  }

  async #read(): Promise<void> {
    const due = [...this.#followed.values()].filter(({ feed, isDue }) => isDue && feed.isPlaced);
    if (due.length === 0) return;
    // Reset before the read, so that a notification during the read triggers another read.
    for (const followed of due) {
      followed.isDue = false;
      followed.feed.begin();
    }
    // In a distributed database, an unavailable server delays only the events of environments on this server.
    const parts = (await this.#parts.database.isDistributed()) ? due.map((followed) => [followed]) : [due];
    await settled(parts, async (part) => {
      try {
        await this.#readOf(part);
      } catch (error) {
        for (const followed of part) followed.isDue = true;
        throw error;
      }
    });
  }

  async #readOf(due: readonly Followed[]): Promise<void> {
    const { database } = this.#parts;
    const cursors = due.map(({ feed: { environmentId, position } }) => ({ environmentId, position }));
    const events = await readEventsAfter(database, cursors, pageSize);
    // The state is read after the events, so that it's at least as recent as the events.
    const environments = await findEnvironments(
      database,
      due.map(({ feed }) => feed.environmentId),
    );
    const eventsOf = Map.groupBy(events, ({ environmentId }) => environmentId);
    const detailsOf = new Map<string, EnvironmentDetails>(environments.map((each) => [each.id, each]));
    for (const followed of due) {
      const { feed } = followed;
      const read = eventsOf.get(feed.environmentId) ?? [];
      if (read.length === pageSize) this.#wake(followed);
      feed.take(read, detailsOf.get(feed.environmentId) ?? null);
    }
  }
}
