import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Limits of the organization and of plans: all customers share one gauge (LIM-91).

let t: TestApp;
let limits: LimitRequests;
const created: string[] = [];
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());
// Limits of the organization apply to every test of this file.
beforeEach(async () => {
  for (const id of created.splice(0)) await limits.shop.rest('DELETE', `/limits/${id}`);
});

const many = { terms: { includedAmount: 1_000_000 } };

async function limit(body: Json): Promise<string> {
  const { id } = await limits.limit({ measure: 'calls', window: { kind: 'day' }, ...body });
  created.push(id);
  expect(await eventually(async () => (await read(id))['status'] === 'active')).toBe(true);
  return id;
}

/** Limit of the organization on the calls of consumers. The test file shares the calls of all consumers. */
const callsOf = (...consumers: readonly Consumer[]): Json => ({
  scope: { organization: true },
  filter: { features: consumers.map(({ feature }) => feature.code) },
});

const read = async (id: string): Promise<Json> => (await limits.shop.rest('GET', `/limits/${id}`)).body;

async function stateOf(id: string): Promise<Json | undefined> {
  const query =
    'query ($id: ID!) { limit(id: $id) { states { node { kind key } amount raise used held remaining } } }';
  const { limit } = await t.graphql<{ limit: { states: Json[] } }>(query, { id });
  return limit.states[0];
}

/** Returns the events of a limit. */
const eventsOf = (id: string): Promise<{ kind: string; data: Json; customerId: string | null }[]> =>
  t.app.database.query(
    `SELECT kind, data, "customerId" FROM "Event" WHERE "environmentId" = $1 AND kind LIKE 'limit.%' AND data->>'limitId' = $2 ORDER BY position`,
    [t.sandboxId, id],
  );

async function hold(consumer: Consumer, value: number): Promise<string> {
  const { status, body } = await limits.shop.rest('POST', '/usage/holds', {
    ...of(consumer),
    estimate: { value },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return `/usage/holds/${String(body['id'])}`;
}

describe('a limit of the organization', () => {
  test('bounds the usage of all customers together', async () => {
    const [first, second] = [await createConsumer(limits.shop), await createConsumer(limits.shop)];
    const id = await limit({ ...callsOf(first, second), amount: 3, name: 'All calls' });
    expect(await limits.track(first)).not.toHaveProperty('limits');
    await limits.track(second);
    expect(await stateOf(id)).toEqual({
      node: { kind: 'organization', key: null },
      amount: '3',
      raise: '0',
      used: '2',
      held: null,
      remaining: '1',
    });
    await limits.track(first);
    const rejection = await limits.rejected(second);
    expect(rejection.code).toBe('included_limit_reached');
    expect(rejection.details).toMatchObject({
      reason: 'limit_reached',
      current: 3,
      included: 3,
      remaining: 0,
      limits: [{ limitId: id, node: { kind: 'organization', key: null, path: [] }, used: '3', asked: '1' }],
    });
    expect(await stateOf(id)).toMatchObject({ used: '3' });
    expect(await limits.check(first)).toMatchObject({ allowed: false, maxQuantity: 0 });
  });

  test('is rejected in full in a batch, and fits exactly', async () => {
    const consumer = await createConsumer(limits.shop, many);
    const id = await limit({
      scope: { organization: true },
      measure: 'units',
      filter: { features: [consumer.feature.code] },
      amount: 100,
    });
    await limits.track(consumer, { value: 99 });
    expect((await limits.rejected(consumer, { value: 2 })).details['remaining']).toBe(1);
    await limits.track(consumer, { value: 1 });
    expect(await stateOf(id)).toMatchObject({ used: '100', remaining: '0' });
  });

  test('counts holds of all customers, and frees them', async () => {
    const [first, second] = [
      await createConsumer(limits.shop, many),
      await createConsumer(limits.shop, many),
    ];
    const id = await limit({ ...callsOf(first, second), amount: 2 });
    const opened = await hold(first, 5);
    expect(await stateOf(id)).toMatchObject({ used: '0', held: '1' });
    await limits.track(second);
    expect((await limits.rejected(second)).details['reason']).toBe('limit_reached');
    await limits.shop.rest('POST', `${opened}/release`);
    expect(await stateOf(id)).toMatchObject({ used: '1', held: null });
    const settled = await hold(first, 5);
    await limits.shop.rest('POST', `${settled}/settle`, { value: 3 });
    expect(await stateOf(id)).toMatchObject({ used: '2', held: null });
  });

  test('ignores due holds of other customers before the worker expires them (LIM-60)', async () => {
    const [first, second] = [
      await createConsumer(limits.shop, many),
      await createConsumer(limits.shop, many),
    ];
    await limit({ ...callsOf(first, second), amount: 1 });
    await hold(first, 1);
    await limits.rejected(second);
    await t.app.database.query(
      `UPDATE "UsageHold" SET "dueAt" = "createdAt" - interval '1 second', "expiresAt" = "createdAt" - interval '1 second'
       WHERE "environmentId" = $1 AND "customerId" = $2`,
      [t.sandboxId, first.customerId],
    );
    await limits.track(second);
  });

  test('reports thresholds and the amount once, within a second of the usage', async () => {
    const [first, second] = [
      await createConsumer(limits.shop, many),
      await createConsumer(limits.shop, many),
    ];
    const id = await limit({
      ...callsOf(first, second),
      amount: 4,
      thresholds: [{ bps: 5_000 }, { bps: 7_500 }],
    });
    await limits.track(first);
    await limits.track(second);
    const kinds = async () =>
      (await eventsOf(id)).map(({ kind, data }) => [kind, data['threshold'] ?? data['cause']]);
    expect(await eventually(async () => (await kinds()).length === 1)).toBe(true);
    await limits.track(first);
    await limits.track(first);
    await limits.rejected(second);
    expect(await eventually(async () => (await kinds()).length >= 3)).toBe(true);
    const all = await kinds();
    expect(all[0]).toEqual(['limit.threshold_reached', '2']);
    expect(all.filter(([kind]) => kind === 'limit.reached')).toEqual([['limit.reached', 'amount']]);
    expect(all.filter(([, threshold]) => threshold === '3')).toHaveLength(1);
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({
      customerId: null,
      data: {
        customerId: null,
        subscriptionId: null,
        node: { kind: 'organization', key: null, path: [] },
        value: '2',
        amount: '4',
      },
    });
    const { body } = await limits.shop.rest('GET', `/limit-crossings?limitId=${id}`);
    expect((body['data'] as Json[]).map(({ customer, budget }) => [customer, budget])).toEqual(
      all.map(() => [null, null]),
    );
  });

  test('reports a rejection once per window', async () => {
    const consumer = await createConsumer(limits.shop, many);
    const id = await limit({
      scope: { organization: true },
      measure: 'units',
      filter: { features: [consumer.feature.code] },
      amount: 10,
    });
    for (let round = 0; round < 3; round++) await limits.rejected(consumer, { value: 11 });
    expect(await eventually(async () => (await eventsOf(id)).length === 1)).toBe(true);
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({ kind: 'limit.reached', data: { cause: 'rejected', value: '0' } });
    await limits.track(consumer, { value: 10 });
    await limits.rejected(consumer, { value: 1 });
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test('accepts all usage if the action is `notify`', async () => {
    const consumer = await createConsumer(limits.shop, many);
    const id = await limit({ ...callsOf(consumer), action: 'notify', amount: 1 });
    await limits.track(consumer);
    await limits.track(consumer);
    expect(await eventually(async () => (await eventsOf(id)).length === 1)).toBe(true);
    expect(await stateOf(id)).toMatchObject({ used: '2' });
  });

  test('bounds single events without a gauge', async () => {
    const consumer = await createConsumer(limits.shop, many);
    await limit({
      scope: { organization: true },
      measure: 'units',
      filter: { features: [consumer.feature.code] },
      window: { kind: 'event' },
      amount: 5,
    });
    await limits.track(consumer, { value: 5 });
    await limits.rejected(consumer, { value: 6 });
    await limits.track(consumer, { value: 5 });
  });

  test('can be raised until the end of the window', async () => {
    const consumer = await createConsumer(limits.shop, many);
    const id = await limit({ ...callsOf(consumer), amount: 1 });
    await limits.track(consumer);
    await limits.rejected(consumer);
    const { status, body } = await limits.shop.rest('POST', `/limits/${id}/raises`, { amount: 1 });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ customer: null, budgetKey: null });
    await limits.track(consumer);
    await limits.rejected(consumer);
    expect(await stateOf(id)).toMatchObject({ used: '2', amount: '1', raise: '1' });
  });

  test('counts past usage of the window in the background (LIM-38)', async () => {
    const consumer = await createConsumer(limits.shop, many);
    await limits.track(consumer, { value: 4 });
    await limits.track(consumer, { value: 3 });
    const id = await limit({
      scope: { plan: consumer.planId },
      measure: 'units',
      filter: { features: [consumer.feature.code] },
      amount: 10,
    });
    expect(await read(id)).toMatchObject({ includesPastUsage: true });
    expect(await stateOf(id)).toMatchObject({ used: '7' });
    await limits.rejected(consumer, { value: 4 });
    await limits.track(consumer, { value: 3 });
  });

  test('is lowered by corrections', async () => {
    const consumer = await createConsumer(limits.shop, many);
    const id = await limit({ ...callsOf(consumer), amount: 1 });
    const { id: event } = await limits.track(consumer);
    await limits.rejected(consumer);
    const { status } = await limits.shop.rest('POST', `/usage/events/${String(event)}/void`, {});
    expect(status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ used: '0' });
    await limits.track(consumer);
  });
});

describe('a limit of a plan', () => {
  test('bounds the usage of its subscribers only', async () => {
    const [first, other] = [await createConsumer(limits.shop, many), await createConsumer(limits.shop, many)];
    const id = await limit({ scope: { plan: first.planId }, amount: 1, window: { kind: 'lifetime' } });
    await limits.track(other);
    await limits.track(first);
    await limits.rejected(first);
    await limits.track(other);
    expect(await stateOf(id)).toMatchObject({ node: { kind: 'plan', key: null }, used: '1' });
    expect(await read(id)).toMatchObject({
      scope: { plan: first.planId, customer: null, each: null, in: null },
    });
  });

  test('bounds money per currency', async () => {
    const consumer = await createConsumer(limits.shop, {
      terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } },
    });
    const id = await limit({
      scope: { plan: consumer.planId },
      measure: 'spend',
      amounts: [{ currency: 'usd', amount: 300 }],
    });
    await limits.track(consumer, { value: 2 });
    const states = await stateOf(id);
    expect(states).toMatchObject({ amount: '3' });
    await limits.rejected(consumer, { value: 1_000 });
  });
});

describe('limits of the organization and of plans', () => {
  test('reject unsupported scopes, windows, and actions', async () => {
    const base = {
      measure: 'calls',
      window: { kind: 'day' },
      amount: 1,
      action: 'block',
      scope: { organization: true },
    };
    const cases: [string, Json][] = [
      ['scope', { scope: { organization: true, each: 'customer' } }],
      ['window.kind', { window: { kind: 'rolling', minutes: 60 } }],
      ['window.kind', { window: { kind: 'usage_window' } }],
      ['action', { action: 'throttle' }],
      ['channels', { channels: ['portal'] }],
      ['thresholds.0', { thresholds: [{ amount: 1, rearm: 'recross' }] }],
    ];
    const before = await limits.count('Limit');
    for (const [field, body] of cases) {
      const failure = await limits.failure('POST', '/limits', { ...base, ...body });
      expect([failure.code, failure.param], field).toEqual(['validation_error', field]);
    }
    expect(
      await limits.failure('POST', '/limits', { ...base, scope: { plan: 'pln_unknown' } }),
    ).toMatchObject({
      code: 'plan_not_found',
    });
    expect(await limits.count('Limit')).toBe(before);
  });
});
