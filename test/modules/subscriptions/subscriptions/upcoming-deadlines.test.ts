import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockSettled, createActiveSubscription, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-31T10:00:00Z' });
  await clockSettled(shop);
});
afterAll(() => t.close());

type Page = {
  readonly upcomingDeadlines: {
    readonly nodes: readonly {
      readonly kind: string;
      readonly dueAt: string;
      readonly notice: string | null;
      readonly subscription: { readonly id: string } | null;
      readonly customer: { readonly id: string };
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly totalCount: { readonly value: number };
  };
};
const query = `query ($first: Int, $after: String, $until: DateTime, $customerId: String, $kinds: [UpcomingDeadlineKind!]) {
  upcomingDeadlines(first: $first, after: $after, until: $until, customerId: $customerId, kinds: $kinds) {
    nodes { kind dueAt notice subscription { id } customer { id } } pageInfo { hasNextPage endCursor } totalCount { value } } }`;
const list = async (variables: Record<string, unknown> = {}, key = shop.key) =>
  (await t.graphql<Page>(query, variables, { key })).upcomingDeadlines;

test('upcoming deadlines are listed in processing order, paginated, and counted by day', async () => {
  const monthly = await createActiveSubscription(shop);
  const yearly = await createActiveSubscription(shop, { billingInterval: 'yearly' });
  const all = await list();
  const shown = all.nodes.map(({ kind, dueAt, notice, subscription }) => [
    dueAt.slice(0, 10),
    kind,
    notice,
    subscription?.id === monthly.id ? 'monthly' : 'yearly',
  ]);
  // The notice of a renewal is sent 3 days before the renewal.
  expect(shown).toEqual([
    ['2027-02-25', 'daily_scan', 'invoice.upcoming', 'monthly'],
    ['2027-02-28', 'period_end', null, 'monthly'],
    ['2027-02-28', 'window_reset', null, 'yearly'],
    ['2028-01-28', 'daily_scan', 'invoice.upcoming', 'yearly'],
    ['2028-01-31', 'period_end', null, 'yearly'],
  ]);
  expect(all.totalCount.value).toBe(5);
  const first = await list({ first: 2 });
  expect(first.nodes).toEqual(all.nodes.slice(0, 2));
  const second = await list({ first: 2, after: first.pageInfo.endCursor });
  expect(second.nodes).toEqual(all.nodes.slice(2, 4));
  expect(second.pageInfo.hasNextPage).toBe(true);
  expect((await list({ until: '2027-02-28T00:00:00Z' })).nodes).toEqual(all.nodes.slice(0, 3));
  expect((await list({ kinds: ['period_end'] })).nodes).toEqual([all.nodes[1], all.nodes[4]]);
  expect((await list({ customerId: yearly.customerId })).nodes).toEqual(all.nodes.slice(2));
  expect((await list({ customerId: 'nobody' })).nodes).toEqual([]);
  const days = (variables: string) =>
    t.graphql<{ upcomingDeadlineDays: unknown[] }>(
      `{ upcomingDeadlineDays${variables} { day kind count } }`,
      {},
      { key: shop.key },
    );
  expect((await days('(days: 30)')).upcomingDeadlineDays).toEqual([
    { day: '2027-02-25T00:00:00.000Z', kind: 'daily_scan', count: 1 },
    { day: '2027-02-28T00:00:00.000Z', kind: 'period_end', count: 1 },
    { day: '2027-02-28T00:00:00.000Z', kind: 'window_reset', count: 1 },
  ]);
  expect((await days('')).upcomingDeadlineDays).toEqual([]);
  expect((await list({}, t.liveKey)).nodes).toEqual([]);
  expect((await list({}, (await otherShop(t)).key)).nodes).toEqual([]);
  for (const args of [
    'upcomingDeadlineDays(days: 0) { count }',
    'upcomingDeadlines(first: 101) { nodes { kind } }',
  ])
    expect(await rejection(t, `{ ${args} }`)).toMatchObject({ code: 'validation_error' });
});
