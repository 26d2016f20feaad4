import { createDebit, type Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

const createMandate = async (shop: Shop): Promise<string> => (await createDebit(shop)).mandateId;

export const operations: ModuleOperations = {
  requests: {
    'GET /mandates': async (shop) => {
      await createMandate(shop);
      return { query: { status: 'active', limit: '2' } };
    },
    'GET /mandates/{id}': async (shop) => ({ path: { id: await createMandate(shop) } }),
    'POST /mandates/{id}/revoke': async (shop) => ({ path: { id: await createMandate(shop) } }),
  },
  provocations: {},
  unrouted: {},
};
