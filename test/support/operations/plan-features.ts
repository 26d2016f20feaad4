import { attachFeature, createFeature, createPlan, type Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

const withFeature = async (shop: Shop) => {
  const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
  await attachFeature(shop, plan.id, feature.id, { includedAmount: 3 });
  return { id: plan.id, featureId: feature.id };
};

export const operations: ModuleOperations = {
  requests: {
    'POST /plans/{id}/features': async (shop) => {
      const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
      return {
        path: { id: plan.id },
        body: { featureId: feature.id, includedAmount: 5, overage: { enabled: true, unitPrice: 25_000 } },
      };
    },
    'PATCH /plans/{id}/features/{featureId}': async (shop) => ({
      path: await withFeature(shop),
      body: { includedAmount: 7 },
    }),
    'DELETE /plans/{id}/features/{featureId}': async (shop) => ({ path: await withFeature(shop) }),
    'PUT /plans/{id}/features/{featureId}/rate': async (shop) => ({
      path: await withFeature(shop),
      body: {
        rate: {
          model: 'graduated',
          tiers: [
            { upTo: '1000', amount: '0.02' },
            { upTo: null, amount: '0.0000343', flat: '1.50' },
          ],
        },
      },
    }),
    'DELETE /plans/{id}/features/{featureId}/rate': async (shop) => ({ path: await withFeature(shop) }),
    'GET /plans/{id}/features/{featureId}/cost': async (shop) => ({ path: await withFeature(shop) }),
    'PUT /plans/{id}/features/{featureId}/cost': async (shop) => ({
      path: await withFeature(shop),
      body: { rate: { amount: '0.012' } },
    }),
  },
  provocations: {
    'POST /plans/{id}/features': {
      plan_not_found: async (shop) => ({
        path: { id: 'pln_none' },
        body: { featureId: (await createFeature(shop)).id },
      }),
      feature_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id },
        body: { featureId: 'ftr_none' },
      }),
      feature_already_exists: async (shop) => {
        const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
        await attachFeature(shop, plan.id, feature.id);
        return { path: { id: plan.id }, body: { featureId: feature.id } };
      },
      duplicate: {
        because:
          'A feature attached twice is feature_already_exists; nothing else of an attachment is unique.',
      },
    },
    'PATCH /plans/{id}/features/{featureId}': {
      plan_not_found: async (shop) => ({
        path: { id: 'pln_none', featureId: (await createFeature(shop)).id },
        body: { enabled: true },
      }),
      feature_not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id, featureId: 'ftr_none' },
        body: { enabled: true },
      }),
      not_found: async (shop) => {
        const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
        return { path: { id: plan.id, featureId: feature.id }, body: { enabled: true } };
      },
    },
    'DELETE /plans/{id}/features/{featureId}': {
      not_found: async (shop) => ({
        path: { id: (await createPlan(shop)).id, featureId: (await createFeature(shop)).id },
      }),
    },
  },
};
