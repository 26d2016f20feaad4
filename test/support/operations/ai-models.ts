import { listModel } from '../consumers.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
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
