import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createBalanceConsumer, createCreditsConsumer } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const remaining = (consumer: Consumer, body: Json) =>
  limits.limit({
    scope: { customer: consumer.customerId },
    measure: 'remaining',
    asset: 'credits',
    window: { kind: 'lifetime' },
    ...body,
  });

const adjust = async ({ subscriptionId }: Consumer, amount: number) => {
  const answer = await limits.shop.rest('POST', `/subscriptions/${subscriptionId}/balance/adjust`, {
    amount,
    reason: 'Support',
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};

const kinds = async (consumer: Consumer) =>
  (await limits.events(consumer)).map(({ kind, data }) => [
    kind,
    data['crossed'] ?? data['cause'] ?? data['threshold'],
    data['value'],
  ]);

describe('limits on remaining credits', () => {
  test('send falling thresholds once per refill, and the event of a resolved limit with the refill', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    const created = await remaining(consumer, {
      action: 'notify',
      thresholds: [{ amount: 0 }, { bps: 1_000, of: 'last_refill' }],
      notifyResolved: true,
    });
    expect(created).toMatchObject({
      thresholds: [
        { amount: 0, rearm: 'refill' },
        { bps: 1_000, of: 'last_refill', rearm: 'refill' },
      ],
      notifyResolved: true,
    });
    await limits.track(consumer, { value: 550 });
    await limits.track(consumer, { value: 26 });
    await limits.track(consumer, { value: 24 });
    await limits.track(consumer, { value: 40 });
    await adjust(consumer, 250);
    await limits.track(consumer, { value: 220 });
    await limits.track(consumer, { value: 6 });
    expect(await kinds(consumer)).toEqual([
      ['limit.threshold_reached', ['64'], '64'],
      ['limit.threshold_reached', ['0'], '0'],
      ['limit.resolved', '64', '250'],
      ['limit.threshold_reached', ['25'], '24'],
    ]);
    expect(await limits.states(consumer)).toMatchObject([{ limitId: created.id, used: '24', amount: null }]);
    const { body } = await limits.shop.rest('GET', `/limit-crossings?limitId=${created.id}`);
    expect((body['data'] as readonly Json[]).map(({ kind, value }) => [kind, value])).toEqual([
      ['threshold', '24'],
      ['resolved', '250'],
      ['threshold', '0'],
      ['threshold', '64'],
    ]);
    await limits.shop.rest('DELETE', `/limits/${created.id}`);
    await adjust(consumer, 100);
    expect((await kinds(consumer)).length).toBe(4);
  });

  test('reject usage below the amount, in events, batches, checks, and access', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    const { id } = await remaining(consumer, { amount: 100 });
    await limits.track(consumer, { value: 500 });
    expect(await limits.check(consumer, { quantity: 41 })).toMatchObject({
      allowed: false,
      reason: 'insufficient_credits',
      maxQuantity: 40,
      limits: [{ limitId: id, used: '140', asked: '41', remaining: '40', fitsAt: null }],
    });
    expect(await limits.rejected(consumer, { value: 41 })).toMatchObject({
      code: 'insufficient_credits',
      details: {
        reason: 'limit_reached',
        current: 140,
        included: 100,
        remaining: 40,
        limits: [{ limitId: id }],
      },
    });
    await limits.track(consumer, { value: 40 });
    await limits.rejected(consumer);
    await limits.rejected(consumer);
    await adjust(consumer, 1);
    await limits.track(consumer);
    await limits.rejected(consumer);
    expect(await kinds(consumer)).toEqual([
      ['limit.reached', 'rejected', '140'],
      ['limit.reached', 'amount', '100'],
    ]);
  });

  test('apply to balances in the currency of the subscription', async () => {
    const consumer = await createBalanceConsumer(limits.shop, 420_000, false);
    await remaining(consumer, { asset: 'usd', amount: 400_000 });
    await remaining(consumer, { asset: 'eur', amount: 9_000_000 });
    await limits.track(consumer, { value: 400 });
    expect(await limits.rejected(consumer)).toMatchObject({
      code: 'insufficient_balance',
      details: { remaining: 0, limits: [{ unit: 'usd', used: '400000' }] },
    });
    expect((await limits.states(consumer)).map(({ unit }) => unit)).toEqual(['usd']);
  });
});

describe('amounts that are shares', () => {
  test('follow the number of which they are a share', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    const created = await remaining(consumer, { amount: { bps: 2_500, of: 'included' } });
    expect(created).toMatchObject({ amount: null, share: { bps: 2_500, of: 'included' } });
    const last = await remaining(consumer, { action: 'notify', amount: { bps: 1_000, of: 'last_refill' } });
    const drawn = await limits.limit({
      scope: { customer: consumer.customerId },
      measure: 'drawn',
      asset: 'credits',
      action: 'notify',
      amount: { bps: 5_000, of: created.id },
    });
    const amounts = async () =>
      new Map((await limits.states(consumer)).map(({ limitId, amount }) => [limitId, amount]));
    expect(await amounts()).toEqual(
      new Map([
        [created.id, '160'],
        [last.id, '64'],
        [drawn.id, '80'],
      ]),
    );
    await limits.rejected(consumer, { value: 481 });
    await limits.track(consumer, { value: 480 });
    await adjust(consumer, 250);
    expect((await amounts()).get(last.id)).toBe('25');
  });

  test('can be included units only if the limit counts units', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    expect(
      await limits.failure('POST', '/limits', {
        scope: { customer: consumer.customerId },
        measure: 'calls',
        window: { kind: 'day' },
        amount: { bps: 5_000, of: 'included' },
      }),
    ).toMatchObject({ code: 'validation_error' });
  });
});

describe('invalid limits', () => {
  const rejected = async (consumer: Consumer, body: Json, method = 'POST', path = '/limits') => {
    const before = await limits.count('Limit');
    const given =
      method === 'POST'
        ? {
            scope: { customer: consumer.customerId },
            measure: 'remaining',
            asset: 'credits',
            window: { kind: 'lifetime' },
            amount: 10,
            ...body,
          }
        : body;
    const error = await limits.failure(method, path, given);
    expect(error.code).toBe('validation_error');
    expect(await limits.count('Limit')).toBe(before);
    return error.details as unknown as readonly Json[];
  };

  test('are rejected with the field', async () => {
    const consumer = await createCreditsConsumer(limits.shop);
    const field = async (body: Json) => (await rejected(consumer, body))[0]?.['field'];
    expect(await field({ asset: undefined })).toBe('asset');
    expect(await field({ window: { kind: 'day' } })).toBe('window.kind');
    expect(await field({ filter: { features: [consumer.feature.code] } })).toBe('filter');
    expect(await field({ scope: { customer: consumer.customerId, budget: 'team:eu' } })).toBe('scope.budget');
    expect(await field({ thresholds: [{ amount: 5, of: 'last_grant' }] })).toBe('thresholds.0');
    expect(await field({ thresholds: [{ amount: 5 }, { amount: 5 }] })).toBe('thresholds.1');
    expect(await field({ amount: -1 })).toBe('amount');
    expect(await field({ amount: { bps: 0, of: 'included' } })).toBe('amount');
    expect(await field({ amount: { bps: 5_000, of: 'lim_unknown' } })).toBe('amount.of');
    expect(await field({ measure: 'calls', asset: undefined, notifyResolved: true })).toBe('notifyResolved');
    expect(await field({ measure: 'calls', asset: undefined, thresholds: [{ amount: 0 }] })).toBe(
      'thresholds.0',
    );
    expect(await field({ measure: 'drawn', thresholds: [{ bps: 5_000, of: 'last_grant' }] })).toBe(
      'thresholds.0',
    );
    expect(await field({ measure: 'drawn', thresholds: [{ bps: 5_000, rearm: 'refill' }] })).toBe(
      'thresholds.0',
    );
  });

  test('include cyclic shares, and the deletion of a limit on whose amount another amount depends', async () => {
    const consumer = await createCreditsConsumer(limits.shop);
    const first = await remaining(consumer, { amount: 100 });
    const second = await remaining(consumer, { amount: { bps: 5_000, of: first.id } });
    const change = (of: string) =>
      rejected(consumer, { amount: { bps: 5_000, of } }, 'PATCH', `/limits/${first.id}`);
    expect(await change(second.id)).toMatchObject([{ field: 'amount.of' }]);
    expect(await change(first.id)).toMatchObject([{ field: 'amount.of' }]);
    expect(await rejected(consumer, {}, 'DELETE', `/limits/${first.id}`)).toMatchObject([{ field: 'id' }]);
    expect(await limits.failure('POST', `/limits/${first.id}/raises`, { amount: 5 })).toMatchObject({
      code: 'validation_error',
    });
    await limits.shop.rest('DELETE', `/limits/${second.id}`);
    expect((await limits.shop.rest('DELETE', `/limits/${first.id}`)).status).toBe(200);
  });
});
