import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const overage = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

test('amounts per currency apply to subscriptions in each currency, and are converted for others', async () => {
  const consumer = await createConsumer(limits.shop, { terms: overage });
  const template = await limits.limit({
    scope: { each: 'customer', in: { plan: consumer.planId } },
    measure: 'spend',
    amounts: [
      { currency: 'eur', amount: 2_001 },
      { currency: 'gbp', amount: 1_000 },
    ],
    window: { kind: 'usage_window' },
  });
  expect(template).toMatchObject({
    currency: null,
    amount: null,
    amounts: [
      { currency: 'eur', amount: 2_001 },
      { currency: 'gbp', amount: 1_000 },
    ],
  });
  expect(await limits.states(consumer)).toEqual([]);
  await limits.track(consumer);
  const day = t.app.wall.now().toISOString().slice(0, 10);
  const rate = await limits.shop.rest('PUT', '/fx-rates', { currency: 'eur', day, unitsPerUsd: 80_000_000 });
  expect(rate.status, JSON.stringify(rate.body)).toBe(200);
  expect(await limits.states(consumer)).toMatchObject([{ unit: 'usd', amount: '25.01', used: '1' }]);
  expect(await limits.rejected(consumer, { value: 25 })).toMatchObject({
    details: { included: 2_501, limits: [{ limitId: template.id, unit: 'usd', remaining: '24.01' }] },
  });
  await limits.track(consumer, { value: 24 });
  const { body } = await limits.shop.rest('GET', `/limit-crossings?limitId=${template.id}`);
  expect((body['data'] as readonly Json[]).map(({ kind, threshold }) => [kind, threshold])).toEqual([
    ['threshold', '20.008'],
    ['reached', '25.01'],
  ]);
  const changed = await limits.shop.rest('PATCH', `/limits/${template.id}`, {
    amounts: [{ currency: 'usd', amount: 3_000 }],
  });
  expect(changed.body).toMatchObject({ amounts: [{ currency: 'usd', amount: 3_000 }] });
  expect(await limits.states(consumer)).toMatchObject([{ amount: '30' }]);
  await limits.limit({
    scope: { customer: consumer.customerId },
    measure: 'spend',
    currency: 'usd',
    amount: 2_600,
    replaces: template.id,
    window: { kind: 'usage_window' },
  });
  expect(await limits.states(consumer)).toMatchObject([{ amount: '26' }]);
});

test('invalid amounts per currency are rejected', async () => {
  const { customerId } = await createConsumer(limits.shop);
  const usd = { currency: 'usd', amount: 100 };
  const field = async (body: Json) => {
    const { code, details } = await limits.failure('POST', '/limits', {
      scope: { customer: customerId },
      measure: 'spend',
      window: { kind: 'day' },
      amounts: [usd],
      ...body,
    });
    expect(code).toBe('validation_error');
    return (details as unknown as readonly Json[])[0]?.['field'];
  };
  expect(await field({ currency: 'usd' })).toBe('currency');
  expect(await field({ amount: 5 })).toBe('amount');
  expect(await field({ measure: 'calls' })).toBe('amounts');
  expect(await field({ amounts: [usd, usd] })).toBe('amounts');
  expect(await field({ amounts: [{ ...usd, amount: -1 }] })).toBe('amounts.0.amount');
  expect(await field({ thresholds: [{ amount: 5 }] })).toBe('thresholds.0');
});
