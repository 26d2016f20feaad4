import { createPlan } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'PUT /plans/{id}/pools/{asset}': async (shop) => {
      const { id } = await createPlan(shop, { consumptionModel: 'balance' });
      const price = { billingInterval: 'monthly', price: 2_900, includedBalance: 100_000 };
      await shop.rest('POST', `/plans/${id}/prices`, price);
      return {
        path: { id, asset: 'usd' },
        body: { onEmpty: 'reject', rollover: { windows: 2, cap: 15_000_000 } },
      };
    },
  },
};
