import type { Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

/** Creates a euro exchange rate for the day that the documentation uses. */
async function createRate(shop: Shop): Promise<{ readonly currency: string; readonly day: string }> {
  const day = '2026-08-27';
  await shop.rest('PUT', '/fx-rates', { currency: 'eur', day, unitsPerUsd: 92_000_000 });
  return { currency: 'eur', day };
}

export const operations: ModuleOperations = {
  requests: {
    'GET /fx-rates': async (shop) => ({
      query: { currency: (await createRate(shop)).currency, from: '2026-08-01', to: '2026-08-31' },
    }),
    'PUT /fx-rates': async () => ({
      body: { currency: 'jpy', day: '2026-08-27', unitsPerUsd: 15_000_000_000 },
    }),
    'DELETE /fx-rates': async (shop) => ({ query: await createRate(shop) }),
  },
};
