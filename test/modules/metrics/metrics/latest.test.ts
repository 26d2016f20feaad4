import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createActiveSubscription,
  createCustomer,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Current MRR for customers and subscriptions. Each subscription's last entry counts immediately.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Answer = {
  readonly customers: {
    readonly nodes: readonly {
      readonly mrr: readonly { readonly amount: number; readonly currency: string }[];
      readonly subscription: { readonly mrr: number } | null;
    }[];
  };
};

const read = async () => {
  const query = '{ customers { nodes { mrr { amount currency } subscription { mrr } } } }';
  return (await t.graphql<Answer>(query, {}, { key: shop.key })).customers.nodes;
};

test("a customer's current MRR is the monthly plan price, and is empty if the customer has no subscription or it has ended", async () => {
  const { id } = await createActiveSubscription(shop);
  await createCustomer(shop);
  // 49.00 per month, stored as a rate (10,000 = 1.00). The newest customer comes first.
  expect(await read()).toEqual([
    { mrr: [], subscription: null },
    { mrr: [{ amount: 490_000, currency: 'usd' }], subscription: { mrr: 490_000 } },
  ]);
  const cancel = 'mutation ($input: SubscriptionCancelInput!) { subscriptionCancel(input: $input) { id } }';
  await t.graphql(cancel, { input: { id, immediate: true } }, { key: shop.key });
  const [, ended] = await read();
  expect(ended?.mrr).toEqual([]);
  expect(ended?.subscription?.mrr ?? 0).toBe(0);
});
