import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { follow, openSocket } from '../../messages/events/live.ts';

let t: TestApp;
let shop: Shop;
let socket: ReturnType<typeof openSocket>;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  socket = openSocket(t);
});
afterAll(async () => {
  await socket.dispose();
  await t.close();
});

type Json = Readonly<Record<string, unknown>>;

const track = (consumer: Consumer, body: Json = {}) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), ...body });

async function create(path: string, body: Json): Promise<Json & { readonly id: string }> {
  const answer = await shop.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as Json & { readonly id: string };
}

const limit = (scope: Json, body: Json = {}) =>
  create('/limits', {
    scope,
    measure: 'calls',
    action: 'block',
    window: { kind: 'month' },
    amount: 10,
    ...body,
  });

const budget = ({ customerId }: Consumer, key: string, body: Json = {}) =>
  create(`/customers/${customerId}/budgets`, { key, ...body });

describe('the stream of limits', () => {
  const text = `subscription ($id: ID!, $budget: String) { limitStatesChanged(customerId: $id, budget: $budget) {
    node { key } used amount raise remaining raises { amount reason } } }`;

  test('emits the current values, and emits them again after usage, a raise, its end, and a deletion', async () => {
    const consumer = await createConsumer(shop);
    const { id } = await limit({ customer: consumer.customerId });
    const state = { node: { key: null }, used: '0', amount: '10', raise: '0', remaining: '10', raises: [] };
    const reader = follow<Json[]>(socket, text, { id: consumer.customerId });
    const emitted = async () => (await reader.next()).value;
    expect(await emitted()).toEqual([state]);
    const used = emitted();
    await track(consumer);
    expect(await used).toEqual([{ ...state, used: '1', remaining: '9' }]);
    const raised = emitted();
    const raise = await create(`/limits/${id}/raises`, { amount: 5, reason: 'Launch' });
    const raises = [{ amount: 5, reason: 'Launch' }];
    expect(await raised).toEqual([{ ...state, used: '1', raise: '5', remaining: '14', raises }]);
    const ended = emitted();
    await shop.rest('DELETE', `/limits/${id}/raises/${raise.id}`);
    expect(await ended).toEqual([{ ...state, used: '1', remaining: '9' }]);
    const deleted = emitted();
    await shop.rest('DELETE', `/limits/${id}`);
    expect(await deleted).toEqual([]);
    await reader.stop();
  });

  test('includes the budget and its parents, the budget first', async () => {
    const consumer = await createConsumer(shop);
    const { customerId } = consumer;
    await budget(consumer, 'team:eu');
    await limit({ customer: customerId });
    await limit({ customer: customerId, budget: 'team:eu' });
    const reader = follow<Json[]>(socket, text, { id: customerId, budget: 'team:eu' });
    expect((await reader.next()).value).toMatchObject([
      { node: { key: 'team:eu' } },
      { node: { key: null } },
    ]);
    await reader.stop();
  });

  test("rejects a customer and a budget that don't exist", async () => {
    await expect(follow(socket, text, { id: 'nobody' }).next()).rejects.toThrow('customer_not_found');
    const { customerId } = await createConsumer(shop);
    await expect(follow(socket, text, { id: customerId, budget: 'team:eu' }).next()).rejects.toThrow(
      'validation_error',
    );
  });
});

describe('budgets', () => {
  test('are found by key and name, sorted by key, and contain their own limits', async () => {
    const consumer = await createConsumer(shop);
    const { customerId } = consumer;
    await budget(consumer, 'team:b', { name: 'Research 100%' });
    await budget(consumer, 'team:a', { parentKey: 'team:b' });
    await budget(consumer, 'key:z');
    await limit({ customer: customerId });
    await limit({ each: 'team', in: { customer: customerId } }, { amount: 2 });
    await track(consumer, { budget: 'team:a' });
    const list = async (query: string) => {
      const { body } = await shop.rest('GET', `/customers/${customerId}/budgets?${query}`);
      return (body['data'] as readonly Json[]).map(({ key }) => key);
    };
    expect(await list('')).toEqual(['key:z', 'team:a', 'team:b']);
    expect(await list('sort=key')).toEqual(['key:z', 'team:a', 'team:b']);
    expect(await list('search=TEAM')).toEqual(['team:a', 'team:b']);
    expect(await list('search=research')).toEqual(['team:b']);
    expect(await list('search=0%25')).toEqual(['team:b']);
    expect(await list('search=%25')).toEqual(['team:b']);
    expect(await list('search=_')).toEqual([]);
    const { budgets } = await t.graphql<{ budgets: { nodes: readonly Json[] } }>(
      `query ($id: ID!) { budgets(customerId: $id, sort: key) { nodes { key limits { used node { key } amount } } } }`,
      { id: customerId },
    );
    const own = (key: string, used: string) => ({ used, node: { key }, amount: '2' });
    expect(budgets.nodes).toEqual([
      { key: 'key:z', limits: [] },
      { key: 'team:a', limits: [own('team:a', '1')] },
      { key: 'team:b', limits: [own('team:b', '1')] },
    ]);
  });

  test('are sorted by key across pages', async () => {
    const consumer = await createConsumer(shop);
    for (const key of ['team:c', 'team:a', 'team:b']) await budget(consumer, key);
    const path = `/customers/${consumer.customerId}/budgets?sort=key&limit=2`;
    const { body } = await shop.rest('GET', path);
    expect((body['data'] as readonly Json[]).map(({ key }) => key)).toEqual(['team:a', 'team:b']);
    const next = await shop.rest('GET', `${path}&cursor=${String(body['nextCursor'])}`);
    expect((next.body['data'] as readonly Json[]).map(({ key }) => key)).toEqual(['team:c']);
  });
});

describe('templates', () => {
  test('are listed without the limits of customers, and count the customers near the amount in the current window', async () => {
    const consumer = await createConsumer(shop);
    const template = await limit(
      { each: 'customer', in: { plan: consumer.planId } },
      { amount: 5, thresholds: [{ bps: 5_000 }, { bps: 8_000 }] },
    );
    const own = await limit({ customer: consumer.customerId });
    const idsOf = async (query: string) =>
      ((await shop.rest('GET', `/limits?${query}`)).body['data'] as readonly Json[]).map(({ id }) => id);
    expect(await idsOf('templates=true')).toContain(template.id);
    expect(await idsOf('templates=true')).not.toContain(own.id);
    expect(await idsOf('templates=false')).toContain(own.id);
    expect(await idsOf('templates=false')).not.toContain(template.id);
    const counts = async () =>
      (
        await t.graphql<{ limit: { nodeCounts: Json } }>(
          'query ($id: ID!) { limit(id: $id) { nodeCounts { near reached } } }',
          { id: template.id },
        )
      ).limit.nodeCounts;
    for (let used = 0; used < 3; used += 1) await track(consumer);
    expect(await counts()).toEqual({ near: 0, reached: 0 });
    await track(consumer);
    expect(await counts()).toEqual({ near: 1, reached: 0 });
    await track(consumer);
    expect(await counts()).toEqual({ near: 1, reached: 1 });
  });
});

describe('crossings', () => {
  test('state the cause, the budget, and the limit, and are filtered by cause', async () => {
    const consumer = await createConsumer(shop);
    const { customerId } = consumer;
    await budget(consumer, 'team:eu');
    await limit({ customer: customerId }, { amount: 2, name: 'Calls', thresholds: [{ bps: 5_000 }] });
    await limit(
      { customer: customerId, budget: 'team:eu' },
      { measure: 'units', amount: 3, filter: { features: [consumer.feature.code] } },
    );
    expect((await track(consumer, { budget: 'team:eu', value: 4 })).status).toBe(400);
    await track(consumer);
    await track(consumer);
    const list = async (query: string) =>
      (await shop.rest('GET', `/limit-crossings?customerId=${customerId}${query}`)).body['data'];
    const rejected = { kind: 'reached', cause: 'rejected', budget: 'team:eu', threshold: '3', value: '0' };
    expect(await list('')).toMatchObject([
      { kind: 'reached', cause: 'amount', budget: null, value: '2' },
      { kind: 'threshold', cause: null, budget: null, value: '1' },
      rejected,
    ]);
    expect(await list('&cause=rejected')).toMatchObject([rejected]);
    const { limitCrossings } = await t.graphql<{ limitCrossings: { nodes: readonly Json[] } }>(
      `query ($id: ID!) { limitCrossings(customerId: $id, first: 1) { nodes { limit { name measure } } } }`,
      { id: customerId },
    );
    expect(limitCrossings.nodes).toEqual([{ limit: { name: 'Calls', measure: 'calls' } }]);
  });
});
