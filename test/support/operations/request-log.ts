import { createRequestRecord } from '../factories/request-log.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /request-log': async (shop) => {
      await createRequestRecord(shop);
      return { query: { operation: 'plans', failed: 'false' } };
    },
    'GET /request-log/{id}': async (shop) => ({ path: await createRequestRecord(shop) }),
    'POST /request-log/{id}/replay': async (shop) => ({ path: await createRequestRecord(shop), body: {} }),
  },
};
