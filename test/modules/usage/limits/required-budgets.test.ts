import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const change = ({ customerId }: Consumer, requireBudget: boolean) =>
  limits.shop.rest('PATCH', `/customers/${customerId}`, { requireBudget });

const required = {
  code: 'validation_error',
  param: 'budget',
  details: { reason: 'budget_required' },
};

test('usage of a customer that requires budgets is rejected without a budget', async () => {
  const consumer = await createConsumer(limits.shop);
  const { shop } = limits;
  expect('requireBudget' in (await shop.rest('GET', `/customers/${consumer.customerId}`)).body).toBe(false);
  await limits.track(consumer);
  expect((await change(consumer, true)).body).toMatchObject({ requireBudget: true });
  const [events, outbox] = [await limits.count('UsageEvent'), await limits.count('Event')];
  expect(await limits.rejected(consumer)).toMatchObject(required);
  const { customerId, feature } = consumer;
  const item = { customerId, featureCode: feature.code };
  const batch = await shop.rest('POST', '/usage/events/batch', { events: [item] });
  expect(batch.body['results']).toMatchObject([{ index: 0, code: required.code, details: required.details }]);
  expect(await limits.failure('POST', '/usage/check', item)).toMatchObject(required);
  const access = await t.graphql(
    `query ($id: ID!, $code: String!) { featureAccess(customerId: $id, code: $code) { ... on UsageFeatureAccess { canUse { allowed reason } } } }`,
    { id: customerId, code: feature.code },
  );
  expect(access).toEqual({
    featureAccess: { canUse: { allowed: false, reason: 'validation_error' } },
  });
  expect(await limits.failure('PUT', '/usage', { ...item, value: 5 })).toMatchObject(required);
  expect([await limits.count('UsageEvent'), await limits.count('Event')]).toEqual([events, outbox]);

  await shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'team:eu' });
  await limits.track(consumer, { budget: 'team:eu' });
  expect(await limits.check(consumer, { budget: 'team:eu' })).toMatchObject({ allowed: true });
  expect((await shop.rest('PUT', '/usage', { ...item, value: 0 })).status).toBe(200);
  await change(consumer, false);
  await limits.track(consumer);
});

test('customers can require budgets from their creation', async () => {
  const { shop } = limits;
  const created = await shop.rest('POST', '/customers', { email: 'ada@example.com', requireBudget: true });
  expect(created.body).toMatchObject({ requireBudget: true });
  const batch = await shop.rest('POST', '/customers/batch', {
    customers: [{ email: 'bob@example.com', requireBudget: true }, { email: 'eve@example.com' }],
  });
  const made = batch.body['successful'] as readonly { id: string }[];
  const stored = await Promise.all(
    made.map(async ({ id }) => (await shop.rest('GET', `/customers/${id}`)).body),
  );
  expect(stored.map((customer) => customer['requireBudget'] ?? false)).toEqual([true, false]);
  const data = await t.graphql(`query ($id: ID!) { customer(id: $id) { requireBudget } }`, {
    id: made[0]?.id,
  });
  expect(data).toEqual({ customer: { requireBudget: true } });
});
