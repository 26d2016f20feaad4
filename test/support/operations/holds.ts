import { createConsumer, of } from '../consumers.ts';
import type { Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

/** Opens a hold of a new customer. Returns the ID of the hold, and the customer. */
async function heldCustomer(shop: Shop): Promise<{ readonly id: string; readonly customerId: string }> {
  const consumer = await createConsumer(shop);
  const { body } = await shop.rest('POST', '/usage/holds', { ...of(consumer), estimate: { value: 20 } });
  return { id: String(body['id']), customerId: consumer.customerId };
}

const onHold = async (shop: Shop) => ({ path: { id: (await heldCustomer(shop)).id } });

export const operations: ModuleOperations = {
  requests: {
    'GET /usage/holds': async (shop) => ({ query: { customerId: (await heldCustomer(shop)).customerId } }),
    'POST /usage/holds': async (shop) => ({
      body: {
        ...of(await createConsumer(shop)),
        estimate: { value: 20 },
        holdId: shop.next('hold'),
        expiresIn: 600,
        properties: [{ property: 'region', value: 'eu' }],
      },
    }),
    'GET /usage/holds/{id}': onHold,
    'POST /usage/holds/{id}/extend': async (shop) => ({
      ...(await onHold(shop)),
      body: { expiresIn: 3_600, add: { value: 5 } },
    }),
    'POST /usage/holds/{id}/settle': async (shop) => ({
      ...(await onHold(shop)),
      body: {
        value: 12,
        eventId: shop.next('event'),
        properties: [{ property: 'region', value: 'eu' }],
      },
    }),
    'POST /usage/holds/{id}/release': onHold,
    'POST /usage/batch': async (shop) => ({
      body: {
        items: [
          { hold: { ...of(await createConsumer(shop)), estimate: { value: 20 } } },
          { release: { hold: (await heldCustomer(shop)).id } },
        ],
      },
    }),
  },
};
