import { createConsumer, of } from '../consumers.ts';
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
};
