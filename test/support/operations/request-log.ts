import { createRequestRecord } from '../factories/request-log.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /request-log': async (shop) => {
      await createRequestRecord(shop);
      return { query: { operation: 'plans', failed: 'false', text: 'data' } };
    },
    'GET /request-log/{id}': async (shop) => ({ path: await createRequestRecord(shop) }),
    'POST /request-log/{id}/replay': async (shop) => ({ path: await createRequestRecord(shop), body: {} }),
  },
  provocations: {
    'GET /request-log/{id}': { not_found: noId({ id: 'none' }) },
    'POST /request-log/{id}/replay': {
      not_found: noId({ id: 'none' }, {}),
      sandbox_only: { because: 'Only requests in the live environment fail with this code.' },
    },
  },
};
