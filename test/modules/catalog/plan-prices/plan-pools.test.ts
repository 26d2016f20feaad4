import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCreditsConsumer, of } from '../../../support/consumers.ts';
import {
  advanceDays,
  attachFeature,
  createFeature,
  createPlan,
  createPrice,
  firstShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const setPool = (planId: string, asset: string, terms: object) =>
  shop.rest('PUT', `/plans/${planId}/pools/${asset}`, terms);

const poolsOf = async (id: string) =>
  (
    await t.graphql<{ plan: { pools: unknown } }>(
      'query ($id: ID!) { plan(id: $id) { pools { asset includedPerWindow onEmpty rollover { windows cap } } } }',
      { id },
    )
  ).plan.pools;

test('a rollover moves unused credits to the next window, and the included amount applies to the price (PRM-22)', async () => {
  const consumer = await createCreditsConsumer(shop, 400, 1);
  const { plan } = (
    await shop.rest<{ plan: { id: string } }>('GET', `/subscriptions/${consumer.subscriptionId}`)
  ).body;
  const planId = plan.id;
  const rollover = { windows: 2, cap: 1_500 };
  expect(
    await setPool(planId, 'credits', { includedPerWindow: 1_000, onEmpty: 'reject', rollover }),
  ).toMatchObject({
    status: 200,
    body: { asset: 'credits', includedPerWindow: 1_000, onEmpty: 'reject', rollover },
  });
  expect(await poolsOf(planId)).toEqual([
    { asset: 'credits', includedPerWindow: 1_000, onEmpty: 'reject', rollover },
  ]);
  await shop.rest('POST', '/usage/events', { ...of(consumer), value: 600 });
  await advanceDays(shop, 32);
  const { data } = (
    await shop.rest<{ data: { source: string; remaining: number }[] }>(
      'GET',
      `/customers/${consumer.customerId}/lots`,
    )
  ).body;
  expect(data.map(({ source, remaining }) => [source, remaining])).toEqual([
    ['plan', 1_000],
    ['rollover', 400],
    ['plan', 0],
  ]);
  const removed = await setPool(planId, 'credits', {});
  expect(removed.body).toEqual({ asset: 'credits', includedPerWindow: 1_000, onEmpty: 'reject' });
});

test('a balance plan can change the effect of an empty balance', async () => {
  const { id } = await createPlan(shop, { consumptionModel: 'balance' });
  await createPrice(shop, id, { includedBalance: 420_000 });
  expect((await setPool(id, 'usd', { onEmpty: 'reject' })).body).toEqual({
    asset: 'usd',
    includedPerWindow: 420_000,
    onEmpty: 'reject',
  });
  expect((await shop.rest('GET', `/plans/${id}`)).body).toMatchObject({ blockOnExhaustion: true });
});

test.each([
  ['metered', 'gpu', {}, 'asset'],
  ['metered', 'credits', { onEmpty: 'overdraw' }, 'onEmpty'],
  ['metered', 'credits', { overdraftRate: '0.0000000000001' }, 'overdraftRate'],
  ['balance', 'usd', { overdraftRate: '0.01' }, 'overdraftRate'],
  ['balance', 'eur', {}, 'asset'],
  ['balance', 'usd', { includedPerWindow: 5 }, 'includedPerWindow'],
  ['balance', 'usd', { includedPerWindow: -1 }, 'includedPerWindow'],
  ['credits', 'credits', { onEmpty: 'overdraw' }, 'onEmpty'],
  ['credits', 'credits', { rollover: { windows: 13 } }, 'rollover.windows'],
  ['credits', 'credits', { rollover: { cap: 0 } }, 'rollover.cap'],
])('a %s plan rejects the pool %s with the terms %o', async (consumptionModel, asset, terms, param) => {
  const { id } = await createPlan(shop, { consumptionModel });
  expect(await setPool(id, asset, terms)).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', param } },
  });
});

test('the features of a metered plan are invoiced after a pool was added', async () => {
  const { id } = await createPlan(shop, {});
  const calls = await createFeature(shop, 'usage');
  await attachFeature(shop, id, calls.id, { includedAmount: 10, overage: { enabled: true, unitPrice: 200 } });
  await attachFeature(shop, id, (await createFeature(shop, 'seats')).id, { includedAmount: 1 });
  const settlements = async () =>
    (
      await t.graphql<{ plan: object }>(
        'query ($id: ID!) { plan(id: $id) { consumptionModel featureTerms { settle { pool } } } }',
        { id },
      )
    ).plan;
  expect(await settlements()).toEqual({
    consumptionModel: 'metered',
    featureTerms: [{ settle: null }, { settle: null }],
  });
  expect((await setPool(id, 'credits', {})).status).toBe(200);
  expect(await settlements()).toEqual({
    consumptionModel: 'credits',
    featureTerms: [{ settle: { pool: null } }, { settle: null }],
  });
});
