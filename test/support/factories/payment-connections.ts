import type { Body, Made, Shop } from './shop.ts';

/** Stripe keys for connecting an account to a sandbox. */
export const connectionKeys = (shop: Shop): Body => ({
  name: shop.next('account'),
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
});

/** Connects a Stripe account, by default without routing payments to it. */
export async function createConnection(shop: Shop, body: Body = {}): Promise<Made> {
  const { connectedAccountCreate } = await shop.t.graphql<{ connectedAccountCreate: Made }>(
    'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }',
    { input: { ...connectionKeys(shop), ...body } },
    { key: shop.key },
  );
  return connectedAccountCreate;
}

/**
 * Connects a Stripe account, by default for all new checkouts, and sets the merchant address that invoices
 * require.
 */
export async function connectStripe(shop: Shop, body: Body = {}): Promise<Made> {
  await shop.t.settings({ issuerAddress: '1 Main St' }, shop.environmentId);
  return createConnection(shop, { isDefault: true, ...body });
}

/** Routes payments from a country to a connection. `null` routes them to the platform's provider. */
export const routeCountry = (shop: Shop, country: string, provider: string | null): Promise<Body> =>
  shop.t.graphql(
    'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country } }',
    { input: { country, provider } },
    { key: shop.key },
  );
