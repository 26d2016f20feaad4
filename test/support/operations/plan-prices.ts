import { createPlan, createPrice, createPricedPlan } from '../factories.ts';
import { marketPriced, noId, withPrice } from './shared.ts';
import type { ModuleOperations } from './types.ts';

const priceBody = { price: 100 };

const variant = {
  billingInterval: 'monthly',
  marketPrices: [{ marketGroupId: 'pmg_none', currency: 'eur', price: 100 }],
};

const market = { marketPrices: [{ marketGroupId: 'pmg_none', currency: 'eur', price: 100 }] };

export const operations: ModuleOperations = {
  requests: {
    'POST /plans/{id}/prices': async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: {
        billingInterval: 'yearly',
        price: 49_000,
        trialDays: 14,
        isDefault: true,
        metadata: { name: 'Yearly' },
      },
    }),
    'PATCH /plans/{id}/prices/{priceId}': async (shop) => ({
      path: await withPrice(shop),
      body: { price: 5900 },
    }),
    'DELETE /plans/{id}/prices/{priceId}': async (shop) => {
      const path = await withPrice(shop);
      const { id } = await createPrice(shop, path.id, { billingInterval: 'yearly' });
      return { path: { id: path.id, priceId: id } };
    },
    'PUT /plans/{id}/prices/{priceId}/default': async (shop) => {
      const path = await withPrice(shop);
      const { id } = await createPrice(shop, path.id, { billingInterval: 'yearly' });
      return { path: { id: path.id, priceId: id } };
    },
  },
  provocations: {
    'POST /plans/{id}/prices': {
      plan_not_found: noId({ id: 'pln_none' }, { billingInterval: 'monthly', price: 100 }),
      price_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id },
        body: { ...variant, inheritsFromPriceId: 'pp_none' },
      }),
      market_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id },
        body: { billingInterval: 'monthly', price: 100, ...market },
      }),
      duplicate: async (shop) => ({
        path: { id: (await createPricedPlan(shop)).id },
        body: { billingInterval: 'monthly', price: 100 },
      }),
    },
    'PATCH /plans/{id}/prices/{priceId}': {
      plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }, priceBody),
      price_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id, priceId: 'pp_none' },
        body: priceBody,
      }),
      market_not_found: async (shop) => {
        const { id, priceId } = await createPricedPlan(shop);
        return { path: { id, priceId }, body: market };
      },
      price_in_use: async (shop) => {
        const { id, priceId } = await marketPriced(shop, true);
        return { path: { id, priceId }, body: { marketPrices: [] } };
      },
    },
    'DELETE /plans/{id}/prices/{priceId}': {
      plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }),
      price_not_found: async (shop) => ({ path: { id: (await createPlan(shop)).id, priceId: 'pp_none' } }),
      price_in_use: async (shop) => {
        const { id, priceId } = await createPricedPlan(shop);
        await createPrice(shop, id, { billingInterval: 'yearly' });
        return { path: { id, priceId } };
      },
    },
    'PUT /plans/{id}/prices/{priceId}/default': {
      plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }),
      price_not_found: async (shop) => ({ path: { id: (await createPlan(shop)).id, priceId: 'pp_none' } }),
    },
  },
};
