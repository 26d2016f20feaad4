import { type Consumer, createConsumer, of } from '../consumers.ts';
import type { Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

/** Records an event of 5 units for a customer, and returns the event's ID as a path parameter. */
async function recorded(shop: Shop, consumer?: Consumer) {
  const event = { ...of(consumer ?? (await createConsumer(shop))), value: 5 };
  return { id: String((await shop.rest('POST', '/usage/events', event)).body['id']) };
}

export const operations: ModuleOperations = {
  requests: {
    'GET /usage/corrections': async (shop) => {
      const consumer = await createConsumer(shop);
      const { id } = await recorded(shop, consumer);
      await shop.rest('POST', `/usage/events/${id}/replace`, { value: 2 });
      return { query: { customerId: consumer.customerId } };
    },
    'POST /usage/events/{id}/void': async (shop) => ({
      path: await recorded(shop),
      body: { reason: 'Counted twice.' },
    }),
    'POST /usage/events/{id}/replace': async (shop) => ({ path: await recorded(shop), body: { value: 2 } }),
  },
};
