import type { Database } from '../platform/db/pool.ts';
import { openReadiness } from '../platform/readiness.ts';
import { jsonReply } from './reply.ts';
import type { Route } from './router.ts';

/** Whether the process lives, and whether it wants requests: its database answers, and it is not about to stop. */
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
