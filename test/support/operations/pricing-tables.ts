import { createPlan, createPlanGroup, createPricedPlan, createPricingTable, newVisit } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /pricing-tables': async (shop) => {
      await createPricingTable(shop);
      return {};
    },
    'POST /pricing-tables': async (shop) => {
      const { id: planId } = await createPlan(shop);
      return {
        body: {
          name: shop.next('table'),
          plans: [{ planId, text: 'For teams.' }],
          highlightedPlanId: planId,
          intervals: ['monthly', 'yearly'],
          signUpUrl: 'https://shop.test/sign-up',
          successUrl: 'https://shop.test/welcome',
          isActive: true,
        },
      };
    },
    'GET /pricing-tables/{id}': async (shop) => ({ path: { id: (await createPricingTable(shop)).id } }),
    'PATCH /pricing-tables/{id}': async (shop) => ({
      path: { id: (await createPricingTable(shop)).id },
      body: { isActive: false },
    }),
    'DELETE /pricing-tables/{id}': async (shop) => ({ path: { id: (await createPricingTable(shop)).id } }),
  },
  unrouted: {
    pricingPage: {
      because: reasons.pricingPage,
      text: 'query ($token: String!, $country: String) { pricingPage(token: $token, country: $country) { name country plans { name prices { price currency } } } }',
      variables: async (shop) => {
        const { id: planGroupId } = await createPlanGroup(shop, 1);
        return { token: (await createPricingTable(shop, { planGroupId })).token, country: 'US' };
      },
    },
    pricingTablePreview: {
      because: reasons.more,
      text: 'query ($id: ID!) { pricingTablePreview(id: $id) { name plans { planId text } } }',
      variables: async (shop) => ({ id: (await createPricingTable(shop)).id }),
    },
    pricingTablePurchase: {
      because: reasons.pricingPage,
      text: 'mutation ($input: PricingTablePurchaseInput!) { pricingTablePurchase(input: $input) { checkoutUrl } }',
      variables: async (shop) => {
        const { id: planId } = await createPricedPlan(shop);
        const { token } = await createPricingTable(shop, { plans: [{ planId }] });
        const email = `${shop.next('visitor')}@shop.test`;
        return {
          input: { token, visit: newVisit(), planId, billingInterval: 'monthly', email, country: 'US' },
        };
      },
    },
  },
};
