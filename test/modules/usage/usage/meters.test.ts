import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of, setMeter } from '../../../support/consumers.ts';
import {
  advanceDays,
  clockSettled,
  firstShop,
  latestInvoice,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { statementsOf } from '../../../support/statements.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = Readonly<Record<string, unknown>>;

const track = (consumer: Consumer, body: Body) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), ...body });
const check = async (consumer: Consumer, body: Body = {}) =>
  (await shop.rest('POST', '/usage/check', { ...of(consumer), ...body })).body;
const named = (property: string, value: string) => ({ properties: [{ property, value }] });

const metered = (meter: Body, amount: string, terms: Body = {}) =>
  createConsumer(shop, { meter, rate: { amount }, terms: { overage: { enabled: true }, ...terms } });

/** Creates a consumer whose usage is deducted from a balance of 42.00. */
const pooled = (meter: Body, amount: string, blockOnExhaustion = true) =>
  createConsumer(shop, {
    plan: { consumptionModel: 'balance', blockOnExhaustion },
    price: { includedBalance: 420_000 },
    terms: { pricingMode: 'fixed', overage: { unitPrice: 1 } },
    meter,
    rate: { amount },
  });

type Line = { readonly lineType: string; readonly description: string };

/** Advances the clock past the renewal and returns the overage lines of the renewal's invoice. */
async function renewed({ subscriptionId }: Consumer): Promise<readonly Line[]> {
  await advanceDays(shop, 31);
  const path = `/invoices/${await latestInvoice(shop, subscriptionId)}`;
  const { body } = await shop.rest<{ lineItems: readonly Line[] }>('GET', path);
  return body.lineItems.filter(({ lineType }) => lineType === 'feature_overage');
}

describe('a meter with decimals (PRM-120)', () => {
  test('bills the exact quantity, which responses round to whole units', async () => {
    const consumer = await metered({ aggregation: 'sum', decimals: 3 }, '0.35', { includedAmount: 2 });
    expect(await track(consumer, { quantity: '1.250', eventId: 'first' })).toMatchObject({
      status: 200,
      body: { value: 1, quantity: '1.250' },
    });
    expect((await track(consumer, { quantity: 1.25, eventId: 'first' })).body).toMatchObject({ value: 1 });
    expect((await track(consumer, { quantity: '1.251', eventId: 'first' })).body).toMatchObject({
      error: { code: 'duplicate' },
    });
    const batch = {
      events: [
        { ...of(consumer), quantity: '3.3' },
        { ...of(consumer), quantity: '0.0001' },
      ],
    };
    expect((await shop.rest('POST', '/usage/events/batch', batch)).body).toMatchObject({
      recorded: 1,
      results: [{ event: { value: 3, quantity: '3.300' } }, { code: 'validation_error' }],
    });
    expect(await check(consumer)).toMatchObject({
      current: 5,
      included: 2,
      remaining: 0,
      overageUnitPrice: 3_500,
    });
    // 4.55 − 2 = 2.55 units at 0.35 are 0.8925.
    expect(await renewed(consumer)).toMatchObject([
      {
        amount: 89,
        quantity: 3,
        usedAmount: 5,
        includedAmount: 2,
        description: expect.stringContaining('2.55 beyond 2 included') as string,
      },
    ]);
  });

  test('shows the usage of a subscription in whole units', async () => {
    const consumer = await metered({ aggregation: 'sum', decimals: 3 }, '0.35');
    await track(consumer, { quantity: '2.6' });
    const text = 'query ($id: ID!) { customer(id: $id) { subscription { usage { value } } } }';
    expect(await t.graphql(text, { id: consumer.customerId })).toEqual({
      customer: { subscription: { usage: [{ value: 3 }] } },
    });
  });

  test('reads the quantity from a property (PRM-E20)', async () => {
    const consumer = await metered({ aggregation: 'sum', property: 'amount', decimals: 2 }, '0.029');
    expect((await track(consumer, named('amount', '1249.00'))).body).toMatchObject({ value: 1_249 });
    expect((await track(consumer, named('amount', 'free'))).body).toMatchObject({
      error: { code: 'validation_error', param: 'properties.amount', details: { reason: 'bad_quantity' } },
    });
    expect(await renewed(consumer)).toMatchObject([{ amount: 3_622, exactQuantity: '1249' }]);
  });

  test('rounds each event up to a step (PRM-E33)', async () => {
    const consumer = await metered({ aggregation: 'sum', step: '60' }, '0.01');
    for (const value of [61, 600, 59]) await track(consumer, { value });
    expect(await check(consumer)).toMatchObject({ current: 780 });
  });
});

describe('an aggregation whose total is known after each event (PRM-11)', () => {
  test('deducts the increase of the maximum from a balance (PRM-E32)', async () => {
    const consumer = await pooled({ aggregation: 'max' }, '0.10');
    const taken: unknown[] = [];
    for (const value of [3, 7, 5]) {
      const { body } = await track(consumer, { value });
      taken.push((body['consumption'] as Body)['deducted']);
    }
    expect(taken).toEqual([3_000, 4_000, 0]);
    expect((await shop.rest('POST', '/usage/check', { ...of(consumer), quantity: 9 })).body).toMatchObject({
      estimatedAmount: 2_000,
      quantity: 9,
    });
  });

  test('deducts each unique value once, in requests and batches (PRM-E32)', async () => {
    const consumer = await pooled({ aggregation: 'unique', property: 'user' }, '2.00');
    const deducted = async (user: string) =>
      ((await track(consumer, named('user', user))).body['consumption'] as Body)['deducted'];
    expect([await deducted('a'), await deducted('b'), await deducted('a')]).toEqual([20_000, 20_000, 0]);
    const events = ['b', 'c', 'c', 'd'].map((user) => ({ ...of(consumer), ...named('user', user) }));
    const { body } = await shop.rest<{ results: { event: { consumption: Body } }[] }>(
      'POST',
      '/usage/events/batch',
      { events },
    );
    expect(body.results.map(({ event }) => event.consumption['deducted'])).toEqual([0, 20_000, 0, 20_000]);
    expect(await check(consumer, named('user', 'd'))).toMatchObject({ allowed: true, estimatedAmount: 0 });
    expect(await check(consumer, named('user', 'e'))).toMatchObject({
      allowed: true,
      estimatedAmount: 20_000,
    });
  });

  test('rejects a new value at a hard limit and accepts a known one (PRM-E32)', async () => {
    const consumer = await createConsumer(shop, {
      meter: { aggregation: 'unique', property: 'user' },
      terms: { includedAmount: 3 },
    });
    for (const user of ['a', 'b', 'c']) expect((await track(consumer, named('user', user))).status).toBe(200);
    expect((await track(consumer, named('user', 'd'))).body).toMatchObject({
      error: { code: 'included_limit_reached' },
    });
    expect((await track(consumer, named('user', 'a'))).status).toBe(200);
    await advanceDays(shop, 31);
    expect((await track(consumer, named('user', 'd'))).status).toBe(200);
    expect(await check(consumer, named('user', 'd'))).toMatchObject({ current: 1 });
  });

  test('bills the latest quantity by time, and ignores events that do not meet the filters', async () => {
    const meter = { aggregation: 'latest', filters: [{ property: 'env', in: ['live'] }] };
    const consumer = await metered(meter, '1.00');
    const at = (seconds: number) => new Date(Date.parse(now) + seconds * 1_000).toISOString();
    const now = (await shop.rest<{ now: string }>('GET', '/test-clock')).body.now;
    await track(consumer, { value: 8, timestamp: at(2), ...named('env', 'live') });
    await track(consumer, { value: 5, timestamp: at(3), ...named('env', 'live') });
    await track(consumer, { value: 9, timestamp: at(1), ...named('env', 'live') });
    expect(
      (await track(consumer, { value: 7, timestamp: at(4), ...named('env', 'test') })).body,
    ).toMatchObject({ value: 7 });
    expect(await check(consumer)).toMatchObject({ current: 5 });
    expect(await renewed(consumer)).toMatchObject([{ amount: 500, quantity: 5 }]);
  });

  test('counts events', async () => {
    const consumer = await metered({ aggregation: 'count' }, '0.30');
    for (const value of [4, 9]) await track(consumer, { value });
    expect(await renewed(consumer)).toMatchObject([{ amount: 60, quantity: 2 }]);
  });
});

describe('an aggregation whose total is known at the end of the window (PRM-121)', () => {
  test('bills the time-weighted average, and checks return an estimate', async () => {
    // A window starts at midnight, so the event must be recorded at midnight to count for the entire window.
    const { now } = (await shop.rest<{ now: string }>('GET', '/test-clock')).body;
    const midnight = new Date(Math.ceil(Date.parse(now) / 86_400_000) * 86_400_000);
    await shop.rest('POST', '/test-clock', { frozenTime: midnight.toISOString() });
    expect(await clockSettled(shop)).toBe('completed');
    const consumer = await metered({ aggregation: 'time_weighted', decimals: 2 }, '2.00', {
      includedAmount: 1,
    });
    expect((await track(consumer, { quantity: '4' })).body).toMatchObject({ value: 4, quantity: '4.00' });
    await advanceDays(shop, 10);
    expect(await check(consumer)).toMatchObject({ allowed: true, current: 4, isEstimate: true });
    const access = await shop.rest(
      'GET',
      `/feature-access/${consumer.feature.code}?customerId=${consumer.customerId}`,
    );
    expect(access.body).toMatchObject({ consumption: { unitsUsed: 4 } });
    const [line] = await renewed(consumer);
    expect(line).toMatchObject({ amount: 600, exactQuantity: '3', usedAmount: 4 });
  });

  test('bills a percentile of the quantities, without alerts', async () => {
    const consumer = await metered({ aggregation: 'percentile', percentile: 50 }, '1.00', {
      includedAmount: 1,
    });
    for (const value of [3, 7, 5, 2, 7]) expect((await track(consumer, { value })).status).toBe(200);
    expect(await check(consumer)).toMatchObject({ current: 5 });
    const alerts = await t.app.database.query(
      `SELECT 1 FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind LIKE 'quota.%'`,
      [shop.environmentId, consumer.customerId],
    );
    expect(alerts).toEqual([]);
    expect(await shop.rest('PUT', '/usage', { ...of(consumer), value: 1 })).toMatchObject({ status: 400 });
    expect(await renewed(consumer)).toMatchObject([{ amount: 400, usedAmount: 5 }]);
    expect(await t.graphql('{ ledgerVerify { mismatches { account expected actual } } }')).toEqual({
      ledgerVerify: { mismatches: [] },
    });
  });
});

test('the events of windows whose totals are known at their end are read with one SQL statement per page of subscriptions', async () => {
  const codes: string[] = [];
  for (const value of [3, 8]) {
    const consumer = await metered({ aggregation: 'percentile', percentile: 50 }, '1.00');
    expect((await track(consumer, { value })).status).toBe(200);
    codes.push(consumer.feature.code);
  }
  const { data, statements } = await statementsOf(
    t,
    '{ subscriptions(first: 2) { nodes { features { ... on SubscriptionUsageFeature { code usage { current } } } } } }',
    {},
  );
  expect(data).toEqual({
    subscriptions: {
      nodes: [
        { features: [{ code: codes[1], usage: { current: 8 } }] },
        { features: [{ code: codes[0], usage: { current: 3 } }] },
      ],
    },
  });
  expect(statements.filter((text) => text.includes('"UsageEvent"'))).toHaveLength(1);
});

describe('a changed meter (PRM-122)', () => {
  test('applies from the next billing period', async () => {
    const consumer = await metered({ aggregation: 'sum' }, '1.00');
    await track(consumer, { value: 4 });
    await setMeter(shop, consumer.feature.code, { aggregation: 'max', decimals: 1 });
    await track(consumer, { value: 3 });
    expect(await check(consumer)).toMatchObject({ current: 7 });
    expect(await renewed(consumer)).toMatchObject([{ amount: 700 }]);
    await track(consumer, { quantity: '2.5' });
    await track(consumer, { quantity: '1.5' });
    expect(await renewed(consumer)).toMatchObject([{ amount: 250, exactQuantity: '2.5' }]);
  });

  test('keeps the totals equal to the sums of events and adjustments (CON-58)', async () => {
    const consumer = await metered({ aggregation: 'max', decimals: 2 }, '1.00');
    await track(consumer, { quantity: '2.25' });
    const set = { ...of(consumer), value: 1 };
    expect((await shop.rest('PUT', '/usage', set)).body).toMatchObject({ value: 1, previousValue: 2 });
    await track(consumer, { quantity: '1.75' });
    expect(await check(consumer)).toMatchObject({ current: 2 });
    expect(await t.graphql('{ ledgerVerify { mismatches { account expected actual } } }')).toEqual({
      ledgerVerify: { mismatches: [] },
    });
  });
});
