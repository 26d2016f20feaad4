import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { expect, test } from 'vitest';
import {
  countOwnPrices,
  type InvoicesData,
  invoiceIdsOf,
  invoicesText,
  rowsOf,
  type SubscriptionsData,
  subscriptionsText,
  typesWithoutId,
  type World,
} from './world.ts';

/** Returns a client with the normalized cache, configured as in the client guide. */
const open = ({ url, headers, introspection }: World): Client =>
  new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [
      cacheExchange({
        schema: introspection,
        keys: Object.fromEntries(typesWithoutId().map((name) => [name, () => null])),
        resolvers: { Customer: { invoices: relayPagination() } },
      }),
      fetchExchange,
    ],
  });

/** Tests urql with Graphcache. */
export function urqlTests(world: () => World): void {
  test('returns the same rows as REST, also from the cache', async () => {
    const client = open(world());
    const first = await client.query<SubscriptionsData>(subscriptionsText, { first: 100 }).toPromise();
    expect(first.error).toBeUndefined();
    const again = await client
      .query<SubscriptionsData>(subscriptionsText, { first: 100 }, { requestPolicy: 'cache-only' })
      .toPromise();
    expect(rowsOf(again.data)).toEqual(world().rows);
    expect(again.data === undefined ? 0 : countOwnPrices(again.data)).toBe(100);
  });

  test('updates the cache from the response of a mutation', async () => {
    const client = open(world());
    const query = 'query One($id: ID!) { customer(id: $id) { id fullName } }';
    const variables = { id: world().billedCustomerId };
    await client.query(query, variables).toPromise();
    const rename =
      'mutation Rename($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id fullName } }';
    await client.mutation(rename, { input: { ...variables, fullName: 'Ada King' } }).toPromise();
    const { data } = await client.query(query, variables, { requestPolicy: 'cache-only' }).toPromise();
    expect(data).toMatchObject({ customer: { fullName: 'Ada King' } });
  });

  test('appends pages of a nested list', async () => {
    const client = open(world());
    const variables = { id: world().billedCustomerId, first: 2 };
    let { data } = await client.query<InvoicesData>(invoicesText, variables).toPromise();
    while (data?.customer.invoices.pageInfo.hasNextPage === true) {
      const after = data.customer.invoices.pageInfo.endCursor;
      ({ data } = await client.query<InvoicesData>(invoicesText, { ...variables, after }).toPromise());
    }
    expect(invoiceIdsOf(data)).toEqual(world().invoiceIds);
  });

  test('keeps the other fields of a page if one field fails', async () => {
    const query = '{ customer(id: "cus_none") { id } plans(first: 1) { edges { node { id } } } }';
    const { data, error } = await open(world()).query(query, {}).toPromise();
    expect(data).toMatchObject({ customer: null, plans: { edges: [{ node: {} }] } });
    expect(error?.graphQLErrors).toMatchObject([{ extensions: { code: 'customer_not_found' } }]);
  });
}
