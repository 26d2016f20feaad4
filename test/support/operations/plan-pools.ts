import { createPlan } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'PUT /plans/{id}/pools/{asset}': async (shop) => ({
      path: { id: (await createPlan(shop, { consumptionModel: 'balance' })).id, asset: 'usd' },
      body: { onEmpty: 'reject', rollover: { windows: 2, cap: 15_000_000 } },
    }),
  },
};
