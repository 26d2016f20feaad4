import { type Made, noteRegistration, type Shop } from './factories.ts';

// Creates customers whose tax can't be calculated.

type Registrations = {
  readonly taxRegistrations: { readonly edges: readonly { readonly node: { readonly country: string } }[] };
};

/** Creates a tax registration for one US state, so the tax for US payers depends on their state. Repeated calls have no effect. */
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

/**
 * Changes a customer's address to one in the United States without a state, so operations that create an invoice are rejected. Returns the
 * customer's ID.
 */
export async function makeUntaxable(shop: Shop, customerId: string): Promise<string> {
  await registerInTexas(shop);
  const address = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'US' };
  const { status, body } = await shop.rest('PATCH', `/customers/${customerId}`, { address });
  if (status !== 200) throw new Error(`A fixture was rejected with ${status}: ${JSON.stringify(body)}`);
  return customerId;
}
