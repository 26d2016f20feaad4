import { createPricedPlan } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /catalog-impact': async (shop) => {
      const { id, priceId } = await createPricedPlan(shop);
      return { body: { change: { priceUpdate: { planId: id, priceId, price: 5_900 } } } };
    },
  },
  unrouted: {
    priceFor: {
      because: reasons.more,
      text: 'query ($planId: ID!) { priceFor(planId: $planId, country: "BR") { amount currency market { id } steps { place outcome } } }',
      variables: async (shop) => ({ planId: (await createPricedPlan(shop)).id }),
    },
  },
};
