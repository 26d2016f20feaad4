import { type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery, isObjectType } from 'graphql';
import { schema } from '../../../src/schema.ts';
import { createCustomer, createPlan, createPrice, otherShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

/** Fields of a subscription that every client must show. */
export type Row = {
  readonly id: string;
  readonly planName: string;
  readonly price: number;
  readonly customerId: string;
};

/**
 * Organization with 100 subscriptions whose prices differ from their plans' prices, and a customer with five
 * invoices.
 */
export type World = {
  readonly t: TestApp;
  readonly shop: Shop;
  /** URL of the GraphQL endpoint. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Subscriptions as returned by REST. */
  readonly rows: readonly Row[];
  /** Customer with invoices, and the invoice IDs that REST lists. */
  readonly billedCustomerId: string;
  readonly invoiceIds: readonly string[];
  readonly introspection: IntrospectionQuery;
};

/**
 * Query for the list that the tests compare. The list includes plans and subscriptions with different prices, so that the tests detect
 * colliding IDs in the cache.
 */
export const subscriptionsText = /* GraphQL */ `
  query Subscriptions($first: Int!) {
    plans(first: 10) { edges { node { id name prices { id price isDefault } } } }
    subscriptions(first: $first) {
      edges { node {
        id
        plan { planId name basePrice }
        customer { id fullName }
        catalogPlan { id name prices { id price isDefault } }
      } }
    }
  }
`;

/** Query for a customer's invoices, page by page. */
export const invoicesText = /* GraphQL */ `
  query Invoices($id: ID!, $first: Int!, $after: String) {
    customer(id: $id) {
      id
      invoices(first: $first, after: $after) { edges { cursor node { id total } } pageInfo { hasNextPage endCursor } }
    }
  }
`;

/** Fields that the tests read from the response to the `Subscriptions` query. */
export type SubscriptionsData = {
  readonly subscriptions: {
    readonly edges: readonly {
      readonly node: {
        readonly id: string;
        readonly plan: { readonly name: string; readonly basePrice: number };
        readonly customer: { readonly id: string };
        readonly catalogPlan: {
          readonly prices: readonly { readonly price: number; readonly isDefault: boolean }[];
        };
      };
    }[];
  };
};

export const rowsOf = (data: SubscriptionsData | null | undefined): Row[] =>
  (data?.subscriptions.edges ?? []).map(({ node }) => ({
    id: node.id,
    planName: node.plan.name,
    price: node.plan.basePrice,
    customerId: node.customer.id,
  }));

/** Fields that the tests read from the response to the `Invoices` query. */
export type InvoicesData = {
  readonly customer: {
    readonly invoices: {
      readonly edges: readonly { readonly node: { readonly id: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
};

/** Returns the IDs of the invoices in a response, in order. */
export const invoiceIdsOf = (data: InvoicesData | null | undefined): string[] =>
  (data?.customer.invoices.edges ?? []).map(({ node }) => node.id);

/** Returns the number of subscriptions whose price differs from their plan's default price. */
export const countOwnPrices = (data: SubscriptionsData): number =>
  data.subscriptions.edges.filter(
    ({ node }) => node.catalogPlan.prices.find(({ isDefault }) => isDefault)?.price !== node.plan.basePrice,
  ).length;

const inTens = async <Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<Made[]> => {
  const made: Made[] = [];
  for (let index = 0; index < items.length; index += 10)
    made.push(...(await Promise.all(items.slice(index, index + 10).map(make))));
  return made;
};

type Listed<Item> = { readonly data: readonly Item[] };
type RestSubscription = {
  readonly id: string;
  readonly customerId: string;
  readonly plan: { readonly name: string; readonly basePrice: number };
};

/** Starts a separate application and creates its test data. */
export async function openWorld(): Promise<World> {
  const t = await startApp();
  const shop = await otherShop(t, 'Clients');
  const plans = await inTens([1, 2, 3, 4, 5], async (factor) => {
    const { id } = await createPlan(shop);
    await createPrice(shop, id, { price: 1_000 * factor, isDefault: true });
    const yearly = await createPrice(shop, id, { billingInterval: 'yearly', price: 9_000 * factor });
    return { planId: id, priceId: yearly.id };
  });
  const customers = Array.from({ length: 100 }, (_, index) => ({ email: `person-${index}@shop.test` }));
  const { body: batch } = await shop.rest<{ successful: readonly { id: string }[] }>(
    'POST',
    '/customers/batch',
    { customers },
  );
  await inTens([...batch.successful.entries()], async ([index, { id: customerId }]) => {
    const { status, body } = await shop.rest('POST', '/subscriptions', {
      customerId,
      ...plans[index % plans.length],
    });
    if (status !== 201) throw new Error(`A subscription was rejected: ${JSON.stringify(body)}`);
  });
  const billed = await createCustomer(shop);
  for (let count = 1; count <= 5; count++)
    await shop.rest('POST', '/invoices', {
      customerId: billed.id,
      amount: 100 * count,
      description: 'Help',
    });
  const { body: listed } = await shop.rest<Listed<{ id: string }>>('GET', '/subscriptions?limit=100');
  const subscriptions = await inTens(
    listed.data,
    async ({ id }) => (await shop.rest<RestSubscription>('GET', `/subscriptions/${id}`)).body,
  );
  const { body: invoices } = await shop.rest<Listed<{ id: string }>>(
    'GET',
    `/invoices?limit=100&customerId=${billed.id}`,
  );
  const { data: introspection } = (await (
    await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: getIntrospectionQuery({ inputValueDeprecation: true }) }),
    })
  ).json()) as { data: IntrospectionQuery };
  return {
    t,
    shop,
    url: `${t.url}/graphql`,
    headers: { 'x-api-key': shop.key },
    rows: subscriptions.map(({ id, customerId, plan }) => ({
      id,
      planName: plan.name,
      price: plan.basePrice,
      customerId,
    })),
    billedCustomerId: billed.id,
    invoiceIds: invoices.data.map(({ id }) => id),
    introspection,
  };
}

/** Returns the object types without an ID. Caches store their objects inside the parent. */
export const typesWithoutId = (of: GraphQLSchema = schema): string[] =>
  Object.values(of.getTypeMap())
    .filter(isObjectType)
    .filter((type) => type.getFields()['id'] === undefined && !type.name.startsWith('__'))
    .map(({ name }) => name);
