import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, createCreditsConsumer } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Tests the thresholds of limits that list none.

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const limit = ({ customerId }: Consumer, body: Json) =>
  limits.limit({ scope: { customer: customerId }, action: 'block', window: { kind: 'day' }, ...body });

/** Returns the type, the value, and the crossed thresholds or the amount of each event of a customer's limits. */
const events = async ({ customerId }: Consumer) =>
  (
    await t.app.database.query<{ kind: string; data: Json }>(
      `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind LIKE 'limit.%' ORDER BY position`,
      [t.sandboxId, customerId],
    )
  ).map(({ kind, data }) => [kind, data['value'], data['crossed'] ?? data['amount']]);

const defaults = [
  { bps: 8_000, rearm: 'window' },
  { bps: 10_000, rearm: 'window' },
];

const drawn = { measure: 'drawn', asset: 'credits', amount: 100 };
const value = { measure: 'value', currency: 'usd', amount: 100 };

describe('a limit without thresholds', () => {
  test('sends events at 80% and 100% if it blocks drawn credits', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    expect(await limit(consumer, drawn)).toMatchObject({ thresholds: defaults });
    for (const units of [79, 1, 19, 1]) await limits.track(consumer, { value: units });
    expect(await events(consumer)).toEqual([
      ['limit.threshold_reached', '80', ['80']],
      ['limit.threshold_reached', '100', ['100']],
      ['limit.reached', '100', '100'],
    ]);
  });

  test('sends events at 80% and 100% if it blocks the value of usage', async () => {
    const consumer = await createConsumer(limits.shop, {
      terms: { includedAmount: 1_000, overage: { enabled: true, unitPrice: 100 } },
    });
    expect(await limit(consumer, value)).toMatchObject({ thresholds: defaults });
    for (const units of [79, 1, 20]) await limits.track(consumer, { value: units });
    expect((await events(consumer)).map(([kind]) => kind)).toEqual([
      'limit.threshold_reached',
      'limit.threshold_reached',
      'limit.reached',
    ]);
  });

  test('sends no events below its amount if it has another measure or action, or bounds single events', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    for (const body of [
      { ...drawn, action: 'notify' },
      { ...drawn, window: { kind: 'event' } },
      { measure: 'spend', currency: 'usd', amount: 100, window: { kind: 'event' } },
      { measure: 'calls', amount: 100 },
    ])
      expect((await limit(consumer, body))['thresholds'], JSON.stringify(body)).toEqual([]);
    await limits.track(consumer, { value: 90 });
    expect(await events(consumer)).toEqual([]);
  });
});
