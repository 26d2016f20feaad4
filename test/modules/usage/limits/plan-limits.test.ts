import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  createBalanceConsumer,
  createConsumer,
  createCounter,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import { createCustomer, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { follow, openSocket } from '../../messages/events/live.ts';

let t: TestApp;
let shop: Shop;
let socket: ReturnType<typeof openSocket>;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  socket = openSocket(t);
});
afterAll(async () => {
  await socket.dispose();
  await t.close();
});

type Json = Readonly<Record<string, unknown>>;

const track = async (consumer: Consumer, value: number): Promise<void> => {
  const answer = await shop.rest('POST', '/usage/events', { ...of(consumer), value });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};

const planLimits = async (customerId: string): Promise<readonly Json[]> => {
  const { status, body } = await shop.rest('GET', `/customers/${customerId}/plan-limits`);
  expect(status).toBe(200);
  return body['data'] as readonly Json[];
};

const lifetime = { kind: 'lifetime', start: null, end: null };

describe('limits from the terms of a plan', () => {
  test('bound included units of the usage window, with held units', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 1_000 } });
    await track(consumer, 700);
    const hold = await shop.rest('POST', '/usage/holds', { ...of(consumer), estimate: { value: 100 } });
    expect(hold.status, JSON.stringify(hold.body)).toBe(201);
    const [limit, ...others] = await planLimits(consumer.customerId);
    expect(others).toEqual([]);
    const { window, resetsAt, ...rest } = limit as { readonly window: Json; readonly resetsAt: string };
    expect(window).toEqual({ kind: 'usage_window', start: expect.any(String), end: resetsAt });
    expect(rest).toEqual({
      feature: consumer.feature.code,
      measure: 'units',
      action: 'block',
      unit: 'units',
      amount: '1000',
      used: '700',
      held: '100',
      remaining: '200',
      thresholds: [
        { event: 'quota.threshold_reached', amount: '800', rearm: 'window' },
        { event: 'quota.exceeded', amount: '1000', rearm: 'window' },
      ],
    });
    const rejected = await shop.rest('POST', '/usage/events', { ...of(consumer), value: 201 });
    expect(rejected.body['error']).toMatchObject({
      code: 'included_limit_reached',
      details: { remaining: 200 },
    });
  });

  test('send events without blocking if the plan allows overage', async () => {
    const terms = { includedAmount: 10, overage: { enabled: true, unitPrice: 100 } };
    const consumer = await createConsumer(shop, { terms });
    await track(consumer, 12);
    expect(await planLimits(consumer.customerId)).toMatchObject([
      {
        action: 'notify',
        used: '12',
        remaining: '0',
        thresholds: [{ amount: '8' }, { event: 'quota.exceeded', amount: '11' }],
      },
    ]);
  });

  test.each(['seats', 'quota'] as const)('bound the number of %s at any time', async (type) => {
    const consumer = await createCounter(shop, type, {}, 3);
    expect(await planLimits(consumer.customerId)).toEqual([
      {
        feature: consumer.feature.code,
        measure: 'level',
        action: 'notify',
        window: lifetime,
        unit: 'units',
        amount: '4',
        used: '3',
        remaining: '1',
        resetsAt: null,
        thresholds: type === 'seats' ? [{ event: 'seats.limit_reached', amount: '4', rearm: 'recross' }] : [],
      },
    ]);
  });

  test('bound the available credits, with the event at a tenth of the grant', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 1);
    await track(consumer, 40);
    expect(await planLimits(consumer.customerId)).toEqual([
      {
        feature: null,
        measure: 'remaining',
        action: 'block',
        window: lifetime,
        unit: 'credits',
        amount: '0',
        used: '600',
        remaining: '600',
        resetsAt: null,
        thresholds: [
          { event: 'credits.low', amount: '64', rearm: 'window' },
          { event: 'credits.depleted', amount: '0', rearm: 'recross' },
        ],
      },
    ]);
  });

  test('send events without blocking if the balance can be overdrawn', async () => {
    const consumer = await createBalanceConsumer(shop, 420_000, false);
    expect(await planLimits(consumer.customerId)).toMatchObject([
      { action: 'notify', unit: 'usd', used: '420000', thresholds: [{ amount: '42000' }, { amount: '0' }] },
    ]);
  });

  test('exclude unlimited and disabled features, and customers who have no subscription', async () => {
    const { id } = await createCustomer(shop);
    expect(await planLimits(id)).toEqual([]);
    const unlimited = await createConsumer(shop, { terms: { unlimited: true } });
    expect(await planLimits(unlimited.customerId)).toEqual([]);
    const disabled = await createConsumer(shop, { terms: { includedAmount: 5, enabled: false } });
    expect(await planLimits(disabled.customerId)).toEqual([]);
    const unknown = await shop.rest('GET', '/customers/cus_unknown/plan-limits');
    expect([unknown.status, unknown.body['error']]).toMatchObject([404, { code: 'customer_not_found' }]);
  });

  test('are emitted again after usage', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const text = `subscription ($id: ID!) { planLimitsChanged(customerId: $id) { feature used remaining thresholds { event } } }`;
    const reader = follow<Json[]>(socket, text, { id: consumer.customerId });
    const limit = {
      feature: consumer.feature.code,
      thresholds: [{ event: 'quota_threshold_reached' }, { event: 'quota_exceeded' }],
    };
    expect((await reader.next()).value).toEqual([{ ...limit, used: '0', remaining: '10' }]);
    const next = reader.next();
    await track(consumer, 4);
    expect((await next).value).toEqual([{ ...limit, used: '4', remaining: '6' }]);
  });
});
