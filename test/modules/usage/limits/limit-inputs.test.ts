import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const track = (consumer: Consumer, body: Json = {}) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), ...body });

const overageConsumer = () =>
  createConsumer(shop, { terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 85 } } });

const scopeOf = ({ customerId }: Consumer, budget?: string) => ({ customer: customerId, budget });

const createLimit = (body: Json) =>
  shop.rest('POST', '/limits', {
    measure: 'calls',
    window: { kind: 'day' },
    action: 'block',
    amount: 5,
    ...body,
  });

/** Creates a limit, and returns its ID. */
async function limit(body: Json): Promise<string> {
  const answer = await createLimit(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body['id']);
}

async function budget({ customerId }: Consumer, key: string, parentKey?: string): Promise<void> {
  const answer = await shop.rest('POST', `/customers/${customerId}/budgets`, { key, parentKey });
  expect(answer.status).toBe(201);
}

describe('budgets of events', () => {
  test('are part of the event that an event ID identifies, and are shown', async () => {
    const consumer = await overageConsumer();
    await budget(consumer, 'team:eu');
    await budget(consumer, 'team:us');
    const eventId = `event-${consumer.customerId}`;
    const first = await track(consumer, { eventId, budget: 'team:eu' });
    expect(first).toMatchObject({ status: 200, body: { budget: 'team:eu' } });
    expect((await track(consumer, { eventId, budget: 'team:eu' })).body).toEqual(first.body);
    for (const other of ['team:us', 'team:unknown', undefined])
      expect(await track(consumer, { eventId, budget: other })).toMatchObject({
        status: 409,
        body: { error: { code: 'duplicate', param: 'eventId' } },
      });
    const batch = await shop.rest('POST', '/usage/events/batch', {
      events: [
        { ...of(consumer), eventId: `${eventId}-2` },
        { ...of(consumer), eventId: `${eventId}-2`, budget: 'team:us' },
      ],
    });
    expect(batch.body['results']).toMatchObject([{ index: 0 }, { index: 1, code: 'duplicate' }]);
    const second = await track(consumer);
    expect(second.status).toBe(200);
    expect('budget' in second.body).toBe(false);
  });
});

describe('batches', () => {
  test('return the details of rejections that limits and budgets cause', async () => {
    const consumer = await overageConsumer();
    const limitId = await limit({ scope: scopeOf(consumer), amount: 1 });
    const { body } = await shop.rest('POST', '/usage/events/batch', {
      events: [
        of(consumer),
        of(consumer),
        { ...of(consumer), budget: 'team:unknown' },
        { ...of(consumer), featureCode: 'unknown' },
      ],
    });
    const results = body['results'] as readonly Json[];
    expect(results).toMatchObject([
      { index: 0 },
      {
        index: 1,
        code: 'included_limit_reached',
        details: { reason: 'limit_reached', limits: [{ limitId, used: '1', remaining: '0' }] },
      },
      { index: 2, code: 'validation_error', details: { reason: 'unknown_budget' } },
      { index: 3, code: 'feature_not_found' },
    ]);
    expect(results.map((result) => 'details' in result)).toEqual([false, true, true, false]);
  });
});
