import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, of } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

test('throttled usage is accepted with a delay, in events, batches, and checks', async () => {
  const consumer = await createConsumer(limits.shop, {
    terms: { includedAmount: 1, overage: { enabled: true, unitPrice: 1 } },
  });
  expect('throttle' in (await limits.track(consumer))).toBe(false);
  const { id } = await limits.limit({
    scope: { customer: consumer.customerId },
    measure: 'units',
    filter: { features: [consumer.feature.code] },
    action: 'throttle',
    amount: 10_000,
    window: { kind: 'session', minutes: 60 },
  });
  expect(await limits.check(consumer, { quantity: 20_000 })).toMatchObject({
    allowed: true,
    throttle: { limitId: id, delayMs: 60_000 },
  });
  const key = crypto.randomUUID();
  const body = { ...of(consumer), value: 100, eventId: 'throttled' };
  const headers = { 'idempotency-key': key };
  const send = () => limits.shop.rest<Json>('POST', '/usage/events', body, { headers });
  const first = await send();
  expect(first.body).toMatchObject({ throttle: { limitId: id, delayMs: 36_000 } });
  expect((await send()).body).toEqual(first.body);
  const { body: batch } = await limits.shop.rest('POST', '/usage/events/batch', {
    events: [
      { ...of(consumer), value: 200 },
      { ...of(consumer), value: 20_000 },
    ],
  });
  expect(batch['results']).toMatchObject([
    { event: { throttle: { limitId: id, delayMs: 60_000 } } },
    { event: { throttle: { limitId: id, delayMs: 60_000 } } },
  ]);
  expect(await limits.events(consumer)).toEqual([]);
  const data = await t.graphql(
    `query ($id: String!) { usageEvents(customerId: $id, first: 1) { nodes { throttle { delayMs } } } }`,
    { id: consumer.customerId },
  );
  expect(data).toEqual({ usageEvents: { nodes: [{ throttle: null }] } });
});

test('limits that throttle need an amount and a window that ends', async () => {
  const consumer = await createConsumer(limits.shop);
  const base = { scope: { customer: consumer.customerId }, measure: 'calls', action: 'throttle' };
  const field = async (body: Json) => {
    const { code, details } = await limits.failure('POST', '/limits', { ...base, ...body });
    expect(code).toBe('validation_error');
    return (details as unknown as readonly Json[])[0]?.['field'];
  };
  expect(await field({ window: { kind: 'day' } })).toBe('amount');
  expect(await field({ window: { kind: 'lifetime' }, amount: 1 })).toBe('action');
  expect(await field({ window: { kind: 'event' }, amount: 1 })).toBe('action');
});
