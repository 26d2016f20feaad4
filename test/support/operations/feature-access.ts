import { createConsumer } from '../consumers.ts';
import { createCustomer, createFeature } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /feature-access': async (shop) => ({
      query: { customerId: (await createConsumer(shop)).customerId },
    }),
    'GET /feature-access/{code}': async (shop) => {
      const { customerId, feature } = await createConsumer(shop);
      return { path: { code: feature.code }, query: { customerId } };
    },
  },
  provocations: {
    'GET /feature-access': {
      customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
      no_active_subscription: async (shop) => ({ query: { customerId: (await createCustomer(shop)).id } }),
    },
    'GET /feature-access/{code}': {
      customer_not_found: async () => ({ path: { code: 'none' }, query: { customerId: 'cus_none' } }),
      no_active_subscription: async (shop) => ({
        path: { code: 'none' },
        query: { customerId: (await createCustomer(shop)).id },
      }),
      feature_not_found: async (shop) => ({
        path: { code: 'none' },
        query: { customerId: (await createConsumer(shop)).customerId },
      }),
      feature_not_in_plan: async (shop) => {
        const [{ customerId }, { code }] = [await createConsumer(shop), await createFeature(shop, 'usage')];
        return { path: { code }, query: { customerId } };
      },
    },
  },
  unrouted: {
    featureAccessChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { featureAccessChanged(customerId: $id) { ... on UsageFeatureAccess { code allowed } } }',
      variables: async (shop) => ({ id: (await createConsumer(shop)).customerId }),
    },
  },
};
