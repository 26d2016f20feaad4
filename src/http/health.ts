import type { Database } from '../platform/db/pool.ts';
import { openReadiness } from '../platform/readiness.ts';
import { jsonReply } from './reply.ts';
import type { Route } from './router.ts';

/** Returns the routes for liveness and readiness checks. A process is ready if its database responds and the process isn't shutting down. */
export function healthRoutes(database: Database, isStopping: () => boolean): Route[] {
  const isReady = openReadiness(database);
  return [
    { path: '/healthz', methods: ['GET'], answer: () => jsonReply(200, { status: 'ok' }) },
    {
      path: '/readyz',
      methods: ['GET'],
      answer: async () =>
        !isStopping() && (await isReady())
          ? jsonReply(200, { status: 'ready' })
          : jsonReply(503, { status: 'unavailable' }),
    },
  ];
}
