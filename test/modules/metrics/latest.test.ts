import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActiveSubscription, createCustomer, otherShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// What customers and subscriptions recur at now: the last entry of each subscription, as soon as it is written.

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

test('recurs at the price of the plan per month, and at nothing without a subscription and after its end', async () => {
  const { id } = await createActiveSubscription(shop);
  await createCustomer(shop);
  // 49.00 a month at rate scale. The newest customer comes first.
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
