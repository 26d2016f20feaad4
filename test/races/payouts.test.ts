import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { liveShop, openPayouts } from '../support/payouts.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

test('payouts asked for at once never take more than there is (PAY-36)', async () => {
  const shop = await liveShop(t);
  await openPayouts(shop, 5_000n);
  const asked = await Promise.all([1, 2, 3, 4, 5].map(() => shop.rest('POST', '/payouts', { amount: 2_000 })));
  expect(asked.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
  const { payoutBalance } = await t.graphql('{ payoutBalance { available inTransit } }', {}, { key: shop.key });
  expect(payoutBalance).toEqual({ available: 1_000, inTransit: 4_000 });
});
