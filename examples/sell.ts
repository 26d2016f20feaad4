import {
  type Shop,
  type ShopCustomer,
  type TestCard,
  testCard,
  wallets,
} from '../src/modules/sandbox/example-shop/read-shop.ts';
import { ApiError, type Client } from './client.ts';

// Sells subscriptions. Creates the catalog, customers, and subscriptions over REST, and pays the checkouts over GraphQL.

/** Creates the features, plans and prices, and adds the features to the plans. */
export async function createCatalog(seller: Client, { features, plans }: Shop): Promise<void> {
  const featureIds = new Map<string, string>();
  for (const feature of features) {
    const { id } = await seller.post<{ id: string }>('/features', feature);
    featureIds.set(feature.code, id);
  }
  for (const { plan, prices, features: contents } of plans) {
    await seller.post('/plans', plan);
    for (const price of prices) await seller.post(`/plans/${plan.code}/prices`, price);
    for (const { feature, ...terms } of contents) {
      await seller.post(`/plans/${plan.code}/features`, { featureId: featureIds.get(feature), ...terms });
    }
  }
}

/** Maximum number of customers per request to `POST /customers/batch`. */
const batchSize = 100;

/** Creates the customers in batches. Throws if a customer is rejected. */
export async function createCustomers(seller: Client, { customers }: Shop): Promise<void> {
  for (let start = 0; start < customers.length; start += batchSize) {
    const batch = customers
      .slice(start, start + batchSize)
      .map(({ plan, interval, seats, card, ...person }) => person);
    const { failed } = await seller.post<{ failed: { index: number; error: string }[] }>('/customers/batch', {
      customers: batch,
    });
    const [first] = failed;
    if (first !== undefined)
      throw new Error(`Customer ${start + first.index + 1} was rejected: ${first.error}`);
  }
}

/** A customer's open checkout. The token is the last part of the checkout's URL. */
export type OpenCheckout = { readonly token: string; readonly customer: ShopCustomer };

/**
 * Creates one subscription per customer. Creates them one after another, so that the invoice numbers are in the same order. Returns the
 * open checkouts.
 */
export async function createSubscriptions(seller: Client, { customers }: Shop): Promise<OpenCheckout[]> {
  const checkouts: OpenCheckout[] = [];
  for (const customer of customers) {
    const { checkoutUrl } = await seller.post<{ checkoutUrl: string | null }>('/subscriptions', {
      customerId: customer.externalId,
      planCode: customer.plan,
      ...(customer.interval === undefined ? {} : { billingInterval: customer.interval }),
      ...(customer.seats === undefined ? {} : { initialSeats: { seats: customer.seats } }),
    });
    const token = checkoutUrl?.split('/').at(-1);
    if (token !== undefined) checkouts.push({ token, customer });
  }
  return checkouts;
}

const payMutation = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
const authenticateMutation =
  'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }';

type PayAnswer = { readonly checkoutPay: { readonly status: 'paid' | 'requires_action' } };

export type CheckoutEnd = 'paid immediately' | 'authenticated' | 'paid with a second card' | 'abandoned';

/** Pays a checkout with one card. Returns `null` if the card is declined, which leaves the checkout open. */
async function tryCard(
  payer: Client,
  { token, customer }: OpenCheckout,
  kind: TestCard,
): Promise<PayAnswer['checkoutPay'] | null> {
  const input = { token, card: testCard(kind), billingAddress: customer.address };
  try {
    const { checkoutPay } = await payer.graphql<PayAnswer>(payMutation, { input });
    return checkoutPay;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'charge_failed') return null;
    throw error;
  }
}

async function checkOut(payer: Client, checkout: OpenCheckout): Promise<CheckoutEnd> {
  const cards = wallets[checkout.customer.card ?? 'good'];
  for (const [index, kind] of cards.entries()) {
    const answer = await tryCard(payer, checkout, kind);
    if (answer?.status === 'requires_action') {
      await payer.graphql(authenticateMutation, { input: { token: checkout.token, succeed: true } });
      return 'authenticated';
    }
    if (answer !== null) return index === 0 ? 'paid immediately' : 'paid with a second card';
  }
  return 'abandoned';
}

/** Number of checkouts that are paid at the same time. */
const concurrency = 8;

/** Pays all checkouts. Returns the number of checkouts by outcome. `payer` doesn't need an API key. */
export async function payCheckouts(
  payer: Client,
  checkouts: readonly OpenCheckout[],
): Promise<Record<CheckoutEnd, number>> {
  const ends = { 'paid immediately': 0, authenticated: 0, 'paid with a second card': 0, abandoned: 0 };
  // All tasks share the iterator, so each checkout is paid once.
  const queue = checkouts.values();
  const serve = async (): Promise<void> => {
    for (const checkout of queue) ends[await checkOut(payer, checkout)] += 1;
  };
  await Promise.all(Array.from({ length: concurrency }, serve));
  return ends;
}
