import { createPricedPlan } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    priceFor: {
      because: reasons.more,
      text: 'query ($planId: ID!) { priceFor(planId: $planId, country: "BR") { amount currency market { id } steps { place outcome } } }',
      variables: async (shop) => ({ planId: (await createPricedPlan(shop)).id }),
    },
    catalogImpact: {
      because: reasons.more,
      text: 'query ($change: CatalogChangeInput!) { catalogImpact(change: $change) { subscribers { value } when inFavorOf sample { id } } }',
      variables: async (shop) => {
        const { id, priceId } = await createPricedPlan(shop);
        return { change: { priceUpdate: { planId: id, priceId, price: 5_900 } } };
      },
    },
  },
};
