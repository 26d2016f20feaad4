import { createCounter, of } from '../consumers.ts';
import {
  counterRejections,
  countRejections,
  inBody,
  inQuery,
  type Naming,
  overLimit,
  unsubscribed,
  unused,
} from './shared.ts';
import type { ModuleOperations } from './types.ts';

const inMap: Naming = (customerId, featureCode) => ({ body: { customerId, seats: { [featureCode]: 1 } } });

export const operations: ModuleOperations = {
  requests: {
    'POST /seats': async (shop) => ({ body: { ...of(await createCounter(shop, 'seats')), count: 3 } }),
    'PUT /seats': async (shop) => ({ body: { ...of(await createCounter(shop, 'seats')), count: 5 } }),
    'GET /seats/balance': async (shop) => ({ query: of(await createCounter(shop, 'seats', {}, 6)) }),
    'GET /seats/balances': async (shop) => ({
      query: { customerId: (await createCounter(shop, 'seats', {}, 6)).customerId },
    }),
    'PUT /seats/bulk': async (shop) => {
      const { customerId, feature } = await createCounter(shop, 'seats');
      return { body: { customerId, seats: { [feature.code]: 5 } } };
    },
    'POST /seats/remove': async (shop) => ({
      body: { ...of(await createCounter(shop, 'seats', {}, 6)), count: 2 },
    }),
  },
  provocations: {
    'POST /seats': {
      ...countRejections('seats', inBody),
      included_limit_reached: overLimit('seats', inBody),
    },
    'PUT /seats': { ...countRejections('seats', inBody), included_limit_reached: overLimit('seats', inBody) },
    'GET /seats/balance': counterRejections('seats', inQuery),
    'GET /seats/balances': {
      customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
      no_active_subscription: async (shop) => ({ query: { customerId: (await unsubscribed(shop)).id } }),
    },
    'PUT /seats/bulk': {
      ...countRejections('seats', inMap),
      included_limit_reached: overLimit('seats', inMap),
    },
    'POST /seats/remove': {
      ...countRejections('seats', inBody),
      insufficient_seats: async (shop) => ({ body: { ...of(await unused.seats(shop)), count: 1 } }),
    },
  },
};
