import { createConsumer } from '../consumers.ts';
import type { Shop } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

const calls = { measure: 'calls', amount: 100, window: { kind: 'day' }, action: 'block' };

/** Creates a limit of a new customer, and returns both. */
async function limitedCustomer(shop: Shop) {
  const { customerId, feature } = await createConsumer(shop);
  const { body } = await shop.rest('POST', '/limits', { ...calls, scope: { customer: customerId } });
  return { customerId, feature, id: String(body['id']) };
}

/** Creates a budget of a new customer, and returns the customer. */
async function budgetedCustomer(shop: Shop): Promise<{ readonly customerId: string; readonly key: string }> {
  const { customerId } = await createConsumer(shop);
  await shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'team:eu' });
  return { customerId, key: 'team:eu' };
}

/** Returns a customer whose usage crossed a limit. */
async function crossedCustomer(shop: Shop) {
  const { customerId, feature } = await createConsumer(shop);
  await shop.rest('POST', '/limits', { ...calls, amount: 1, scope: { customer: customerId } });
  await shop.rest('POST', '/usage/events', { customerId, featureCode: feature.code });
  return customerId;
}

const onBudget = async (shop: Shop) => {
  const { customerId, key } = await budgetedCustomer(shop);
  return { id: customerId, key };
};

export const operations: ModuleOperations = {
  requests: {
    'GET /limits': async (shop) => ({ query: { customerId: (await limitedCustomer(shop)).customerId } }),
    'POST /limits': async (shop) => ({
      body: {
        ...calls,
        name: 'Calls',
        scope: { customer: (await createConsumer(shop)).customerId },
        filter: { dimensions: [{ property: 'model', values: ['large'] }] },
        thresholds: [{ bps: 8_000, rearm: 'window' }],
      },
    }),
    'GET /limits/{id}': async (shop) => ({ path: { id: (await limitedCustomer(shop)).id } }),
    'PATCH /limits/{id}': async (shop) => ({
      path: { id: (await limitedCustomer(shop)).id },
      body: { name: 'Calls', amount: 200, action: 'notify' },
    }),
    'DELETE /limits/{id}': async (shop) => ({ path: { id: (await limitedCustomer(shop)).id } }),
    'POST /limits/{id}/raises': async (shop) => {
      const { id, customerId } = await limitedCustomer(shop);
      return { path: { id }, body: { amount: 10, node: { customer: customerId }, reason: 'Launch' } };
    },
    'DELETE /limits/{id}/raises/{raiseId}': async (shop) => {
      const { id } = await limitedCustomer(shop);
      const { body } = await shop.rest('POST', `/limits/${id}/raises`, { amount: 10 });
      return { path: { id, raiseId: String(body['id']) } };
    },
    'GET /limit-crossings': async (shop) => ({ query: { customerId: await crossedCustomer(shop) } }),
    'GET /customers/{id}/limits': async (shop) => ({
      path: { id: (await limitedCustomer(shop)).customerId },
    }),
    'GET /customers/{id}/plan-limits': async (shop) => ({
      path: { id: (await limitedCustomer(shop)).customerId },
    }),
    'GET /customers/{id}/budgets': async (shop) => ({
      path: { id: (await budgetedCustomer(shop)).customerId },
    }),
    'POST /customers/{id}/budgets': async (shop) => ({
      path: { id: (await budgetedCustomer(shop)).customerId },
      body: { key: 'key:abc', parentKey: 'team:eu', name: 'Key', metadata: { owner: 'ada' } },
    }),
    'GET /customers/{id}/budgets/{key}': async (shop) => ({ path: await onBudget(shop) }),
    'PATCH /customers/{id}/budgets/{key}': async (shop) => ({
      path: await onBudget(shop),
      body: { name: 'Europe', parentKey: null, metadata: { owner: 'ada' } },
    }),
    'DELETE /customers/{id}/budgets/{key}': async (shop) => ({ path: await onBudget(shop) }),
  },
  unrouted: {
    planLimitsChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { planLimitsChanged(customerId: $id) { feature used amount } }',
      variables: async (shop) => ({ id: (await limitedCustomer(shop)).customerId }),
    },
    limitStatesChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { limitStatesChanged(customerId: $id) { limitId used amount } }',
      variables: async (shop) => ({ id: (await limitedCustomer(shop)).customerId }),
    },
  },
};
