import type { App } from '../context.ts';
import { newId } from '../infra/ids.ts';
import { isEventTopic } from '../infra/outbox.ts';
import { type EndpointRef, findEndpointsWithWork, forgetEndpointLeases, leaseEndpoint, releaseEndpoint } from '../infra/webhook-rows.ts';
import { Bell } from './bell.ts';
import { leaseMs, Visit } from './webhook-visit.ts';

/** What delivers events in a process. */
export type Dispatcher = {
  /** Finishes the attempts under way, gives the endpoints back and ends. */
  readonly stop: () => Promise<void>;
};

/** Endpoints served at once by one process. One that does not answer holds its place only, for no longer than its attempts take. */
const maxVisits = 256;

/** Hints come with every commit; looking this often is often enough. */
const restMs = 25;

/** Lets so many pieces of work run at once; the others wait in order. */
class Turnstile {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/**
 * Starts delivering events to webhook endpoints (PLT-42 to PLT-47). It looks for endpoints with something to be told at once when events are
 * hinted, every `workerPollMs` otherwise; each is leased, so that it is served by one worker at a time, and served beside the others, so that
 * none waits for another. Any number of workers may share a database; what one leaves behind when it dies is taken over when its lease ends.
 */
export function startDispatcher(app: App): Dispatcher {
  const { database, config, wall } = app;
  const name = newId('wrk');
  const bell = new Bell();
  const visits = new Map<string, Promise<void>>();
  const turnstile = new Turnstile(database.kind === 'pglite' ? 1 : Math.max(1, Math.floor(config.databasePoolSize / 3)));
  let isStopping = false;
  const owner = { app, name, isStopping: () => isStopping, inTurn: <T>(work: () => Promise<T>) => turnstile.run(work) };

  const serve = async (endpoint: EndpointRef): Promise<void> => {
    try {
      const now = wall.now();
      const until = new Date(now.getTime() + leaseMs(app));
      if (!(await owner.inTurn(() => leaseEndpoint(database.query, endpoint, name, now, until)))) return;
      try {
        await new Visit(owner, endpoint).serve();
      } finally {
        await owner.inTurn(() => releaseEndpoint(database.query, endpoint, name, wall.now()));
      }
    } catch (error) {
      app.log.error({ err: error, webhookId: endpoint.id }, 'A webhook endpoint could not be served.');
    }
  };

  const look = async (): Promise<void> => {
    const places = maxVisits - visits.size;
    if (places === 0) return;
    const found = await owner.inTurn(() => findEndpointsWithWork(database.query, wall.now(), places));
    for (const endpoint of found) {
      const key = `${endpoint.environmentId} ${endpoint.id}`;
      if (visits.has(key)) continue;
      // A visit that ends may leave work behind, and always leaves a place.
      const visit = serve(endpoint).finally(() => {
        visits.delete(key);
        bell.ring();
      });
      visits.set(key, visit);
    }
  };

  const run = async (): Promise<void> => {
    if (database.kind === 'pglite') await forgetEndpointLeases(database.query);
    while (!isStopping) {
      try {
        await look();
      } catch (error) {
        app.log.error({ err: error }, 'Webhook endpoints could not be looked for; it goes on after a pause.');
      }
      await new Promise((resolve) => setTimeout(resolve, restMs));
      if (!isStopping) await bell.wait(config.workerPollMs);
    }
    await Promise.all(visits.values());
  };

  const stopListening = app.pubsub.onAnyHint((topic) => {
    if (isEventTopic(topic)) bell.ring();
  });
  const running = run();
  return {
    stop: async () => {
      isStopping = true;
      stopListening();
      bell.ring();
      await running;
    },
  };
}
