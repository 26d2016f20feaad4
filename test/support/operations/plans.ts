import { attachFeature, createFeature, createPlan, createPricedPlan } from '../factories.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /plans': async (shop) => {
      const plan = await createPricedPlan(shop);
      await attachFeature(shop, plan.id, (await createFeature(shop)).id);
      return { query: { includePrivate: 'true' } };
    },
    'POST /plans': async (shop) => {
      const code = shop.next('plan');
      return {
        body: {
          name: 'Team',
          code,
          description: 'For teams.',
          consumptionModel: 'metered',
          metadata: { colour: 'blue' },
        },
      };
    },
    'GET /plans/{id}': async (shop) => {
      const plan = await createPricedPlan(shop, { trialDays: 14 });
      await attachFeature(shop, plan.id, (await createFeature(shop, 'boolean')).id);
      return { path: { id: plan.id } };
    },
    'PATCH /plans/{id}': async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: { name: 'Renamed', isPublic: false },
    }),
    'DELETE /plans/{id}': async (shop) => ({ path: { id: (await createPlan(shop)).id } }),
    'PUT /plans/{id}/visibility': async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: { isPublic: false },
    }),
  },
  provocations: {
    'POST /plans': {
      plan_group_not_found: async (shop) => ({
        body: { name: 'Grouped', code: shop.next('plan'), planGroupId: 'plg_none' },
      }),
      duplicate: async (shop) => ({ body: { name: 'Again', code: (await createPlan(shop)).code } }),
    },
    'GET /plans/{id}': { plan_not_found: noId({ id: 'pln_none' }) },
    'PATCH /plans/{id}': { plan_not_found: noId({ id: 'pln_none' }, { name: 'None' }) },
    'DELETE /plans/{id}': { plan_not_found: noId({ id: 'pln_none' }) },
    'PUT /plans/{id}/visibility': { plan_not_found: noId({ id: 'pln_none' }, { isPublic: true }) },
  },
};
