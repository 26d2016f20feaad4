import { type Body, type Made, made, type Shop } from './shop.ts';

export type MadeCustomer = Made & { readonly externalId: string };

/** Creates a note about a new customer. Returns its ID. */
export async function createNote(shop: Shop): Promise<string> {
  const { id: customerId } = await createCustomer(shop);
  const { customerNoteCreate } = await shop.t.graphql<{ customerNoteCreate: Made }>(
    'mutation ($input: CustomerNoteCreateInput!) { customerNoteCreate(input: $input) { id } }',
    { input: { customerId, text: 'Pays late.' } },
    { key: shop.key },
  );
  return customerNoteCreate.id;
}

/** Creates a customer, with an address if `country` is set. */
export function createCustomer(shop: Shop, country?: string): Promise<MadeCustomer> {
  const externalId = shop.next('customer');
  const address =
    country === undefined ? undefined : { line1: '1 Main St', city: 'Town', postalCode: '12345', country };
  return made(
    shop.rest<MadeCustomer>('POST', '/customers', {
      email: `${externalId}@shop.test`,
      externalId,
      fullName: `Name of ${externalId}`,
      address,
    }),
  );
}

/** Creates a customer credit, by default 5.00 USD without an expiration. */
export const createCredit = (shop: Shop, customerId: string, body: Body = {}): Promise<Made> =>
  made(
    shop.rest<Made>('POST', `/customers/${customerId}/credits`, {
      amount: 500,
      currency: 'usd',
      reason: 'Sorry.',
      ...body,
    }),
  );
