import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

/** Creates a customer whose usage costs 1.00 per unit. */
const create = () =>
  createConsumer(limits.shop, {
    terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } },
  });

const post = async (path: string, body: Json = {}): Promise<Json> => {
  const answer = await limits.shop.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

const hold = async (consumer: Consumer, value: number, body: Json = {}) =>
  String((await post('/usage/holds', { ...of(consumer), estimate: { value }, ...body }))['id']);

const units = ({ customerId, feature }: Consumer, window: Json, amount: number, body: Json = {}) =>
  limits.limit({
    scope: { customer: customerId },
    measure: 'units',
    filter: { features: [feature.code] },
    window,
    amount,
    ...body,
  });

/** Returns the used and the held amounts of the limits of a customer or a budget, in order of creation. */
const amounts = async ({ customerId }: Consumer, budget?: string) => {
  const query = budget === undefined ? '' : `?budget=${encodeURIComponent(budget)}`;
  const { body } = await limits.shop.rest('GET', `/customers/${customerId}/limits${query}`);
  const states = body['data'] as readonly { limitId: string; used: string; held?: string }[];
  return states.map(({ used, held = '0' }) => `${used} + ${held}`);
};

/** Moves the recorded times of a customer's usage and limits back by a minute. */
const passMinute = async ({ customerId }: Consumer) => {
  const move = (text: string) => t.app.database.query(text, [t.sandboxId, customerId]);
  await move(
    `UPDATE "LimitState" SET gauges = (SELECT jsonb_object_agg(key, value || jsonb_build_object('at', (value->>'at')::bigint - 60000))
       FROM jsonb_each(gauges)) WHERE "environmentId" = $1 AND "customerId" = $2`,
  );
  await move(
    `UPDATE "Limit" SET "validFrom" = "validFrom" - interval '1 minute' WHERE "environmentId" = $1 AND ("customerId" = $2 OR "customerId" IS NULL)`,
  );
};

const windows: readonly Json[] = [
  { kind: 'day' },
  { kind: 'month' },
  { kind: 'rolling', minutes: 60 },
  { kind: 'session', minutes: 60 },
  { kind: 'usage_window' },
  { kind: 'lifetime' },
];

describe('a limit that replaces a template', () => {
  test.each(windows)('continues the value of the template: $kind', async (window) => {
    const consumer = await create();
    const { customerId } = consumer;
    const template = await units(consumer, window, 5, {
      scope: { each: 'member', in: { customer: customerId } },
    });
    await limits.track(consumer, { value: 3, budget: 'member:1' });
    const open = await hold(consumer, 2, { budget: 'member:1' });
    await passMinute(consumer);
    const scope = { customer: customerId, budget: 'member:1' };
    await units(consumer, window, 8, { scope, replaces: template.id });
    expect(await amounts(consumer, 'member:1')).toEqual(['3 + 2']);
    expect(await limits.rejected(consumer, { value: 4, budget: 'member:1' })).toMatchObject({
      details: { limits: [{ used: '3', held: '2', remaining: '3' }] },
    });
    await limits.shop.rest('DELETE', `/limits/${template.id}`);
    expect(await amounts(consumer, 'member:1')).toEqual(['3 + 2']);
    await post(`/usage/holds/${open}/settle`, { value: 2 });
    expect(await amounts(consumer, 'member:1')).toEqual(['5 + 0']);
  });

  test('continues the value of a template for the customers of a plan', async () => {
    const consumer = await create();
    const { customerId, planId } = consumer;
    const template = await units(consumer, { kind: 'day' }, 5, {
      scope: { each: 'customer', in: { plan: planId } },
    });
    await limits.track(consumer, { value: 5 });
    await passMinute(consumer);
    await units(consumer, { kind: 'day' }, 8, { scope: { customer: customerId }, replaces: template.id });
    expect(await amounts(consumer)).toEqual(['5 + 0']);
    await limits.rejected(consumer, { value: 4 });
    await limits.track(consumer, { value: 3 });
    expect(await amounts(consumer)).toEqual(['8 + 0']);
  });

  test('keeps the value of a limit that is deleted', async () => {
    const consumer = await create();
    const first = await units(consumer, { kind: 'lifetime' }, 10);
    await limits.track(consumer, { value: 6 });
    await passMinute(consumer);
    await units(consumer, { kind: 'lifetime' }, 8);
    await limits.shop.rest('DELETE', `/limits/${first.id}`);
    expect(await amounts(consumer)).toEqual(['6 + 0']);
  });
});

describe('a new limit', () => {
  test.each(windows)('counts the open holds: $kind', async (window) => {
    const consumer = await create();
    await limits.track(consumer, { value: 1 });
    const open = await hold(consumer, 6);
    await units(consumer, window, 10);
    const past = window['kind'] === 'session' || window['kind'] === 'lifetime' ? 0 : 1;
    expect(await amounts(consumer)).toEqual([`${past} + 6`]);
    await limits.rejected(consumer, { value: 5 - past });
    await post(`/usage/holds/${open}/settle`, { value: 4, final: false });
    expect(await amounts(consumer)).toEqual([`${past + 4} + 2`]);
    const last = await post(`/usage/holds/${open}/settle`, { value: 2 });
    expect('uncounted' in last).toBe(false);
    expect(await amounts(consumer)).toEqual([`${past + 6} + 0`]);
  });

  test('counts the open holds of the customer and its budgets for each measure', async () => {
    const consumer = await create();
    const { customerId } = consumer;
    await post(`/customers/${customerId}/budgets`, { key: 'team:a' });
    await post(`/customers/${customerId}/budgets`, { key: 'key:1', parentKey: 'team:a' });
    await hold(consumer, 4, { budget: 'key:1' });
    const partly = await hold(consumer, 6, { budget: 'key:1' });
    await hold(consumer, 5);
    await post(`/usage/holds/${partly}/settle`, { value: 1, final: false });
    const measures = [
      { measure: 'calls' },
      { measure: 'value', currency: 'usd' },
      { measure: 'spend', currency: 'usd' },
    ];
    for (const budget of ['team:a', undefined])
      for (const measure of measures)
        await limits.limit({
          scope: { customer: customerId, ...(budget === undefined ? {} : { budget }) },
          window: { kind: 'month' },
          amount: 100_000,
          ...measure,
        });
    // The first settlement of a hold is its call.
    const customer = ['1 + 2', '1 + 14', '1 + 14'];
    expect(await amounts(consumer, 'team:a')).toEqual(['1 + 1', '1 + 9', '1 + 9', ...customer]);
    await post(`/usage/holds/${partly}/release`);
    const released = ['1 + 2', '1 + 9', '1 + 9'];
    expect(await amounts(consumer, 'team:a')).toEqual(['1 + 1', '1 + 4', '1 + 4', ...released]);
  });

  test('counts earlier usage of the usage window for each measure, for the customer and a budget', async () => {
    const consumer = await create();
    const { customerId, feature } = consumer;
    await post(`/customers/${customerId}/budgets`, { key: 'team:a' });
    await limits.track(consumer, { value: 2 });
    await limits.track(consumer, { value: 3, budget: 'team:a' });
    const filter = { features: [feature.code] };
    const measures: readonly Json[] = [
      { measure: 'units', filter },
      { measure: 'calls' },
      { measure: 'value', currency: 'usd' },
      { measure: 'spend', currency: 'usd' },
    ];
    for (const measure of measures)
      await limits.limit({ scope: { customer: customerId }, amount: 1_000, ...measure });
    expect(await amounts(consumer)).toEqual(['5 + 0', '2 + 0', '5 + 0', '5 + 0']);
    for (const measure of measures)
      await limits.limit({ scope: { customer: customerId, budget: 'team:a' }, amount: 1_000, ...measure });
    expect((await amounts(consumer, 'team:a')).slice(0, 4)).toEqual(['3 + 0', '1 + 0', '3 + 0', '3 + 0']);
    for (const measure of measures)
      await limits.limit({
        scope: { customer: customerId, budget: 'team:a' },
        window: { kind: 'billing_period' },
        amount: 1_000,
        ...measure,
      });
    expect((await amounts(consumer, 'team:a')).slice(4, 8)).toEqual(['3 + 0', '1 + 0', '3 + 0', '3 + 0']);
  });
});
