import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import type { Body } from './calls.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

describe('the list of customers', () => {
  type Page = {
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly email: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
  const list = `query ($first: Int, $after: String, $externalId: String) {
    customers(first: $first, after: $after, externalId: $externalId) { edges { cursor node { email } } pageInfo { hasNextPage endCursor } } }`;
  let own: Shop;
  const page = async (variables: Body): Promise<Page> =>
    (await t.graphql<{ customers: Page }>(list, variables, { key: own.key })).customers;
  const emails = ({ edges }: Page): string[] => edges.map(({ node }) => node.email);
  const add = (name: string) =>
    own.rest('POST', '/customers', { email: `${name}@shop.test`, externalId: name });

  beforeAll(async () => {
    own = await otherShop(t, 'An organization with a list');
    for (const name of ['c1', 'c2', 'c3', 'c4', 'c5']) await add(name);
  });

  test('returns customers from newest to oldest with pagination, even while customers are created', async () => {
    const first = await page({ first: 2 });
    expect(emails(first)).toEqual(['c5@shop.test', 'c4@shop.test']);
    expect(first.pageInfo).toEqual({ hasNextPage: true, endCursor: first.edges[1]?.cursor });
    await add('c6');
    const second = await page({ first: 2, after: first.pageInfo.endCursor });
    expect(emails(second)).toEqual(['c3@shop.test', 'c2@shop.test']);
    const third = await page({ first: 2, after: second.pageInfo.endCursor });
    expect([emails(third), third.pageInfo.hasNextPage]).toEqual([['c1@shop.test'], false]);
    expect(await page({ first: 2, after: third.pageInfo.endCursor })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    expect(emails(await page({}))).toHaveLength(6);
  });

  test("can be filtered by external ID, which doesn't match IDs", async () => {
    const found = await page({ externalId: 'c3' });
    expect([emails(found), found.pageInfo.hasNextPage]).toEqual([['c3@shop.test'], false]);
    const { body } = await own.rest('GET', '/customers/c3');
    for (const externalId of ['C3', 'c', '', 'nobody', body['id']])
      expect(emails(await page({ externalId }))).toEqual([]);
    const none = await own.rest('GET', '/customers?externalId=nobody');
    expect([none.status, none.body]).toEqual([200, { object: 'list', data: [], hasMore: false }]);
  });

  test('contains only customers in its environment', async () => {
    const live = await t.rest<{ data: Body[] }>('GET', '/customers?externalId=c3', undefined, {
      key: t.liveKey,
    });
    expect(live.body.data).toEqual([]);
  });
});
