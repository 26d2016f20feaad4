import type { Database } from '../platform/db/pool.ts';
import { openReadiness } from '../platform/readiness.ts';
import { jsonReply } from './reply.ts';
import type { Route } from './router.ts';

/** Whether the process lives, and whether its database answers. */
export function healthRoutes(database: Database): Route[] {
  const isReady = openReadiness(database);
  return [
    { path: '/healthz', methods: ['GET'], answer: () => jsonReply(200, { status: 'ok' }) },
    {
      path: '/readyz',
      methods: ['GET'],
      answer: async () =>
        (await isReady()) ? jsonReply(200, { status: 'ready' }) : jsonReply(503, { status: 'unavailable' }),
    },
  ];
}
