import {
  type Shop,
  type ShopCustomer,
  type TestCard,
  testCard,
  wallets,
} from '../src/modules/example-shop/read-shop.ts';
import { ApiError, type Client } from './client.ts';

// Opening the shop and selling: the catalog, customers and subscriptions over REST, the checkouts over GraphQL.

/** Creates features, plans, prices and what each plan contains. */
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

/** How many customers one call of `POST /customers/batch` takes. */
const batchSize = 100;

/** Creates the customers in batches. Throws when one of them is rejected. */
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
      throw new Error(`Customer ${start + first.index + 1} was refused: ${first.error}`);
  }
}

/** A checkout someone has to pay: the last part of its address, and the customer who stands there. */
export type OpenCheckout = { readonly token: string; readonly customer: ShopCustomer };

/** Creates one subscription per customer, one after another so that invoices get their numbers in this order. Answers the open checkouts. */
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

/** How a checkout ended. */
export type CheckoutEnd = 'paid at once' | 'authenticated' | 'paid with a second card' | 'given up';

/** Tries one card. Null when it is declined, which leaves the checkout as it was. */
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
    if (answer !== null) return index === 0 ? 'paid at once' : 'paid with a second card';
  }
  return 'given up';
}

/** How many customers stand at a checkout at the same time. */
const concurrency = 8;

/** Lets everybody pay and answers how many checkouts ended in which way. `payer` needs no key. */
export async function payCheckouts(
  payer: Client,
  checkouts: readonly OpenCheckout[],
): Promise<Record<CheckoutEnd, number>> {
  const ends = { 'paid at once': 0, authenticated: 0, 'paid with a second card': 0, 'given up': 0 };
  // The iterator is shared: anyone who is done takes the next checkout that nobody has begun.
  const queue = checkouts.values();
  const serve = async (): Promise<void> => {
    for (const checkout of queue) ends[await checkOut(payer, checkout)] += 1;
  };
  await Promise.all(Array.from({ length: concurrency }, serve));
  return ends;
}
