import {
  attachFeature,
  createCustomer,
  createFeature,
  createPlan,
  createPricedPlan,
  pay,
  setCurrency,
  subscribeTo,
} from '../factories.ts';
import { noId, withPrice } from './shared.ts';
import type { ModuleOperations } from './types.ts';

const rateBody = { currency: 'eur', exchangeRate: 0.92 };

export const operations: ModuleOperations = {
  requests: {
    'PUT /plans/{id}/prices/{priceId}/regional': async (shop) => ({
      path: await withPrice(shop),
      body: {
        overrides: [
          { currency: 'eur', price: 4_500, includedBalance: 90_000 },
          { currency: 'clp', price: 45_000 },
        ],
      },
    }),
    'DELETE /plans/{id}/prices/{priceId}/regional': async (shop) => {
      const path = await withPrice(shop);
      await setCurrency(shop, path.id, 'brl', 5.43);
      return { path };
    },
    'PUT /plans/{id}/regional': async (shop) => {
      const { id, priceId } = await withPrice(shop);
      const feature = await createFeature(shop);
      await attachFeature(shop, id, feature.id, { overage: { enabled: true, unitPrice: 180 } });
      return {
        path: { id },
        body: {
          currency: 'brl',
          exchangeRate: 5.43,
          prices: [{ priceId, price: 30_000, includedBalance: 100 }],
          features: [{ featureId: feature.id, overageUnitPrice: 900 }],
        },
      };
    },
  },
  provocations: {
    'PUT /plans/{id}/prices/{priceId}/regional': {
      plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }, { overrides: [] }),
      price_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id, priceId: 'pp_none' },
        body: { overrides: [] },
      }),
    },
    'DELETE /plans/{id}/prices/{priceId}/regional': {
      plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }),
      price_not_found: async (shop) => ({ path: { id: (await createPlan(shop)).id, priceId: 'pp_none' } }),
      price_in_use: async (shop) => {
        const { id, priceId } = await createPricedPlan(shop);
        await setCurrency(shop, id, 'brl', 5.43);
        const customer = await createCustomer(shop, 'BR');
        await pay(shop, (await subscribeTo(shop, customer.id, id)).token);
        return { path: { id, priceId } };
      },
    },
    'PUT /plans/{id}/regional': {
      plan_not_found: noId({ id: 'pln_none' }, rateBody),
      price_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id },
        body: { ...rateBody, prices: [{ priceId: 'pp_none', price: 1 }] },
      }),
      feature_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id },
        body: { ...rateBody, features: [{ featureId: 'ftr_none', overageUnitPrice: 1 }] },
      }),
    },
  },
};
