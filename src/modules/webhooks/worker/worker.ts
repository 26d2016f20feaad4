import pLimit from 'p-limit';
import type { App } from '../../../context.ts';
import { eventTopicPrefix } from '../../../outbox/write.ts';
import type { Database } from '../../../platform/db/pool.ts';
import { type LeasedLoop, startLeasedLoop } from '../../../platform/queue/leased-loop.ts';
import { endpointLeases, findEndpointsWithWork } from '../store.ts';
import { Visit } from './visit.ts';

/** Endpoints served at once by one process. One that does not answer holds its place only, for no longer than its attempts take. */
const maxEndpoints = 256;

/** Hints come with every commit; looking this often is often enough. */
const restMs = 25;

/** How much longer than an attempt a lease lasts, so that it passes on only when its process is gone. */
const leaseMarginMs = 20_000;

/** What delivers events in a process. */
export type Dispatcher = Pick<LeasedLoop, 'stop'>;

/**
 * Starts delivering events to webhook endpoints (PLT-42 to PLT-47). It searches for endpoints with something to deliver immediately when events are
 * hinted. Each is served beside the others, so that none waits for another; their work on the database takes a third of the connections at most.
 */
export function startDispatcher(app: App): Dispatcher {
  const { config, database, log, wall } = app;
  const inTurn = pLimit(
    database.kind === 'pglite' ? 1 : Math.max(1, Math.floor(config.databasePoolSize / 3)),
  );
  const query: Database['query'] = (...request) => inTurn(() => database.query(...request));
  const loop = startLeasedLoop({
    about: 'Webhook endpoints',
    log,
    now: () => wall.now(),
    database: { ...database, query },
    table: endpointLeases,
    places: maxEndpoints,
    leaseMs: config.webhookTimeoutMs + leaseMarginMs,
    pollMs: config.workerPollMs,
    restMs,
    find: (limit, now, within) => findEndpointsWithWork(query, now, limit, within),
    work: (leased) => new Visit(app, leased, inTurn).serve(),
  });
  const stopListening = app.pubsub.onHintsBelow(eventTopicPrefix, (environmentId) =>
    loop.wake(environmentId),
  );
  return {
    stop: async () => {
      stopListening();
      await loop.stop();
    },
  };
}
