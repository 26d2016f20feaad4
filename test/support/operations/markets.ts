import { createMarket, nextCountry } from '../factories.ts';
import { marketPriced, noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /markets': async (shop) => {
      await createMarket(shop);
      return {};
    },
    'POST /markets': async (shop) => ({
      body: {
        name: shop.next('market'),
        countryCodes: [nextCountry(shop), nextCountry(shop)],
        metadata: { tier: 1 },
      },
    }),
    'GET /markets/{id}': async (shop) => ({ path: { id: (await createMarket(shop)).id } }),
    'PATCH /markets/{id}': async (shop) => ({
      path: { id: (await createMarket(shop)).id },
      body: { name: shop.next('renamed'), countryCodes: [nextCountry(shop)], metadata: {} },
    }),
    'DELETE /markets/{id}': async (shop) => ({ path: { id: (await createMarket(shop)).id } }),
  },
  provocations: {
    'POST /markets': {
      duplicate: async (shop) => ({
        body: { name: 'Rival', countryCodes: (await createMarket(shop)).countryCodes },
      }),
    },
    'GET /markets/{id}': { market_not_found: noId({ id: 'pmg_none' }) },
    'PATCH /markets/{id}': {
      market_not_found: noId({ id: 'pmg_none' }, { name: 'None', countryCodes: ['AQ'] }),
      duplicate: async (shop) => ({
        path: { id: (await createMarket(shop)).id },
        body: { name: 'Rival', countryCodes: (await createMarket(shop)).countryCodes },
      }),
    },
    'DELETE /markets/{id}': {
      market_not_found: noId({ id: 'pmg_none' }),
      market_in_use: async (shop) => ({ path: { id: (await marketPriced(shop, false)).marketId } }),
    },
  },
};
