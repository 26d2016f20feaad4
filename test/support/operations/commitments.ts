import { createConsumer } from '../consumers.ts';
import type { Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

const bought = { price: 12_000, grant: 1_300_000, validMonths: 12 };

/** Purchases a commitment for a new customer, and returns the commitment and the subscription. */
async function boughtCommitment(shop: Shop) {
  const { subscriptionId } = await createConsumer(shop);
  const { body } = await shop.rest('POST', `/subscriptions/${subscriptionId}/commitments`, bought);
  return { id: String(body['id']), subscriptionId };
}

export const operations: ModuleOperations = {
  requests: {
    'GET /subscriptions/{id}/commitments': async (shop) => ({
      path: { id: (await boughtCommitment(shop)).subscriptionId },
    }),
    'POST /subscriptions/{id}/commitments': async (shop) => ({
      path: { id: (await createConsumer(shop)).subscriptionId },
      body: { ...bought, asset: 'usd', atEnd: 'expire', autoRenew: false, appliesTo: 'usage_lines' },
    }),
    'PATCH /commitments/{id}': async (shop) => ({
      path: { id: (await boughtCommitment(shop)).id },
      body: { autoRenew: true, atEnd: 'roll_once' },
    }),
  },
};
