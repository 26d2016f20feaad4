import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, createCreditsConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const numbered = (measure: string, amount: number) => ({
  measure,
  window: { kind: 'day' },
  amount,
  action: 'block',
});

test('a check lists all limits if the plan rejects the usage, the rejecting limits first', async () => {
  const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
  const scope = { customer: consumer.customerId };
  const ids: unknown[] = [];
  for (const limit of [
    { ...numbered('calls', 5), scope },
    { ...numbered('units', 12), filter: { features: [consumer.feature.code] }, scope },
  ])
    ids.push((await shop.rest('POST', '/limits', limit)).body['id']);
  const check = async (quantity: number) =>
    (await shop.rest('POST', '/usage/check', { ...of(consumer), quantity })).body;
  const rejectedByPlan = { allowed: false, reason: 'included_limit_reached', current: 0, maxQuantity: 10 };
  expect(await check(20)).toMatchObject({
    ...rejectedByPlan,
    limits: [
      { limitId: ids[1], used: '0', asked: '20', remaining: '12' },
      { limitId: ids[0], used: '0', asked: '1', remaining: '5' },
    ],
  });
  expect(await check(11)).toMatchObject({ ...rejectedByPlan, limits: [{ asked: '11' }, { asked: '1' }] });
  const event = async (value: number) =>
    (await shop.rest<{ error: object }>('POST', '/usage/events', { ...of(consumer), value })).body.error;
  const plan = { current: 0, included: 10, remaining: 10 };
  expect(await event(20)).toMatchObject({
    code: 'included_limit_reached',
    details: { ...plan, limits: [{ limitId: ids[1], used: '0', asked: '20', remaining: '12' }] },
  });
  expect(await event(11)).toMatchObject({ code: 'included_limit_reached', details: plan });
  expect(await event(11)).not.toMatchObject({ details: { limits: expect.anything() } });
  const crossings = await shop.rest('GET', `/limit-crossings?customerId=${consumer.customerId}`);
  expect(crossings.body['data']).toEqual([]);
  expect(await check(10)).toMatchObject({ allowed: true, maxQuantity: 10 });
});

test('a check of credits lists all limits if the credits do not cover the usage', async () => {
  const consumer = await createCreditsConsumer(shop);
  const scope = { customer: consumer.customerId };
  const limit = { ...numbered('drawn', 100), asset: 'credits', scope };
  const { status, body } = await shop.rest('POST', '/limits', limit);
  expect(status).toBe(201);
  const checked = await shop.rest('POST', '/usage/check', { ...of(consumer), quantity: 100_000 });
  expect(checked.body).toMatchObject({
    allowed: false,
    reason: 'insufficient_credits',
    limits: [{ limitId: body['id'], used: '0', remaining: '100' }],
  });
});

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
