import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } };
const anomaly = { factor: 3, minimum: 100 };

const daily = (consumer: Consumer, body: Json = {}) => ({
  scope: { customer: consumer.customerId },
  name: 'Daily calls',
  measure: 'units',
  filter: { features: [consumer.feature.code] },
  window: { kind: 'day', timeZone: 'UTC' },
  action: 'notify',
  anomaly,
  ...body,
});

/** Records usage on earlier days, one event per day, the latest last. */
async function useOnEarlierDays(consumer: Consumer, values: readonly number[]): Promise<void> {
  for (const value of values) {
    await limits.track(consumer, { value });
    await t.app.database.query(
      `UPDATE "UsageEvent" SET "createdAt" = "createdAt" - interval '1 day' WHERE "environmentId" = $1 AND "customerId" = $2`,
      [t.sandboxId, consumer.customerId],
    );
  }
}

const reported = ({ customerId }: Consumer) =>
  t.app.database.query<{ data: Json }>(
    `SELECT data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind = 'usage.anomaly'`,
    [t.sandboxId, customerId],
  );

describe('unusual usage of a day', () => {
  test('is reported once, with the days before the limit, in an event and the history', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    await useOnEarlierDays(consumer, [40, 50, 30, 45, 20, 60, 40]);
    const created = await limits.limit(daily(consumer));
    expect(created['anomaly']).toEqual(anomaly);
    await limits.track(consumer, { value: 120 });
    expect(await reported(consumer)).toEqual([]);
    await limits.track(consumer, { value: 1 });
    await limits.track(consumer, { value: 500 });
    expect((await reported(consumer)).map(({ data }) => data)).toEqual([
      expect.objectContaining({
        limitId: created.id,
        name: 'Daily calls',
        value: '121',
        amount: null,
        median: '40',
        factor: 3,
        channels: ['webhook'],
      }),
    ]);
    const { body } = await limits.shop.rest('GET', `/limit-crossings?limitId=${created.id}`);
    expect(body['data']).toEqual([
      expect.objectContaining({ kind: 'anomaly', cause: null, threshold: '120', value: '121' }),
    ]);
  });

  test('sends no event after the terms are removed', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    await useOnEarlierDays(consumer, [40, 50, 30, 45, 20, 60, 40]);
    const created = await limits.limit(daily(consumer, { amount: 10_000 }));
    const { body } = await limits.shop.rest('PATCH', `/limits/${created.id}`, { anomaly: null });
    expect('anomaly' in body).toBe(false);
    await limits.track(consumer, { value: 500 });
    expect(await reported(consumer)).toEqual([]);
  });

  test('includes the days before a new limit that shares its value with an older limit', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    await useOnEarlierDays(consumer, [40, 50, 30, 45, 20, 60, 40]);
    await limits.limit(daily(consumer, { amount: 10_000, anomaly: null }));
    await limits.track(consumer, { value: 90 });
    await limits.limit(daily(consumer));
    await limits.track(consumer, { value: 31 });
    expect((await reported(consumer)).map(({ data }) => data['value'])).toEqual(['121']);
  });

  test.each([
    ['a window that is not a day', { window: { kind: 'week' } }, 'anomaly'],
    ['a factor of 1', { anomaly: { factor: 1, minimum: 0 } }, 'anomaly.factor'],
    ['a factor of 21', { anomaly: { factor: 21, minimum: 0 } }, 'anomaly.factor'],
    ['a negative minimum', { anomaly: { factor: 3, minimum: -1 } }, 'anomaly.minimum'],
    ['the organization', { scope: { organization: true }, filter: undefined, measure: 'calls' }, 'anomaly'],
  ])('is rejected for %s, and stores nothing', async (_name, body, param) => {
    const consumer = await createConsumer(limits.shop, { terms });
    const error = await limits.failure('POST', '/limits', daily(consumer, body));
    expect([error.code, error.param]).toEqual(['validation_error', param]);
    expect(await limits.states(consumer)).toEqual([]);
  });
});
