import type { Body, Made, Shop } from './shop.ts';

/** What connects a Stripe account to a sandbox. */
export const connectionKeys = (shop: Shop): Body => ({
  name: shop.next('account'),
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
});

/** A Stripe account of the shop's organization that nothing is routed to, by default. */
export async function createConnection(shop: Shop, body: Body = {}): Promise<Made> {
  const { connectedAccountCreate } = await shop.t.graphql<{ connectedAccountCreate: Made }>(
    'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }',
    { input: { ...connectionKeys(shop), ...body } },
    { key: shop.key },
  );
  return connectedAccountCreate;
}

/** A Stripe account that takes new checkouts of the shop, by default; the organization has the address such invoices need. */
export async function connectStripe(shop: Shop, body: Body = {}): Promise<Made> {
  await shop.t.graphql(
    'mutation { organizationUpdate(input: { issuerAddress: "1 Main St" }) { id } }',
    {},
    { key: shop.key },
  );
  return createConnection(shop, { isDefault: true, ...body });
}

/** Routes a country to a connection, or to the platform's own processor. */
export const routeCountry = (shop: Shop, country: string, provider: string | null): Promise<Body> =>
  shop.t.graphql(
    'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country } }',
    { input: { country, provider } },
    { key: shop.key },
  );
