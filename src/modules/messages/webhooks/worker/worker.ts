import pLimit from 'p-limit';
import { eventTopicPrefix } from '../../../../outbox/write.ts';
import type { Share } from '../../../../platform/db/pool.ts';
import { declareLoop } from '../../../../request/loop.ts';
import { type EndpointKey, endpointLeases, findEndpointsWithWork } from '../store.ts';
import { Visit } from './visit.ts';

/** Maximum number of endpoints that one process serves at the same time. An unresponsive endpoint occupies only its own slot. */
const maxEndpoints = 256;

/** Pause between searches for endpoints with work. The pause can be short, because every commit wakes the loop anyway. */
const restMs = 25;

/** Time added to the maximum duration of an attempt, so that a lease expires only after its process has died. */
const leaseMarginMs = 20_000;

/**
 * Loop that delivers events to webhook endpoints (PLT-42 to PLT-47). A notification about new events starts a search for endpoints with
 * work. Endpoints are served concurrently and don't wait for each other. Their database work uses up to a third of the connections.
 */
export const webhookLoop = declareLoop<EndpointKey>('webhooks', (app) => {
  const { config, database } = app;
  const inTurn = pLimit(
    database.kind === 'pglite' ? 1 : Math.max(1, Math.floor(config.databasePoolSize / 3)),
  );
  // Takes a turn before a connection, as visits do. In the opposite order, a visit and a lease could wait for each other.
  const run: Share['run'] = (...request) => inTurn(() => database.share.run(...request));
  return {
    about: 'Webhook endpoints',
    database: { ...database, share: { ...database.share, run } },
    table: endpointLeases,
    places: maxEndpoints,
    leaseMs: config.webhookTimeoutMs + leaseMarginMs,
    pollMs: config.workerPollMs,
    restMs,
    wakesOn: eventTopicPrefix,
    find: (limit, now, within) => findEndpointsWithWork(database.query, now, limit, within),
    work: (leased) => new Visit(app, leased, inTurn).serve(),
  };
});
