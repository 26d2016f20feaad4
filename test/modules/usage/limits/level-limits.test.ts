import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, createCounter, of } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Limits on the number of seats or quota units (LIM-23).

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const level = (consumer: Consumer, body: Json = {}): Json => ({
  scope: { customer: consumer.customerId },
  measure: 'level',
  filter: { features: [consumer.feature.code] },
  window: { kind: 'lifetime' },
  amount: 6,
  ...body,
});

const seats = (consumer: Consumer, count: number) =>
  limits.shop.rest('POST', '/seats', { ...of(consumer), count });

const quota = (consumer: Consumer, count: number) =>
  limits.shop.rest('POST', '/usage/quota', { ...of(consumer), count });

const rejection = { error: { code: 'included_limit_reached', details: { reason: 'limit_reached' } } };

describe('a limit on the number of seats', () => {
  test('rejects more seats, also seats that the plan sells, until it is raised', async () => {
    const consumer = await createCounter(limits.shop, 'seats', {}, 4);
    const { id } = await limits.limit(level(consumer));
    expect((await seats(consumer, 2)).status).toBe(200);
    const rejected = await seats(consumer, 1);
    expect([rejected.status, rejected.body]).toMatchObject([400, rejection]);
    expect((rejected.body['error'] as Json)['details']).toMatchObject({
      current: 6,
      included: 6,
      remaining: 0,
      limits: [{ limitId: id, measure: 'level', unit: 'units', used: '6', asked: '1', remaining: '0' }],
    });
    expect(await limits.states(consumer)).toMatchObject([
      { limitId: id, measure: 'level', unit: 'units', amount: '6', used: '6', remaining: '0' },
    ]);
    const until = '2099-01-01T00:00:00.000Z';
    const raised = await limits.shop.rest('POST', `/limits/${id}/raises`, { amount: 1, until });
    expect(raised.status, JSON.stringify(raised.body)).toBe(201);
    expect((await seats(consumer, 1)).status).toBe(200);
    expect((await seats(consumer, 1)).status).toBe(400);
  });

  test('reports thresholds and the amount each time the number rises to them', async () => {
    const consumer = await createCounter(limits.shop, 'seats', {}, 3);
    const { id } = await limits.limit(
      level(consumer, { action: 'notify', thresholds: [{ amount: 5 }], amount: 6 }),
    );
    for (const count of [1, 1, 1, 1]) expect((await seats(consumer, count)).status).toBe(200);
    const events = (await limits.events(consumer)).filter(({ data }) => data['limitId'] === id);
    expect(events.map(({ kind, data }) => [kind, data['value'], data['unit']])).toEqual([
      ['limit.threshold_reached', '5', 'units'],
      ['limit.reached', '6', 'units'],
    ]);
    const { body } = await limits.shop.rest('GET', `/limit-crossings?limitId=${id}`);
    expect((body['data'] as Json[]).map(({ kind }) => kind)).toEqual(['reached', 'threshold']);
  });

  test('is part of feature access, over a single feature and over lists', async () => {
    const consumer = await createCounter(limits.shop, 'seats', {}, 4);
    await limits.limit(level(consumer, { amount: 4 }));
    const path = `customerId=${consumer.customerId}`;
    const single = await limits.shop.rest('GET', `/feature-access/${consumer.feature.code}?${path}`);
    expect(single.body).toMatchObject({ allowed: false });
    const list = await limits.shop.rest('GET', `/feature-access?${path}`);
    expect(list.body['data']).toMatchObject([{ code: consumer.feature.code, allowed: false }]);
  });
});

describe('a limit on the number of quota units', () => {
  test('applies to each customer of a template, and exempts one by a replacement', async () => {
    const consumer = await createCounter(limits.shop, 'quota', {}, 4);
    const template = await limits.limit(
      level(consumer, { scope: { each: 'customer', in: { plan: consumer.planId } }, amount: 5 }),
    );
    expect((await quota(consumer, 1)).status).toBe(200);
    expect((await quota(consumer, 1)).body).toMatchObject(rejection);
    await limits.limit(level(consumer, { replaces: template.id, amount: null, action: 'notify' }));
    expect((await quota(consumer, 1)).status).toBe(200);
  });
});

describe('limits on levels', () => {
  test('reject other features, windows, actions, and scopes', async () => {
    const consumer = await createCounter(limits.shop, 'seats', {}, 4);
    const usage = await createConsumer(limits.shop);
    const cases: [string, Json][] = [
      ['filter.features', { filter: { features: [] } }],
      ['filter.features', { filter: { features: [usage.feature.code] } }],
      ['window.kind', { window: { kind: 'day' } }],
      ['action', { action: 'approve' }],
      ['measure', { scope: { organization: true } }],
      ['scope.budget', { scope: { customer: consumer.customerId, budget: 'team:eu' } }],
      ['thresholds.0', { thresholds: [{ amount: 1, rearm: 'window' }] }],
    ];
    for (const [field, body] of cases) {
      const failure = await limits.failure('POST', '/limits', { action: 'block', ...level(consumer, body) });
      expect([failure.code, failure.param], JSON.stringify(body)).toEqual(['validation_error', field]);
    }
  });
});

test('lists of feature access state that a limit on usage rejects one more unit', async () => {
  const [limited, free] = [
    await createConsumer(limits.shop, { terms: { includedAmount: 100 } }),
    await createConsumer(limits.shop, { terms: { includedAmount: 100 } }),
  ];
  await limits.limit({
    scope: { customer: limited.customerId },
    measure: 'calls',
    window: { kind: 'day' },
    amount: 1,
  });
  await limits.track(limited);
  const query = `query ($id: ID!) { customer(id: $id) { featureAccess { nodes { ... on UsageFeatureAccess { allowed canUse { allowed reason } } } } } }`;
  const access = async ({ customerId: id }: Consumer) =>
    (await t.graphql<{ customer: { featureAccess: { nodes: Json[] } } }>(query, { id })).customer
      .featureAccess.nodes;
  expect(await access(limited)).toEqual([
    { allowed: false, canUse: { allowed: false, reason: 'included_limit_reached' } },
  ]);
  expect(await access(free)).toEqual([{ allowed: true, canUse: { allowed: true, reason: null } }]);
});
