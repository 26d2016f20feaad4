import { listModel } from '../consumers.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'PUT /ai-models/{id}/price': async (shop) => ({
      path: { id: await listModel(shop) },
      body: { prices: { input: '2', output: '8.5', cacheRead: '0.2' } },
    }),
    'DELETE /ai-models/{id}/price': async (shop) => {
      const id = await listModel(shop);
      const path = `/ai-models/${encodeURIComponent(id)}/price`;
      await shop.rest('PUT', path, { prices: { input: '2', output: '8.5' } });
      return { path: { id } };
    },
  },
  unrouted: {
    aiModel: {
      because: reasons.more,
      text: 'query ($id: ID!) { aiModel(id: $id) { id inputRate history { inputRate } } }',
      variables: async (shop) => ({ id: await listModel(shop) }),
    },
    aiModels: {
      because: reasons.more,
      text: '{ aiModels(first: 5) { edges { node { id isActive } } } }',
      variables: async (shop) => {
        await listModel(shop);
        return {};
      },
    },
  },
};
