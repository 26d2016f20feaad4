import { type Made, noteRegistration, type Shop } from './factories.ts';

// Customers whose tax cannot be worked out.

type Registrations = {
  readonly taxRegistrations: { readonly edges: readonly { readonly node: { readonly country: string } }[] };
};

/** Registers the shop in one of the United States, once, so that the tax of every payer there depends on the state. */
async function registerInTexas(shop: Shop): Promise<void> {
  const { t, key } = shop;
  noteRegistration(shop);
  const { taxRegistrations } = await t.graphql<Registrations>(
    '{ taxRegistrations(first: 100) { edges { node { country } } } }',
    {},
    { key },
  );
  if (taxRegistrations.edges.some(({ node }) => node.country === 'US')) return;
  const register = 'mutation { taxRegistrationCreate(input: { country: "US", region: "TX" }) { id } }';
  await t.graphql<{ taxRegistrationCreate: Made }>(register, {}, { key });
}

/** Moves a customer to the United States, nobody knows to which state: whatever needs an invoice of it is rejected from now on. Answers its id. */
export async function makeUntaxable(shop: Shop, customerId: string): Promise<string> {
  await registerInTexas(shop);
  const address = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'US' };
  const { status, body } = await shop.rest('PATCH', `/customers/${customerId}`, { address });
  if (status !== 200) throw new Error(`A fixture was rejected with ${status}: ${JSON.stringify(body)}`);
  return customerId;
}
