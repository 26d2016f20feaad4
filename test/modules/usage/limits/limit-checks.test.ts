import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

test('a check returns the largest quantity if the price falls with the volume', async () => {
  const consumer = await createConsumer(shop, {
    terms: { includedAmount: 0, overage: { enabled: true } },
    rate: {
      model: 'volume',
      tiers: [
        { upTo: '10', amount: '0.10' },
        { upTo: null, amount: '0.05' },
      ],
    },
  });
  const cap = { measure: 'spend', currency: 'usd', window: { kind: 'usage_window' }, amount: 80 };
  await shop.rest('POST', '/limits', { ...cap, action: 'block', scope: { customer: consumer.customerId } });
  const check = async (quantity: number) =>
    (await shop.rest('POST', '/usage/check', { ...of(consumer), quantity })).body;
  // 8 units cost 0.80, 9 units cost 0.90, and 16 units cost 0.80.
  expect(await check(8)).toMatchObject({ allowed: true, maxQuantity: 16 });
  expect((await shop.rest('POST', '/usage/events', { ...of(consumer), value: 8 })).status).toBe(200);
  expect(await check(1)).toMatchObject({ allowed: false, reason: 'included_limit_reached', maxQuantity: 8 });
  expect(await check(8)).toMatchObject({ allowed: true, maxQuantity: 8 });
  expect((await shop.rest('POST', '/usage/events', { ...of(consumer), value: 8 })).status).toBe(200);
  expect(await check(1)).toMatchObject({ allowed: false, maxQuantity: 0 });
});
