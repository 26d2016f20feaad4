import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createActiveSubscription,
  firstShop,
  latestTransaction,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { refund } from './shop.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const list = `query ($filter: RefundFilter, $first: Int) { refunds(filter: $filter, first: $first) {
  edges { node { amount currency status customer { id } transaction { id } } } marks(every: 1) { cursors total } } }`;

type Listed = { readonly refunds: { readonly edges: readonly unknown[]; readonly marks: object } };

test('the list of refunds is sorted from newest to oldest, and can be filtered by customer and status', async () => {
  const { id: firstId, customerId } = await createActiveSubscription(shop);
  const { id: secondId, customerId: otherId } = await createActiveSubscription(shop);
  const [first, second] = [await latestTransaction(shop, firstId), await latestTransaction(shop, secondId)];
  for (const id of [first, second]) expect((await refund(shop, id)).status).toBe(200);
  const row = (transactionId: string, customer: string) => ({
    node: {
      amount: 4_900,
      currency: 'usd',
      status: 'succeeded',
      customer: { id: customer },
      transaction: { id: transactionId },
    },
  });
  const { refunds } = await t.graphql<Listed>(list);
  expect(refunds.edges).toEqual([row(second, otherId), row(first, customerId)]);
  expect(refunds.marks).toEqual({ cursors: [expect.any(String)], total: 2 });
  const filtered = await t.graphql<Listed>(list, {
    filter: { customerIds: [customerId], statuses: ['succeeded'] },
  });
  expect(filtered.refunds.edges).toEqual([row(first, customerId)]);
  const none = await t.graphql<Listed>(list, { filter: { statuses: ['failed'] } });
  expect(none.refunds.edges).toEqual([]);
  const elsewhere = await t.graphql<Listed>(list, {}, { key: t.liveKey });
  expect(elsewhere.refunds.edges).toEqual([]);
});
