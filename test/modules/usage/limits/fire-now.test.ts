import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  createConsumer,
  createCounter,
  createCreditsConsumer,
} from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Thresholds that the value of a new or changed limit is beyond (ALR-12).

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const overage = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

const spend = ({ customerId }: Consumer, body: Json = {}): Json => ({
  scope: { customer: customerId },
  measure: 'spend',
  currency: 'usd',
  amount: 2_000,
  action: 'notify',
  thresholds: [{ bps: 2_500 }, { bps: 5_000 }, { bps: 7_500 }],
  ...body,
});

const crossed = async (consumer: Consumer) =>
  (await limits.events(consumer)).map(({ kind, data }) => [kind, data['crossed'], data['value']]);

const history = async (limitId: string) => {
  const { body } = await limits.shop.rest('GET', `/limit-crossings?limitId=${limitId}`);
  return (body['data'] as readonly Json[]).map(({ kind, threshold, value }) => [kind, threshold, value]);
};

const reached = 'limit.threshold_reached';

describe('a new limit with fireNow', () => {
  test('sends the thresholds that usage is beyond once, and a limit without fireNow sends nothing', async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    await limits.track(consumer, { value: 11 });
    await limits.limit(spend(consumer));
    expect(await crossed(consumer)).toEqual([]);
    const { id } = await limits.limit(spend(consumer, { fireNow: true }));
    expect(await crossed(consumer)).toEqual([[reached, ['5', '10'], '11']]);
    expect(await history(id)).toEqual([['threshold', '10', '11']]);
    await limits.track(consumer, { value: 1 });
    expect(await crossed(consumer)).toHaveLength(1);
    await limits.track(consumer, { value: 4 });
    expect(await crossed(consumer)).toEqual([
      [reached, ['5', '10'], '11'],
      [reached, ['15'], '16'],
      [reached, ['15'], '16'],
    ]);
  });

  test("isn't repeated after a correction lowers the value (ALR-13)", async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    const event = await limits.track(consumer, { value: 11 });
    await limits.limit(spend(consumer, { fireNow: true }));
    const path = `/usage/events/${String(event['id'])}/void`;
    expect((await limits.shop.rest('POST', path, {})).status).toBe(200);
    expect(await limits.states(consumer)).toMatchObject([{ used: '0' }]);
    await limits.track(consumer, { value: 11 });
    expect(await crossed(consumer)).toEqual([[reached, ['5', '10'], '11']]);
  });

  test('reports the recorded usage of a budget in the open window', async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    const { customerId } = consumer;
    await limits.shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'team:eu' });
    await limits.track(consumer, { value: 12, budget: 'team:eu' });
    await limits.track(consumer, { value: 30 });
    const { id } = await limits.limit(
      spend(consumer, {
        scope: { customer: customerId, budget: 'team:eu' },
        window: { kind: 'month' },
        fireNow: true,
      }),
    );
    expect(await crossed(consumer)).toEqual([[reached, ['5', '10'], '12']]);
    expect(await history(id)).toEqual([['threshold', '10', '12']]);
    await limits.track(consumer, { value: 1, budget: 'team:eu' });
    expect(await history(id)).toHaveLength(1);
  });

  test('reports remaining credits below a threshold, and the refill that lifts them above it', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    await limits.track(consumer, { value: 600 });
    await limits.limit({
      scope: { customer: consumer.customerId },
      measure: 'remaining',
      asset: 'credits',
      window: { kind: 'lifetime' },
      action: 'notify',
      thresholds: [{ amount: 10 }, { bps: 1_000, of: 'last_refill' }],
      notifyResolved: true,
      fireNow: true,
    });
    expect(await crossed(consumer)).toEqual([[reached, ['64'], '40']]);
    await limits.track(consumer, { value: 5 });
    expect(await crossed(consumer)).toHaveLength(1);
    const path = `/subscriptions/${consumer.subscriptionId}/balance/adjust`;
    expect((await limits.shop.rest('POST', path, { amount: 100, reason: 'Support' })).status).toBe(200);
    expect((await limits.events(consumer)).map(({ kind, data }) => [kind, data['value']])).toEqual([
      [reached, '40'],
      ['limit.resolved', '135'],
    ]);
  });

  test('reports the number of seats', async () => {
    const consumer = await createCounter(limits.shop, 'seats', {}, 4);
    const { id } = await limits.limit({
      scope: { customer: consumer.customerId },
      measure: 'level',
      filter: { features: [consumer.feature.code] },
      window: { kind: 'lifetime' },
      amount: 9,
      thresholds: [{ amount: 3 }, { amount: 6 }],
      fireNow: true,
    });
    expect(await history(id)).toEqual([['threshold', '3', '4']]);
  });

  test('is rejected unless the limit bounds the usage of one customer or budget', async () => {
    const consumer = await createConsumer(limits.shop, { terms: overage });
    const before = [await limits.count('Limit'), await limits.count('LimitCrossing')];
    const scopes = [
      { organization: true },
      { each: 'customer', in: { organization: true } },
      { each: 'team', in: { customer: consumer.customerId } },
    ];
    for (const scope of scopes)
      expect(
        await limits.failure(
          'POST',
          '/limits',
          spend(consumer, { scope, window: { kind: 'day' }, fireNow: true }),
        ),
      ).toMatchObject({ code: 'validation_error', param: 'fireNow' });
    const purchases = {
      scope: { customer: consumer.customerId },
      measure: 'calls',
      filter: { operations: ['credits_purchase'] },
      window: { kind: 'day' },
      amount: 1,
      fireNow: true,
    };
    expect(await limits.failure('POST', '/limits', purchases)).toMatchObject({ param: 'fireNow' });
    expect([await limits.count('Limit'), await limits.count('LimitCrossing')]).toEqual(before);
  });
});

test('a change with fireNow sends only the thresholds that are new, and a change without fireNow sends nothing', async () => {
  const consumer = await createConsumer(limits.shop, { terms: overage });
  await limits.track(consumer, { value: 11 });
  const { id } = await limits.limit(spend(consumer));
  const change = async (body: Json) =>
    expect((await limits.shop.rest('PATCH', `/limits/${id}`, body)).status).toBe(200);
  await change({ thresholds: [{ bps: 3_000 }] });
  expect(await crossed(consumer)).toEqual([]);
  await change({ thresholds: [{ bps: 3_000 }, { bps: 4_000 }, { bps: 9_000 }], fireNow: true });
  expect(await crossed(consumer)).toEqual([[reached, ['8'], '11']]);
  // A lower amount lowers each threshold.
  await change({ amount: 1_000, fireNow: true });
  expect(await crossed(consumer)).toEqual([
    [reached, ['8'], '11'],
    [reached, ['3', '4', '9'], '11'],
  ]);
  await change({ name: 'Renamed', fireNow: true });
  expect(await history(id)).toEqual([
    ['threshold', '9', '11'],
    ['threshold', '8', '11'],
  ]);
});
