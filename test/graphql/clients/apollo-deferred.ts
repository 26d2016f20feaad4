import { ApolloClient, type DocumentNode, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { describe, expect, test } from 'vitest';
import { invoiceIdsOf, invoicesText, type World } from './world.ts';

/** What a query showed: its data and errors, and whether more was to come. */
type Shown = { readonly data: unknown; readonly isWhole: boolean; readonly messages: readonly string[] };

const messagesOf = (error: unknown): string[] => {
  const { errors = [], message } = error as { errors?: readonly { message: string }[]; message: string };
  return errors.length === 0 ? [message] : errors.map((each) => each.message);
};

/** What Apollo Client has to do with parts of a query that arrive later. */
export function apolloDeferredTests(world: () => World): void {
  const open = (incrementalHandler: ApolloClient.Options['incrementalHandler'] & object) =>
    new ApolloClient({
      link: new HttpLink({ uri: world().url, headers: { ...world().headers } }),
      cache: new InMemoryCache(),
      incrementalHandler,
    });

  /** Everything a query shows until it is whole or fails. */
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
    test('shows the rest first, then the whole, and has both in its cache', async () => {
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
      // The same query without the directive is answered out of the cache.
      const cached = client.readQuery({ query: gql(invoicesText), variables: variables() });
      expect(invoiceIdsOf(cached as never)).toEqual(world().invoiceIds);
    });

    test('shows the error of a part beside the rest', async () => {
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

  test('is told what a streamed list is: @stream is not offered', async () => {
    const client = open(new Defer20220824Handler());
    const query = gql`query Streamed { customers(first: 2) { nodes @stream(initialCount: 1) { id } } }`;
    const { error } = await client.query({ query, errorPolicy: 'all' });
    expect(messagesOf(error)).toEqual(['Unknown directive "@stream".']);
  });

  test('is told that the form of GraphQL17Alpha9Handler is not spoken', async () => {
    // It is a handler but for a property its declaration has as `undefined` instead of leaving it out.
    const client = open(new GraphQL17Alpha9Handler() as unknown as Defer20220824Handler);
    const { error } = await client.query({ query: deferred, variables: variables(), errorPolicy: 'all' });
    expect(messagesOf(error)).toEqual([
      '@defer is answered in the form of deferSpec=20220824, not of incrementalSpec.',
    ]);
  });
}
