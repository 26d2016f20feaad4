import { createRateCard } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

const cells = [{ when: { model: ['large'] }, rate: { amount: '0.0120' } }];

export const operations: ModuleOperations = {
  requests: {
    'POST /rates/preview': async () => ({
      body: {
        rate: {
          model: 'graduated',
          per: 1_000,
          tiers: [
            { upTo: '1000', amount: 20 },
            { upTo: null, amount: '15.0', flat: '0.50' },
          ],
          maximum: '1000',
        },
        quantities: ['0', 1, '1000.5', '12500'],
        currency: 'eur',
      },
    }),
    'GET /rate-cards': async (shop) => {
      await createRateCard(shop);
      return {};
    },
    'POST /rate-cards': async (shop) => ({
      body: { code: shop.next('card'), name: 'AI models', cells, default: { amount: '0.5' }, minimum: '1' },
    }),
    'GET /rate-cards/{id}': async (shop) => ({ path: { id: (await createRateCard(shop)).id } }),
    'PATCH /rate-cards/{id}': async (shop) => ({
      path: { id: (await createRateCard(shop)).id },
      body: { name: 'Models', cells },
    }),
    'DELETE /rate-cards/{id}': async (shop) => ({ path: { id: (await createRateCard(shop)).id } }),
  },
  provocations: {},
};
