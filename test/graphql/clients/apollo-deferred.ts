import { ApolloClient, type DocumentNode, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { describe, expect, test } from 'vitest';
import { invoiceIdsOf, invoicesText, type World } from './world.ts';

/** Data and errors that the client showed for a query, and whether the result was complete. */
type Shown = { readonly data: unknown; readonly isWhole: boolean; readonly messages: readonly string[] };

const messagesOf = (error: unknown): string[] => {
  const { errors = [], message } = error as { errors?: readonly { message: string }[]; message: string };
  return errors.length === 0 ? [message] : errors.map((each) => each.message);
};

/** Tests Apollo Client with deferred parts. */
export function apolloDeferredTests(world: () => World): void {
  const open = (incrementalHandler: ApolloClient.Options['incrementalHandler'] & object) =>
    new ApolloClient({
      link: new HttpLink({ uri: world().url, headers: { ...world().headers } }),
      cache: new InMemoryCache(),
      incrementalHandler,
    });

  /** Watches a query until it completes or fails. Returns each state that the client showed. */
  const watch = (client: ApolloClient, query: DocumentNode, variables: object): Promise<Shown[]> =>
    new Promise((resolve) => {
      const shown: Shown[] = [];
      const observed = client.watchQuery({ query, variables, errorPolicy: 'all' });
      const watching = observed.subscribe(({ data, dataState, error, loading }) => {
        if (data === undefined && error === undefined) return;
        const isWhole = !loading && dataState !== 'streaming' && dataState !== 'partial';
        shown.push({ data, isWhole, messages: error === undefined ? [] : messagesOf(error) });
        if (!isWhole) return;
        watching.unsubscribe();
        resolve(shown);
      });
    });

  const deferred = gql`query Deferred($id: ID!, $first: Int!, $after: String) {
    customer(id: $id) {
      id
      ... @defer(label: "invoices") {
        invoices(first: $first, after: $after) { edges { cursor node { id total } } pageInfo { hasNextPage endCursor } }
      }
    }
  }`;
  const variables = () => ({ id: world().billedCustomerId, first: 100 });

  describe('with Defer20220824Handler', () => {
    test('returns the first part, then the complete result, and caches both', async () => {
      const client = open(new Defer20220824Handler());
      const shown = await watch(client, deferred, variables());
      const { id } = variables();
      expect(shown[0]).toEqual({
        data: { customer: { __typename: 'Customer', id } },
        isWhole: false,
        messages: [],
      });
      const { data } = shown.at(-1) ?? {};
      expect(invoiceIdsOf(data as never)).toEqual(world().invoiceIds);
      // The cache contains the complete result, so it can serve the same query without the directive.
      const cached = client.readQuery({ query: gql(invoicesText), variables: variables() });
      expect(invoiceIdsOf(cached as never)).toEqual(world().invoiceIds);
    });

    test('returns the error of a deferred part along with the other data', async () => {
      const client = open(new Defer20220824Handler());
      const query = gql`query Failing($id: ID!) {
        customer(id: $id) { id }
        ... @defer { missing: invoice(id: "inv_none") { id } }
      }`;
      const shown = await watch(client, query, { id: variables().id });
      expect(shown.at(-1)?.messages).toEqual([expect.stringMatching(/invoice/i)]);
      expect(shown.at(-1)?.data).toMatchObject({ customer: { id: variables().id } });
    });
  });

  test('receives an error for @stream', async () => {
    const client = open(new Defer20220824Handler());
    const query = gql`query Streamed { customers(first: 2) { nodes @stream(initialCount: 1) { id } } }`;
    const { error } = await client.query({ query, errorPolicy: 'all' });
    expect(messagesOf(error)).toEqual(['Unknown directive "@stream".']);
  });

  test('receives an error for the unsupported format of GraphQL17Alpha9Handler', async () => {
    // The class declares a property as `undefined`, which the interface's exact optional types don't allow.
    const client = open(new GraphQL17Alpha9Handler() as unknown as Defer20220824Handler);
    const { error } = await client.query({ query: deferred, variables: variables(), errorPolicy: 'all' });
    expect(messagesOf(error)).toEqual([
      "@defer responses use the format deferSpec=20220824. The format incrementalSpec isn't supported.",
    ]);
  });
}
