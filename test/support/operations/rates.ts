import { createConsumer } from '../consumers.ts';
import { createRateCard } from '../factories.ts';
import { noId } from './shared.ts';
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
  provocations: {
    'GET /rate-cards/{id}': { not_found: noId({ id: 'rcd_none' }) },
    'POST /rate-cards': {
      duplicate: async (shop) => ({
        body: { code: (await createRateCard(shop)).code, name: 'Models', cells },
      }),
    },
    'PATCH /rate-cards/{id}': { not_found: noId({ id: 'rcd_none' }, { name: 'Models' }) },
    'DELETE /rate-cards/{id}': {
      not_found: noId({ id: 'rcd_none' }),
      price_in_use: async (shop) => {
        const { id } = await createRateCard(shop);
        const meter = { aggregation: 'sum', dimensions: [{ property: 'model' }] };
        const { planId, feature } = await createConsumer(shop, { meter });
        await shop.rest('PUT', `/plans/${planId}/features/${feature.id}/rate`, { rateCardId: id });
        return { path: { id } };
      },
    },
    'POST /rates/preview': {
      not_found: async () => ({ body: { rateCardId: 'rcd_none', quantities: ['1'] } }),
    },
  },
};
