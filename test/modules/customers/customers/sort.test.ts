import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advanceDays,
  createActiveSubscription,
  createCustomer,
  createPastDueSubscription,
  createSubscription,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
/** Customers by name. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  const monthly = (price: number) => createActiveSubscription(shop, { price });
  const all = {
    none: (await createCustomer(shop, 'DE')).id,
    late: (await createPastDueSubscription(shop)).customerId,
    small: (await monthly(1_900)).customerId,
    large: (await monthly(99_000)).customerId,
    yearly: (await createActiveSubscription(shop, { price: 120_000, billingInterval: 'yearly' })).customerId,
    left: '',
    open: (await createSubscription(shop, { price: 5_000_000 })).customerId,
  };
  const left = await monthly(2_900);
  const cancel = 'mutation ($input: SubscriptionCancelInput!) { subscriptionCancel(input: $input) { id } }';
  await t.graphql(cancel, { input: { id: left.id, immediate: true } }, { key: shop.key });
  Object.assign(ids, { ...all, left: left.customerId });
}, 60_000);
afterAll(() => t.close());

const nameOf = (id: string): string | undefined => Object.keys(ids).find((name) => ids[name] === id);

/** Returns the names of the customers in the given order, read in pages of two. */
async function sorted(by: string, direction: 'asc' | 'desc'): Promise<(string | undefined)[]> {
  const query = `query ($after: String, $sort: CustomerSort) {
    customers(first: 2, after: $after, sort: $sort) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
  type Answer = {
    customers: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  };
  const found: string[] = [];
  let after: string | null = null;
  for (;;) {
    const { customers }: Answer = await t.graphql<Answer>(
      query,
      { after, sort: { by, direction } },
      { key: shop.key },
    );
    found.push(...customers.nodes.map(({ id }) => id));
    if (!customers.pageInfo.hasNextPage) return found.map(nameOf);
    after = customers.pageInfo.endCursor;
  }
}

test.each([
  ['mrr', 'desc', ['large', 'yearly', 'late', 'small', 'open', 'left', 'none']],
  ['mrr', 'asc', ['none', 'left', 'open', 'small', 'late', 'yearly', 'large']],
  ['outstanding', 'desc', ['late']],
  ['total_paid', 'desc', ['yearly', 'large', 'late', 'left', 'small']],
  ['status', 'desc', ['late', 'yearly', 'large', 'small', 'open']],
  ['country', 'desc', ['none']],
] as const)('lists customers by %s %s', async (by, direction, expected) => {
  const found = await sorted(by, direction);
  expect([...found].toSorted()).toEqual(Object.keys(ids).toSorted());
  // Customers with equal values follow in the order of their creation.
  const isTied = expected.length < found.length;
  expect(isTied ? found.slice(0, expected.length) : sameSets(found, expected)).toEqual(expected);
});

/** Returns the names with the customers without recurring revenue in the expected order, because their values are equal. */
const sameSets = (found: readonly (string | undefined)[], expected: readonly string[]) =>
  found.map((name, index) => (['open', 'left', 'none'].includes(name ?? '') ? expected[index] : name));

test('totals cover all customers that match the filter, and invoices of unpaid checkouts are not outstanding', async () => {
  type Answer = { customers: { totals: unknown } };
  const totals = async (filter: object) =>
    (
      await t.graphql<Answer>(
        'query ($filter: CustomerFilter) { customers(first: 1, filter: $filter) { totals { currency mrr outstanding totalPaid } } }',
        { filter },
        { key: shop.key },
      )
    ).customers.totals;
  expect(await totals({})).toEqual([
    // Paid: 49.00, 19.00, 990.00, 1,200.00 and 29.00.
    {
      currency: 'usd',
      mrr: 490_000 + 190_000 + 9_900_000 + 1_000_000,
      outstanding: 4_900,
      totalPaid: 228_700,
    },
  ]);
  expect(await totals({ subscriptionStatuses: ['past_due'] })).toEqual([
    { currency: 'usd', mrr: 490_000, outstanding: 4_900, totalPaid: 4_900 },
  ]);
  expect(await totals({ ids: [ids['none']] })).toEqual([]);
  const { customers } = await t.graphql<Answer>(
    '{ customers { totals(upTo: 6) { mrr } } }',
    {},
    { key: shop.key },
  );
  expect(customers.totals).toBeNull();
});

test('the order follows a renewal', async () => {
  await advanceDays(shop, 31);
  // The renewal of small adds 19.00, so that small has paid 38.00 and left has paid 29.00.
  expect((await sorted('total_paid', 'desc')).slice(0, 5)).toEqual([
    'large',
    'yearly',
    'late',
    'small',
    'left',
  ]);
});
