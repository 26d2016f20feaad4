import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, consumptionOf, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Corrections of usage, set totals, and deleted limits change the values of limits.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const createMetered = (includedAmount = 1_000) =>
  createConsumer(shop, { terms: { includedAmount, overage: { enabled: true, unitPrice: 33 } } });

async function limit({ customerId }: Consumer, body: Json): Promise<string> {
  const answer = await shop.rest<{ id: string }>('POST', '/limits', {
    action: 'block',
    scope: { customer: customerId },
    ...body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

async function track(consumer: Consumer, body: Json = {}): Promise<string> {
  const answer = await shop.rest<{ id: string }>('POST', '/usage/events', { ...of(consumer), ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.id;
}

const usedBy = async ({ customerId }: Consumer, budget = ''): Promise<readonly unknown[]> => {
  const query = budget === '' ? '' : `?budget=${encodeURIComponent(budget)}`;
  const { body } = await shop.rest<{ data: readonly Json[] }>(
    'GET',
    `/customers/${customerId}/limits${query}`,
  );
  return body.data.map(({ used }) => used);
};

const setTotal = (consumer: Consumer, value: number) =>
  shop.rest<Json>('PUT', '/usage', { ...of(consumer), value });

const voidEvent = (id: string) => shop.rest('POST', `/usage/events/${id}/void`, {});
const replace = (id: string, body: Json) => shop.rest('POST', `/usage/events/${id}/replace`, body);

const kinds = async ({ customerId }: Consumer): Promise<string[]> => {
  const rows = await t.app.database.query<{ kind: string }>(
    `SELECT kind FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind LIKE 'limit.%' ORDER BY position`,
    [t.sandboxId, customerId],
  );
  return rows.map(({ kind }) => kind);
};

describe('a set total', () => {
  test('is rejected above a spend cap, and changes nothing', async () => {
    const consumer = await createMetered(0);
    await limit(consumer, {
      measure: 'spend',
      currency: 'usd',
      window: { kind: 'usage_window' },
      amount: 1_000,
    });
    // 3,030 units cost 9.999, and 3,031 units cost 10.0023.
    expect((await setTotal(consumer, 3_030)).status).toBe(200);
    const { status, body } = await setTotal(consumer, 3_031);
    expect([status, body]).toMatchObject([
      400,
      { error: { code: 'included_limit_reached', details: { reason: 'limit_reached' } } },
    ]);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 3_030n });
    expect(await usedBy(consumer)).toEqual(['9.999']);
    expect(await kinds(consumer)).toEqual(['limit.threshold_reached', 'limit.reached']);
    expect((await setTotal(consumer, 100)).status).toBe(200);
    expect(await usedBy(consumer)).toEqual(['0.33']);
  });

  test('counts its rise toward limits on units in other windows', async () => {
    const consumer = await createMetered();
    await limit(consumer, {
      measure: 'units',
      window: { kind: 'day' },
      amount: 10,
      filter: { features: [consumer.feature.code] },
    });
    expect((await setTotal(consumer, 8)).status).toBe(200);
    expect((await setTotal(consumer, 11)).status).toBe(400);
    expect(await usedBy(consumer)).toEqual(['8']);
  });
});

describe('a correction', () => {
  const windows = [{ kind: 'day' }, { kind: 'rolling', minutes: 60 }, { kind: 'lifetime' }];

  test('returns units and calls to the windows that counted the event', async () => {
    const consumer = await createMetered();
    for (const window of [...windows, { kind: 'usage_window' }])
      await limit(consumer, {
        measure: 'units',
        window,
        amount: 10,
        filter: { features: [consumer.feature.code] },
      });
    await limit(consumer, { measure: 'calls', window: { kind: 'rolling', minutes: 60 }, amount: 3 });
    await limit(consumer, { measure: 'calls', window: { kind: 'lifetime' }, amount: 100 });
    const first = await track(consumer, { value: 6 });
    expect(await usedBy(consumer)).toEqual(['6', '6', '6', '6', '1', '1']);
    expect((await voidEvent(first)).status).toBe(200);
    expect(await usedBy(consumer)).toEqual(['0', '0', '0', '0', '0', '0']);
    const second = await track(consumer, { value: 4 });
    expect((await replace(second, { value: 3 })).status).toBe(200);
    expect(await usedBy(consumer)).toEqual(['3', '3', '3', '3', '1', '1']);
    await track(consumer, { value: 7 });
    expect(await usedBy(consumer)).toEqual(['10', '10', '10', '10', '2', '2']);
  });

  test("returns the event's units to its budget, and counts replacements by their properties", async () => {
    const consumer = await createMetered();
    const { customerId, feature } = consumer;
    await shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'team:eu' });
    const large = { features: [feature.code], dimensions: [{ property: 'model', values: ['large'] }] };
    await limit(consumer, {
      scope: { customer: customerId, budget: 'team:eu' },
      measure: 'units',
      window: { kind: 'month' },
      amount: 10,
      filter: large,
    });
    const event = (model: string, value: number) => ({
      budget: 'team:eu',
      value,
      properties: [{ property: 'model', value: model }],
    });
    const id = await track(consumer, event('large', 6));
    await track(consumer, event('large', 1));
    expect(await usedBy(consumer, 'team:eu')).toEqual(['7']);
    const { value, properties } = event('small', 5);
    expect((await replace(id, { value, properties })).status).toBe(200);
    expect(await usedBy(consumer, 'team:eu')).toEqual(['1']);
  });
});

test('a limit counts the usage of its window again after a deleted limit, and shares the value of an equal limit', async () => {
  const consumer = await createMetered();
  const terms = { measure: 'calls', window: { kind: 'day' }, amount: 10 };
  const first = await limit(consumer, terms);
  await track(consumer);
  await track(consumer);
  expect((await shop.rest('DELETE', `/limits/${first}`)).status).toBeLessThan(300);
  for (const _event of [1, 2, 3, 4]) await track(consumer);
  await limit(consumer, terms);
  expect(await usedBy(consumer)).toEqual(['6']);
  await track(consumer);
  await limit(consumer, { ...terms, amount: 5 });
  expect(await usedBy(consumer)).toEqual(['7', '7']);
});
