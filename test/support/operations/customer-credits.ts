import { createCredit, createCustomer } from '../factories.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /customers/{id}/credits': async (shop) => {
      const { id } = await createCustomer(shop);
      await createCredit(shop, id);
      return { path: { id } };
    },
    'POST /customers/{id}/credits': async (shop) => ({
      path: { id: (await createCustomer(shop)).externalId },
      body: { amount: 2_500, currency: 'usd', reason: 'An outage.', expiresAt: '2099-12-31T00:00:00Z' },
    }),
    'POST /customers/{id}/credits/{creditId}/revoke': async (shop) => {
      const { id } = await createCustomer(shop);
      return { path: { id, creditId: (await createCredit(shop, id)).id } };
    },
  },
  provocations: {
    'GET /customers/{id}/credits': { customer_not_found: noId({ id: 'cus_none' }) },
    'POST /customers/{id}/credits': {
      customer_not_found: noId({ id: 'cus_none' }, { amount: 100, currency: 'usd', reason: 'None.' }),
    },
    'POST /customers/{id}/credits/{creditId}/revoke': {
      customer_not_found: noId({ id: 'cus_none', creditId: 'crd_none' }),
      not_found: async (shop) => ({ path: { id: (await createCustomer(shop)).id, creditId: 'crd_none' } }),
    },
  },
};
