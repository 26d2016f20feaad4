import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, createBalanceConsumer, createConsumer, of } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { advanceDays, cards, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Item = {
  readonly kind: string;
  readonly count: object;
  readonly sample: readonly { readonly id: string }[];
};

const attention = async (kind: string): Promise<Item | undefined> =>
  (
    await t.graphql<{ attention: readonly Item[] }>(
      '{ attention { kind count { value isExact } sample { ... on Customer { id } } } }',
    )
  ).attention.find((item) => item.kind === kind);

const track = (consumer: Consumer, value = 1) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), value });

test('a customer who reached a limit that rejects usage needs attention until the limit is raised', async () => {
  const consumer = await createConsumer(shop);
  const { customerId } = consumer;
  const create = async (body: object): Promise<string> => {
    const answer = await shop.rest('POST', '/limits', {
      ...{ scope: { customer: customerId }, measure: 'calls', window: { kind: 'month' }, amount: 2 },
      ...body,
    });
    return String(answer.body['id']);
  };
  await create({ action: 'notify', amount: 1 });
  const blocking = await create({ action: 'block' });
  await create({ action: 'block', window: { kind: 'day' } });
  await track(consumer);
  expect(await attention('limit_reached')).toBeUndefined();
  await track(consumer);
  const item = {
    kind: 'limit_reached',
    count: { value: 1, isExact: true },
    sample: [{ id: customerId }],
  };
  expect(await attention('limit_reached')).toEqual(item);
  await shop.rest('POST', `/limits/${blocking}/raises`, { amount: 5 });
  expect(await attention('limit_reached')).toEqual(item);
  await advanceDays(shop, 1);
  expect(await attention('limit_reached')).toBeUndefined();
});

test('a customer whose automatic top-up is paused needs attention until it is removed', async () => {
  const consumer = await createBalanceConsumer(shop, 420_000, true, cards.declinesLater);
  const path = `/customers/${consumer.customerId}/auto-top-up`;
  const setting = await shop.rest('PUT', path, {
    threshold: 50_000,
    refill: { amount: 2_000 },
    maxAmountPerMonth: 20_000,
    consentReference: 'contract-7',
  });
  expect(setting.status).toBe(200);
  await track(consumer, 8_400);
  await eventually(
    () => shop.rest('GET', path),
    ({ body }) => body['reason'] === 'declined',
  );
  expect(await attention('auto_topup_paused')).toBeUndefined();
  await advanceDays(shop, 2);
  expect(await attention('auto_topup_paused')).toEqual({
    kind: 'auto_topup_paused',
    count: { value: 1, isExact: true },
    sample: [{ id: consumer.customerId }],
  });
  await shop.rest('DELETE', path);
  expect(await attention('auto_topup_paused')).toBeUndefined();
});

test('a limit without an exchange rate for the currency of a customer needs attention until the rate is known (LIM-25)', async () => {
  const consumer = await createConsumer(shop, { terms: { includedAmount: 0, overage: { enabled: true } } });
  const limit = async (amounts: readonly object[]): Promise<string> => {
    const { status, body } = await shop.rest('POST', '/limits', {
      ...{ scope: { plan: consumer.planId }, measure: 'spend', amounts },
      ...{ window: { kind: 'month' }, action: 'block' },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return String(body['id']);
  };
  await limit([{ currency: 'usd', amount: 100 }]);
  expect(await attention('limit_unpriced')).toBeUndefined();
  const id = await limit([{ currency: 'eur', amount: 100 }]);
  const query = '{ attention { kind count { value } sample { ... on Limit { id } } } }';
  const unpriced = async () =>
    (await t.graphql<{ attention: Item[] }>(query)).attention.find(({ kind }) => kind === 'limit_unpriced');
  expect(await unpriced()).toEqual({ kind: 'limit_unpriced', count: { value: 1 }, sample: [{ id }] });
  // The rate of the day on which the window opened counts, and rates of the 7 days before it.
  const { now } = (await shop.rest<{ now: string }>('GET', '/test-clock')).body;
  const opened = `${now.slice(0, 7)}-01`;
  const setRate = (day: string) =>
    shop.rest('PUT', '/fx-rates', { currency: 'eur', day, unitsPerUsd: 80_000_000 });
  const before = new Date(Date.parse(`${opened}T00:00:00.000Z`) - 8 * 86_400_000).toISOString().slice(0, 10);
  expect((await setRate(before)).status).toBe(200);
  expect(await unpriced()).toMatchObject({ count: { value: 1 } });
  expect((await setRate(opened)).status).toBe(200);
  expect(await unpriced()).toBeUndefined();
});
