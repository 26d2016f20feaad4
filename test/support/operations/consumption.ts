import { createBalanceConsumer, createConsumer, createCreditsConsumer, of } from '../consumers.ts';
import { canceled, noId, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /subscriptions/{id}/balance/adjust': async (shop) => ({
      path: { id: (await createCreditsConsumer(shop)).subscriptionId },
      body: { amount: -40, reason: 'Counted twice.', type: 'credits' },
    }),
  },
  provocations: {
    'POST /subscriptions/{id}/balance/adjust': {
      subscription_not_found: noId({ id: 'sub_none' }, { amount: 1 }),
      subscription_not_active: async (shop) => ({ ...(await canceled(shop)), body: { amount: 1 } }),
      insufficient_credits: async (shop) => ({
        path: { id: (await createCreditsConsumer(shop, 640)).subscriptionId },
        body: { amount: -641 },
      }),
      insufficient_balance: async (shop) => ({
        path: { id: (await createBalanceConsumer(shop, 420_000)).subscriptionId },
        body: { amount: -420_001 },
      }),
    },
  },
  unrouted: {
    balanceLedger: {
      because: reasons.more,
      text: 'query ($id: ID!) { balanceLedger(subscriptionId: $id, first: 5) { edges { node { id type amount resulting cause } } } }',
      variables: async (shop) => ({ id: (await createBalanceConsumer(shop)).subscriptionId }),
    },
    creditLedger: {
      because: reasons.more,
      text: 'query ($id: ID!) { creditLedger(subscriptionId: $id, first: 5) { edges { node { id lot { id source remaining } amount resulting cause } } } }',
      variables: async (shop) => ({ id: (await createCreditsConsumer(shop)).subscriptionId }),
    },
    usageEvents: {
      because: reasons.more,
      text: 'query ($customerId: String) { usageEvents(first: 5, customerId: $customerId) { edges { node { id value featureCode } } } }',
      variables: async (shop) => {
        const consumer = await createConsumer(shop);
        await shop.rest('POST', '/usage/events', of(consumer));
        return { customerId: consumer.customerId };
      },
    },
  },
};
