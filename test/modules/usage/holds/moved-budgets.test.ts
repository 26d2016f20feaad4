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

const post = async (path: string, body: Json = {}): Promise<Json> => {
  const answer = await limits.shop.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

/** Returns the used and the held amount of a budget's limit. */
const amounts = async ({ customerId }: Consumer, budget: string) => {
  const { body } = await limits.shop.rest(
    'GET',
    `/customers/${customerId}/limits?budget=${encodeURIComponent(budget)}`,
  );
  const states = body['data'] as readonly { node: { key: string }; used: string; held?: string }[];
  return states.filter(({ node }) => node.key === budget).map(({ used, held = '0' }) => ({ used, held }))[0];
};

/** Opens a hold of 8 units on `key:1` below `team:a`, whose limits block more than 10 units, and moves `key:1` to `team:b`. */
async function moved(): Promise<{ readonly consumer: Consumer; readonly hold: string }> {
  const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };
  const consumer = await createConsumer(limits.shop, { terms });
  const { customerId, feature } = consumer;
  const budgets = `/customers/${customerId}/budgets`;
  await post(budgets, { key: 'team:a' });
  await post(budgets, { key: 'team:b' });
  await post(budgets, { key: 'key:1', parentKey: 'team:a' });
  for (const budget of ['team:a', 'team:b'])
    await limits.limit({
      scope: { customer: customerId, budget },
      measure: 'units',
      filter: { features: [feature.code] },
      window: { kind: 'lifetime' },
      amount: 10,
    });
  const { id } = await post('/usage/holds', { ...of(consumer), budget: 'key:1', estimate: { value: 8 } });
  expect(await amounts(consumer, 'team:a')).toEqual({ used: '0', held: '8' });
  await limits.shop.rest('PATCH', `${budgets}/key%3A1`, { parentKey: 'team:b' });
  return { consumer, hold: String(id) };
}

describe('a hold on a budget that moves to another parent', () => {
  test('is freed on its path by a release', async () => {
    const { consumer, hold } = await moved();
    await post(`/usage/holds/${hold}/release`);
    expect(await amounts(consumer, 'team:a')).toEqual({ used: '0', held: '0' });
    expect(await amounts(consumer, 'team:b')).toEqual({ used: '0', held: '0' });
  });

  test('is settled on its path, although the new parent has no room', async () => {
    const { consumer, hold } = await moved();
    await limits.track(consumer, { value: 10, budget: 'team:b' });
    const event = await post(`/usage/holds/${hold}/settle`, { value: 3, final: false });
    expect('uncounted' in event).toBe(false);
    expect(await amounts(consumer, 'team:a')).toEqual({ used: '3', held: '5' });
    const last = await post('/usage/events', { ...of(consumer), hold, value: 5 });
    expect('uncounted' in last).toBe(false);
    expect(await amounts(consumer, 'team:a')).toEqual({ used: '8', held: '0' });
    expect(await amounts(consumer, 'team:b')).toEqual({ used: '10', held: '0' });
  });

  test('is extended on its path, and later usage counts on the new path', async () => {
    const { consumer, hold } = await moved();
    await post(`/usage/holds/${hold}/extend`, { add: { value: 2 } });
    expect(await amounts(consumer, 'team:a')).toEqual({ used: '0', held: '10' });
    await limits.track(consumer, { value: 4, budget: 'key:1' });
    expect(await amounts(consumer, 'team:b')).toEqual({ used: '4', held: '0' });
    await post('/usage/batch', { items: [{ settle: { hold, value: 10 } }] });
    expect(await amounts(consumer, 'team:a')).toEqual({ used: '10', held: '0' });
    expect(await amounts(consumer, 'team:b')).toEqual({ used: '4', held: '0' });
  });
});
