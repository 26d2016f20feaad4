import { createBalanceConsumer } from '../consumers.ts';
import type { Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

const terms = {
  threshold: 50_000,
  refill: { amount: 2_000 },
  maxAmountPerMonth: 20_000,
  consentReference: 'contract-7',
};

/** Sets an automatic top-up for a new customer, and returns the customer. */
async function toppedUp(shop: Shop) {
  const { customerId } = await createBalanceConsumer(shop);
  await shop.rest('PUT', `/customers/${customerId}/auto-top-up`, terms);
  return { path: { id: customerId } };
}

export const operations: ModuleOperations = {
  requests: {
    'GET /customers/{id}/auto-top-up': toppedUp,
    'PUT /customers/{id}/auto-top-up': async (shop) => ({
      path: { id: (await createBalanceConsumer(shop, 0)).customerId },
      query: { asset: 'usd' },
      body: { ...terms, maxPerMonth: 5, minPause: 60 },
    }),
    'DELETE /customers/{id}/auto-top-up': toppedUp,
    'POST /customers/{id}/auto-top-up/resume': toppedUp,
  },
};
