import { createAiConsumer, createConsumer, listModel, of } from '../consumers.ts';
import type { Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

/** Records an event of 5 units of a new consumer, and returns its ID as a path parameter. */
async function recorded(shop: Shop) {
  const event = { ...of(await createConsumer(shop)), value: 5 };
  return { id: String((await shop.rest('POST', '/usage/events', event)).body['id']) };
}

/** Records an event and replaces it. Returns its ID as a path parameter. */
async function replaced(shop: Shop) {
  const path = await recorded(shop);
  await shop.rest('POST', `/usage/events/${path.id}/replace`, { value: 2 });
  return path;
}

/** Records an event of a feature that is priced by AI model, and returns its ID as a path parameter. */
async function recordedTokens(shop: Shop) {
  const model = await listModel(shop);
  const event = { ...of(await createAiConsumer(shop)), model, inputTokens: 100, outputTokens: 10 };
  return { id: String((await shop.rest('POST', '/usage/events', event)).body['id']) };
}

export const operations: ModuleOperations = {
  requests: {
    'GET /usage/corrections': async (shop) => {
      await replaced(shop);
      return {};
    },
    'POST /usage/events/{id}/void': async (shop) => ({
      path: await recorded(shop),
      body: { reason: 'Counted twice.' },
    }),
    'POST /usage/events/{id}/replace': async (shop) => ({ path: await recorded(shop), body: { value: 2 } }),
  },
  provocations: {
    'GET /usage/corrections': {
      customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
    },
    'POST /usage/events/{id}/void': {
      not_found: async () => ({ path: { id: 'evt_none' } }),
      duplicate: async (shop) => ({ path: await replaced(shop) }),
    },
    'POST /usage/events/{id}/replace': {
      not_found: async () => ({ path: { id: 'evt_none' }, body: { value: 2 } }),
      duplicate: async (shop) => ({ path: await replaced(shop), body: { value: 3 } }),
      pricing_mode_mismatch: async (shop) => ({
        path: await recorded(shop),
        body: { model: 'gpt', inputTokens: 1, outputTokens: 1 },
      }),
      model_not_found: async (shop) => ({
        path: await recordedTokens(shop),
        body: { model: 'no/model', inputTokens: 1, outputTokens: 1 },
      }),
      insufficient_balance: { because: 'A recorded event has a price in the currency of the subscription.' },
    },
  },
};
