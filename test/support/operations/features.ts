import { attachFeature, createFeature, createPlan } from '../factories.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /features': async (shop) => {
      await createFeature(shop);
      return {};
    },
    'POST /features': async (shop) => {
      const code = shop.next('feature');
      return {
        body: {
          name: `Name of ${code}`,
          code,
          type: 'usage',
          description: 'Counts calls.',
          unitName: 'call',
        },
      };
    },
    'GET /features/{code}': async (shop) => ({ path: { code: (await createFeature(shop)).code } }),
    'PATCH /features/{code}': async (shop) => ({
      path: { code: (await createFeature(shop)).code },
      body: { description: 'Places at the table.' },
    }),
    'PUT /features/{code}/meter': async (shop) => ({
      path: { code: (await createFeature(shop, 'usage')).code },
      body: { aggregation: 'max', decimals: 2 },
    }),
    'POST /features/{code}/meter/preview': async (shop) => ({
      path: { code: (await createFeature(shop, 'usage')).code },
      body: { aggregation: 'sum', decimals: 2, step: '0.5', dimensions: [{ property: 'region' }] },
    }),
    'DELETE /features/{code}': async (shop) => ({ path: { code: (await createFeature(shop)).code } }),
  },
  provocations: {
    'POST /features': {
      feature_already_exists: async (shop) => ({
        body: { name: 'Another name', code: (await createFeature(shop)).code, type: 'seats' },
      }),
    },
    'GET /features/{code}': { feature_not_found: noId({ code: 'none' }) },
    'PATCH /features/{code}': {
      feature_not_found: noId({ code: 'none' }, { description: 'None.' }),
      feature_already_exists: async (shop) => {
        const [feature, other] = [await createFeature(shop), await createFeature(shop)];
        return { path: { code: feature.code }, body: { name: other.name } };
      },
    },
    'DELETE /features/{code}': {
      feature_not_found: noId({ code: 'none' }),
      feature_in_use: async (shop) => {
        const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
        await attachFeature(shop, plan.id, feature.id);
        return { path: { code: feature.code } };
      },
    },
  },
};
