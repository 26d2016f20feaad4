import { createCreditsConsumer } from '../consumers.ts';
import { createCreditPack, type Shop } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

/** Grants 300 credits to a new customer, and returns the lot and the customer. */
async function grantedLot(shop: Shop) {
  const { customerId } = await createCreditsConsumer(shop, 400, 1);
  const { body } = await shop.rest('POST', `/customers/${customerId}/lots`, { amount: 300 });
  return { id: String(body['id']), customerId };
}

/** Returns the ID of a lot that a new customer purchased. */
async function purchasedLot(shop: Shop): Promise<string> {
  const { customerId, subscriptionId } = await createCreditsConsumer(shop, 400, 1);
  const { id: creditPackId } = await createCreditPack(shop);
  await shop.rest('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId });
  const { body } = await shop.rest('GET', `/customers/${customerId}/lots`);
  const lots = body['data'] as readonly { readonly id: string; readonly source: string }[];
  return lots.find(({ source }) => source === 'purchase')?.id ?? '';
}

export const operations: ModuleOperations = {
  requests: {
    'GET /customers/{id}/lots': async (shop) => ({ path: { id: (await grantedLot(shop)).customerId } }),
    'POST /customers/{id}/lots': async (shop) => ({
      path: { id: (await createCreditsConsumer(shop, 400, 1)).customerId },
      body: { amount: 300, expiresAt: '2099-12-31T00:00:00Z', priority: 5, description: 'Welcome' },
    }),
    'POST /lots/{id}/revoke': async (shop) => ({ path: { id: (await grantedLot(shop)).id } }),
    'PUT /lots/{id}/expiry': async (shop) => ({
      path: { id: (await grantedLot(shop)).id },
      body: { expiresAt: '2099-12-31T00:00:00Z' },
    }),
  },
  unrouted: {
    lot: {
      because: reasons.more,
      text: 'query ($id: ID!) { lot(id: $id) { id asset source amount remaining featureCodes subscription { id } invoice { id } } }',
      variables: async (shop) => ({ id: (await grantedLot(shop)).id }),
    },
    accounts: {
      because: reasons.more,
      text: 'query ($id: ID!) { accounts(customerId: $id) { asset amount lots { id source remaining expiresAt } } }',
      variables: async (shop) => ({ id: (await grantedLot(shop)).customerId }),
    },
    lotRefundPreview: {
      because: reasons.more,
      text: 'query ($id: ID!) { lotRefundPreview(id: $id) { amount currency } }',
      variables: async (shop) => ({ id: await purchasedLot(shop) }),
    },
  },
};
