import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { attachFeature, createPlan, createPlanGroup, createPrice } from '../../../support/factories.ts';
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

const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

/** Opens a hold of 8 units on `key:1` below `team:a`, whose limits block more than 10 units, and moves `key:1` to `team:b`. */
async function moved(): Promise<{ readonly consumer: Consumer; readonly hold: string }> {
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

describe('a hold on a budget that is archived', () => {
  /** Opens a hold of 8 units on `key:1` below `team:a`, and archives a budget. */
  async function archived(budget: 'key:1' | 'team:a') {
    const consumer = await createConsumer(limits.shop, { terms });
    const { customerId, feature } = consumer;
    const budgets = `/customers/${customerId}/budgets`;
    await post(budgets, { key: 'team:a' });
    await post(budgets, { key: 'key:1', parentKey: 'team:a' });
    for (const key of ['team:a', 'key:1'])
      await limits.limit({
        scope: { customer: customerId, budget: key },
        measure: 'units',
        filter: { features: [feature.code] },
        window: { kind: 'lifetime' },
        amount: 10,
      });
    const { id } = await post('/usage/holds', { ...of(consumer), budget: 'key:1', estimate: { value: 8 } });
    await limits.shop.rest('DELETE', `${budgets}/${encodeURIComponent(budget)}`);
    return { consumer, hold: String(id) };
  }

  /** Returns the stored gauges of a customer, and its numbers of events and holds. */
  const stored = ({ customerId }: Consumer) =>
    t.app.database.query(
      `SELECT (SELECT json_agg(s ORDER BY id) FROM "LimitState" s WHERE "environmentId" = $1 AND "customerId" = $2) AS states,
         (SELECT json_agg(h ORDER BY seq) FROM "UsageHold" h WHERE "environmentId" = $1 AND "customerId" = $2) AS holds,
         (SELECT count(*)::int FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2) AS events`,
      [t.sandboxId, customerId],
    );

  test.each(['key:1', 'team:a'] as const)(
    'rejects usage, holds, and additions if %s is archived, and is settled in parts (LIM-16)',
    async (budget) => {
      const { consumer, hold } = await archived(budget);
      const before = await stored(consumer);
      const rejected = { code: 'validation_error', details: { reason: 'budget_archived' } };
      expect(await limits.rejected(consumer, { value: 1, budget: 'key:1' })).toMatchObject(rejected);
      const body = { ...of(consumer), budget: 'key:1', estimate: { value: 1 } };
      expect(await limits.failure('POST', '/usage/holds', body)).toMatchObject(rejected);
      const addition = { add: { value: 1 }, expiresIn: 3_600 };
      expect(await limits.failure('POST', `/usage/holds/${hold}/extend`, addition)).toMatchObject({
        ...rejected,
        param: 'add',
      });
      expect(await stored(consumer)).toEqual(before);
      await post(`/usage/holds/${hold}/extend`, { expiresIn: 3_600 });
      await post(`/usage/holds/${hold}/settle`, { value: 3, final: false });
      for (const key of ['key:1', 'team:a'])
        expect(await gaugeOf(consumer, key)).toEqual({ used: '3', held: '5' });
      expect('uncounted' in (await post(`/usage/holds/${hold}/settle`, { value: 5 }))).toBe(false);
      for (const key of ['key:1', 'team:a'])
        expect(await gaugeOf(consumer, key)).toEqual({ used: '8', held: '0' });
    },
  );

  test('is freed by a release, and stays bounded by the limits of the budget (LIM-16)', async () => {
    const first = await archived('key:1');
    await post(`/usage/holds/${first.hold}/release`);
    expect(await gaugeOf(first.consumer, 'key:1')).toEqual({ used: '0', held: '0' });
    const second = await archived('key:1');
    // The limits accept 2 of the 5 units above the estimate.
    expect(await post(`/usage/holds/${second.hold}/settle`, { value: 13 })).toMatchObject({
      uncounted: { quantity: '3' },
    });
    expect(await gaugeOf(second.consumer, 'key:1')).toEqual({ used: '10', held: '0' });
  });

  /** Returns the stored gauge of a budget, because the states of archived budgets aren't listed. */
  async function gaugeOf({ customerId }: Consumer, key: string) {
    const [row] = await t.app.database.query<{ used: string; held: string }>(
      `SELECT g.value->>'used' AS used, coalesce(g.value->>'held', '0') AS held
       FROM "Budget" b JOIN "LimitState" s ON s."environmentId" = $1 AND s.id = b.id CROSS JOIN LATERAL jsonb_each(s.gauges) g
       WHERE b."environmentId" = $1 AND b."customerId" = $2 AND b.key = $3`,
      [t.sandboxId, customerId, key],
    );
    return row;
  }
});

describe('a customer that moves to another plan', () => {
  /** Returns the used and held units of the limits of a customer by name. */
  async function named({ customerId }: Consumer): Promise<Json> {
    const { body } = await limits.shop.rest('GET', `/customers/${customerId}/limits`);
    const states = body['data'] as readonly { name: string; used: string; held?: string }[];
    return Object.fromEntries(states.map(({ name, used, held = '0' }) => [name, `${used} + ${held}`]));
  }

  const shared = (planId: string) =>
    t.app.database.query(
      'SELECT used::int, held::int FROM "SharedGauge" WHERE "environmentId" = $1 AND "nodeId" = $2',
      [t.sandboxId, planId],
    );

  test('keeps its values, and its hold keeps the plan that it was opened with (LIM-15)', async () => {
    const { id: planGroupId } = await createPlanGroup(limits.shop);
    const consumer = await createConsumer(limits.shop, { plan: { planGroupId }, terms });
    const { customerId, planId: low, subscriptionId, feature } = consumer;
    const { id: high } = await createPlan(limits.shop, { planGroupId });
    await createPrice(limits.shop, high, { price: 9_900 });
    await attachFeature(limits.shop, high, feature.id, terms);
    const units = { measure: 'units', filter: { features: [feature.code] }, window: { kind: 'lifetime' } };
    for (const plan of [low, high]) {
      await limits.limit({ ...units, scope: { plan }, amount: 100, name: 'plan' });
      const each = { scope: { each: 'customer', in: { plan } }, amount: plan === low ? 20 : 24 };
      await limits.limit({ ...units, ...each, name: 'template' });
    }
    await limits.limit({ ...units, scope: { customer: customerId }, amount: 100, name: 'own' });
    await limits.track(consumer, { value: 10 });
    const { id: hold } = await post('/usage/holds', { ...of(consumer), estimate: { value: 8 } });
    const before = { own: '10 + 8', template: '10 + 8' };
    expect(await named(consumer)).toEqual({ ...before, plan: '10 + 8' });

    await post(`/subscriptions/${subscriptionId}/change-plan`, { newPlanId: high });
    expect(await named(consumer)).toEqual({ ...before, plan: '0 + 0' });
    expect(await shared(low)).toEqual([{ used: 10, held: 8 }]);
    // The template of the new plan includes the earlier usage.
    expect(await limits.rejected(consumer, { value: 7 })).toMatchObject({
      details: { limits: [{ name: 'template', amount: '24', used: '10', held: '8', remaining: '6' }] },
    });
    await limits.track(consumer, { value: 6 });
    expect(await named(consumer)).toEqual({ own: '16 + 8', template: '16 + 8', plan: '6 + 0' });
    await post(`/usage/holds/${String(hold)}/settle`, { value: 7, final: false });
    expect(await shared(low)).toEqual([{ used: 17, held: 1 }]);
    await post(`/usage/holds/${String(hold)}/release`);
    expect(await shared(low)).toEqual([{ used: 17, held: 0 }]);
    expect(await shared(high)).toEqual([{ used: 6, held: 0 }]);
    expect(await named(consumer)).toEqual({ own: '23 + 0', template: '23 + 0', plan: '6 + 0' });
  });
});
