import { createOffer, createPlan, createPromoCode, off } from '../factories.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /promo-codes': async (shop) => {
      await createPromoCode(shop);
      return { query: { limit: '2' } };
    },
    'POST /promo-codes': async (shop) => {
      const [offer, plan] = [await createOffer(shop), await createPlan(shop)];
      const limits = {
        billingInterval: 'monthly',
        maxRedemptions: 100,
        expiresAt: '2099-01-01T00:00:00Z',
        planIds: [plan.id],
      };
      return { body: { code: shop.next('Welcome-'), offerId: offer.id, ...limits } };
    },
    'GET /promo-codes/{id}': async (shop) => ({ path: { id: (await createPromoCode(shop)).id } }),
    'PATCH /promo-codes/{id}': async (shop) => ({
      path: { id: (await createPromoCode(shop)).id },
      body: { billingInterval: null, maxRedemptions: null, expiresAt: null, active: false, planIds: [] },
    }),
  },
  provocations: {
    'POST /promo-codes': {
      offer_not_found: async () => ({ body: { code: 'NONE', offerId: 'ofr_none' } }),
      offer_not_applicable: async (shop) => ({
        body: { code: 'NONE', offerId: (await createOffer(shop, [off.trial(3)])).id },
      }),
      plan_not_found: async (shop) => ({
        body: { code: 'NONE', offerId: (await createOffer(shop)).id, planIds: ['pln_none'] },
      }),
      duplicate: async (shop) => ({
        body: {
          code: (await createPromoCode(shop)).code.toLowerCase(),
          offerId: (await createOffer(shop)).id,
        },
      }),
    },
    'GET /promo-codes/{id}': { promo_code_not_found: noId({ id: 'prc_none' }) },
    'PATCH /promo-codes/{id}': {
      promo_code_not_found: noId({ id: 'prc_none' }, { active: false }),
      plan_not_found: async (shop) => ({
        path: { id: (await createPromoCode(shop)).id },
        body: { planIds: ['pln_none'] },
      }),
    },
  },
};
