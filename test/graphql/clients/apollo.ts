import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { relayStylePagination } from '@apollo/client/utilities';
import { expect, test } from 'vitest';
import {
  countOwnPrices,
  type InvoicesData,
  invoiceIdsOf,
  invoicesText,
  rowsOf,
  type SubscriptionsData,
  subscriptionsText,
  type World,
} from './world.ts';

const subscriptions = gql(subscriptionsText);

/** Returns a client that records the bodies of its requests. */
function open({ url, headers }: World, linkOf: (fetch: typeof globalThis.fetch) => ApolloLink) {
  const bodies: string[] = [];
  const counted: typeof globalThis.fetch = (address, init) => {
    bodies.push(String(init?.body));
    return fetch(address, { ...init, headers: { ...init?.headers, ...headers } });
  };
  const typePolicies = { Customer: { fields: { invoices: relayStylePagination() } } };
  const client = new ApolloClient({
    link: linkOf(counted),
    cache: new InMemoryCache({ typePolicies }),
  });
  return { client, bodies, url };
}

export function apolloTests(world: () => World): void {
  const plain = () => open(world(), (fetch) => new HttpLink({ uri: world().url, fetch }));

  test('returns the same rows as REST, also from the cache', async () => {
    const { client } = plain();
    const { data } = await client.query<SubscriptionsData>({
      query: subscriptions,
      variables: { first: 100 },
    });
    const cached = client.readQuery<SubscriptionsData>({ query: subscriptions, variables: { first: 100 } });
    expect(rowsOf(cached)).toEqual(world().rows);
    expect(data === undefined ? 0 : countOwnPrices(data)).toBe(100);
  });

  test('updates the cache from the response of a mutation', async () => {
    const { client } = plain();
    const query = gql`query One($id: ID!) { customer(id: $id) { id fullName } }`;
    const variables = { id: world().billedCustomerId };
    await client.query({ query, variables });
    await client.mutate({
      mutation: gql`mutation Rename($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id fullName } }`,
      variables: { input: { ...variables, fullName: 'Grace Hopper' } },
    });
    expect(client.readQuery({ query, variables })).toMatchObject({ customer: { fullName: 'Grace Hopper' } });
  });

  test('appends pages of a nested list', async () => {
    const { client } = plain();
    const options = { query: gql(invoicesText), variables: { id: world().billedCustomerId, first: 2 } };
    let { data } = await client.query<InvoicesData>(options);
    const observed = client.watchQuery<InvoicesData>(options);
    const subscribed = observed.subscribe({});
    while (data?.customer.invoices.pageInfo.hasNextPage === true)
      ({ data } = await observed.fetchMore({
        variables: { after: data.customer.invoices.pageInfo.endCursor },
      }));
    expect(invoiceIdsOf(client.readQuery<InvoicesData>(options))).toEqual(world().invoiceIds);
    subscribed.unsubscribe();
  });

  test('keeps the other fields of a page if one field fails with errorPolicy all', async () => {
    const { client } = plain();
    const query = gql`{ customer(id: "cus_none") { id } plans(first: 1) { edges { node { id } } } }`;
    const { data, error } = await client.query({ query, errorPolicy: 'all' });
    expect(data).toMatchObject({ customer: null, plans: { edges: [{ node: {} }] } });
    expect(error).toMatchObject({ errors: [{ extensions: { code: 'customer_not_found' } }] });
  });

  test('sends simultaneous operations as one request', async () => {
    const { client, bodies } = open(
      world(),
      (fetch) => new BatchHttpLink({ uri: world().url, fetch, batchInterval: 1 }),
    );
    const query = gql`query Named($first: Int!) { customers(first: $first) { edges { node { id } } } }`;
    const answers = await Promise.all(
      [1, 2, 3].map((first) =>
        client.query<{ customers: { edges: unknown[] } }>({ query, variables: { first } }),
      ),
    );
    expect(answers.map(({ data }) => data?.customers.edges.length)).toEqual([1, 2, 3]);
    expect(bodies).toHaveLength(1);
  });

  test('sends the whole document if the server does not know its hash', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const { client, bodies } = open(world(), (fetch) =>
      ApolloLink.from([new PersistedQueryLink({ sha256 }), new HttpLink({ uri: world().url, fetch })]),
    );
    const { data } = await client.query<SubscriptionsData>({
      query: subscriptions,
      variables: { first: 100 },
    });
    expect(rowsOf(data)).toEqual(world().rows);
    expect(bodies.map((body) => 'query' in JSON.parse(body))).toEqual([false, true]);
    await client.query({ query: gql`{ plans(first: 1) { edges { node { id } } } }` });
    // After the server reports that it doesn't support persisted queries, the client stops sending hashes.
    expect(bodies).toHaveLength(3);
  });
}
