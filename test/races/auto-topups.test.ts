import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBalanceConsumer, of } from '../support/consumers.ts';
import { eventually } from '../support/eventually.ts';
import { advanceDays, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Concurrent usage, settings, and purchases of accounts with an automatic top-up. No race purchases twice.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(async () => {
  const { ledgerVerify } = await t.graphql('{ ledgerVerify { ok mismatches { account } } }');
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
  await t.close();
});

type Row = Readonly<Record<string, unknown>>;

const terms = {
  threshold: 50_000,
  refill: { amount: 2_000 },
  maxAmountPerMonth: 20_000,
  consentReference: 'contract-7',
};

const topUp = async (customerId: string) =>
  (
    await t.graphql<{
      autoTopUp: { available: number; usedThisMonth: { count: number }; attempts: { nodes: Row[] } };
    }>(
      'query ($id: ID!) { autoTopUp(customerId: $id) { available usedThisMonth { count } attempts { nodes { status } } } }',
      { id: customerId },
    )
  ).autoTopUp;

/** Waits for successful purchases. The fields of the response can be from before and after a purchase. */
const bought = (customerId: string, count: number) =>
  eventually(
    () => topUp(customerId),
    ({ attempts }) => attempts.nodes.filter(({ status }) => status === 'succeeded').length === count,
  );

test('64 concurrent usage events below the threshold purchase once', async () => {
  const consumer = await createBalanceConsumer(shop);
  const { customerId } = consumer;
  await shop.rest('PUT', `/customers/${customerId}/auto-top-up`, terms);
  await shop.rest('POST', '/usage/events', { ...of(consumer), value: 7_000 });
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => shop.rest('POST', '/usage/events', { ...of(consumer), value: 10 })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await bought(customerId, 1);
  expect(await topUp(customerId)).toMatchObject({
    available: 420_000 - 350_000 - 64 * 500 + 200_000,
    usedThisMonth: { count: 1 },
  });
});

test('concurrent settings and resumes of a low account purchase once', async () => {
  const consumer = await createBalanceConsumer(shop);
  const { customerId } = consumer;
  await shop.rest('POST', '/usage/events', { ...of(consumer), value: 8_000 });
  const path = `/customers/${customerId}/auto-top-up`;
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => shop.rest('PUT', path, terms)),
    ...Array.from({ length: 8 }, () => shop.rest('POST', '/usage/events', { ...of(consumer), value: 1 })),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await bought(customerId, 1);
  await Promise.all(Array.from({ length: 8 }, () => shop.rest('POST', `${path}/resume`)));
  expect(await topUp(customerId)).toMatchObject({ usedThisMonth: { count: 1 } });
});

test('top-ups of one instant for many customers are purchased once each in a clock run', async () => {
  const consumers = [];
  for (let index = 0; index < 5; index++) consumers.push(await createBalanceConsumer(shop));
  for (const { customerId } of consumers)
    await shop.rest('PUT', `/customers/${customerId}/auto-top-up`, { ...terms, maxPerMonth: 1, minPause: 0 });
  await advanceDays(shop, 1);
  await Promise.all(
    consumers.map((consumer) => shop.rest('POST', '/usage/events', { ...of(consumer), value: 7_500 })),
  );
  for (const { customerId } of consumers) await bought(customerId, 1);
  await advanceDays(shop, 2);
  for (const { customerId } of consumers)
    expect((await topUp(customerId)).attempts.nodes).toEqual([{ status: 'succeeded' }]);
});
