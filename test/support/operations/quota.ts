import { createCounter, of } from '../consumers.ts';
import { createFeature } from '../factories.ts';
import {
  counterRejections,
  countRejections,
  inBody,
  inQuery,
  overLimit,
  unsubscribed,
  unused,
} from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /usage/quota': async (shop) => ({ query: of(await createCounter(shop, 'quota', {}, 6)) }),
    'POST /usage/quota': async (shop) => ({ body: { ...of(await createCounter(shop, 'quota')), count: 3 } }),
    'PUT /usage/quota': async (shop) => ({ body: { ...of(await createCounter(shop, 'quota')), count: 5 } }),
    'GET /usage/quota/all': async (shop) => ({
      query: { customerId: (await createCounter(shop, 'quota', {}, 6)).customerId },
    }),
    'POST /usage/quota/remove': async (shop) => ({ body: of(await createCounter(shop, 'quota', {}, 6)) }),
  },
  provocations: {
    'GET /usage/quota': {
      ...counterRejections('quota', inQuery),
      feature_not_in_plan: async (shop) => ({
        query: {
          customerId: (await unused.quota(shop)).customerId,
          featureCode: (await createFeature(shop, 'quota')).code,
        },
      }),
    },
    'POST /usage/quota': {
      ...countRejections('quota', inBody),
      included_limit_reached: overLimit('quota', inBody),
    },
    'PUT /usage/quota': {
      ...countRejections('quota', inBody),
      included_limit_reached: overLimit('quota', inBody),
    },
    'GET /usage/quota/all': {
      customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
      no_active_subscription: async (shop) => ({ query: { customerId: (await unsubscribed(shop)).id } }),
    },
    'POST /usage/quota/remove': {
      ...countRejections('quota', inBody),
      insufficient_balance: async (shop) => ({
        body: { ...of(await unused.quota(shop)), count: 1 },
      }),
    },
  },
};
