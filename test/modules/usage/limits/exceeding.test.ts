import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../../../support/consumers.ts';
import { createCustomer, pay, subscribeTo } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;

beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

type Exceeding = {
  readonly count: number;
  readonly compared: number;
  readonly isComplete: boolean;
  readonly nodes: readonly Json[];
};

const shown = `exceeding { count compared isComplete nodes { customer { id } state { used amount node { key } } } }`;

/** Sends a mutation on a limit as a dry run, and returns the exceeding customers and budgets. */
async function preview(field: 'limitCreate' | 'limitUpdate', input: Json): Promise<Exceeding> {
  const type = field === 'limitCreate' ? 'LimitCreateInput' : 'LimitUpdateInput';
  const text = `mutation ($input: ${type}!) { ${field}(input: $input) { ${shown} } }`;
  const headers = { 'x-quittance-dry-run': '1' };
  const answer = await t.graphql<Record<string, { exceeding: Exceeding }>>(text, { input }, { headers });
  return answer[field]?.exceeding ?? { count: -1, compared: -1, isComplete: false, nodes: [] };
}

const spend = { measure: 'spend', currency: 'usd', window: { kind: 'usage_window' }, action: 'block' };

/** Creates another customer of the plan of a consumer. */
async function another({ planId, feature }: Consumer): Promise<Consumer> {
  const { id: customerId } = await createCustomer(limits.shop);
  const { id, token } = await subscribeTo(limits.shop, customerId, planId);
  if (token !== null) await pay(limits.shop, token);
  return { customerId, subscriptionId: id, planId, feature };
}

/** Creates customers of one plan with usage, the first customer first. */
async function consumersWith(...amounts: readonly number[]): Promise<[Consumer, ...Consumer[]]> {
  const first = await createConsumer(limits.shop, { terms });
  const all: [Consumer, ...Consumer[]] = [first];
  while (all.length < amounts.length) all.push(await another(first));
  for (const [index, consumer] of all.entries()) await limits.track(consumer, { value: amounts[index] });
  return all;
}

const storedLimits = async () =>
  (await limits.shop.rest<{ data: Json[] }>('GET', '/limits?limit=100')).body.data.length;

describe('the customers who exceed a limit', () => {
  test('are shown before a template is created, the largest excess first, and nothing is stored', async () => {
    const [low, equal, high] = await consumersWith(9, 20, 50);
    const before = await storedLimits();
    const scope = { each: 'customer', in: { plan: low.planId } };
    const answer = await preview('limitCreate', { ...spend, scope, amount: 2_000 });
    expect(answer).toMatchObject({ count: 1, compared: 3, isComplete: true });
    expect(answer.nodes).toEqual([
      { customer: { id: high?.customerId }, state: { used: '50', amount: '20', node: { key: null } } },
    ]);
    const all = await preview('limitCreate', { ...spend, scope, amount: 0 });
    expect(all.nodes.map(({ customer }) => customer)).toEqual(
      [high, equal, low].map((consumer) => ({ id: consumer?.customerId })),
    );
    expect(await storedLimits()).toBe(before);
    await limits.track(high as Consumer, { value: 1 });
  });

  test('are shown before a limit is lowered, without the raise, and the limit keeps its amount', async () => {
    const [consumer] = await consumersWith(30);
    const limit = await limits.limit({
      ...spend,
      scope: { customer: consumer.customerId },
      amount: 4_000,
      currency: 'usd',
    });
    const id = String(limit['id']);
    expect(await preview('limitUpdate', { id, amount: 3_000 })).toMatchObject({ count: 0, compared: 1 });
    expect(await preview('limitUpdate', { id, amount: 2_999 })).toMatchObject({
      count: 1,
      nodes: [{ state: { used: '30', amount: '29.99' } }],
    });
    await limits.shop.rest('POST', `/limits/${id}/raises`, { amount: 1 });
    expect(await preview('limitUpdate', { id, amount: 2_999 })).toMatchObject({ count: 0, compared: 1 });
    expect((await limits.shop.rest('GET', `/limits/${id}`)).body).toMatchObject({ amount: 4_000 });
  });

  test('include past usage of the window for a limit of one budget', async () => {
    const [consumer] = await consumersWith(1);
    const { customerId } = consumer;
    await limits.shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'team:eu' });
    await limits.shop.rest('POST', `/customers/${customerId}/budgets`, {
      key: 'key:a',
      parentKey: 'team:eu',
    });
    await limits.track(consumer, { value: 7, budget: 'key:a' });
    const limit = { measure: 'calls', window: { kind: 'day' }, action: 'notify' };
    const input = { ...limit, scope: { customer: customerId, budget: 'team:eu' }, amount: 0 };
    expect(await preview('limitCreate', input)).toMatchObject({
      count: 1,
      nodes: [{ customer: { id: customerId }, state: { used: '1', node: { key: 'team:eu' } } }],
    });
  });

  test('are the budgets of a kind, without archived budgets and other kinds', async () => {
    const [consumer] = await consumersWith(1);
    const { customerId } = consumer;
    for (const key of ['team:a', 'team:b', 'team:old', 'teams:c'])
      await limits.shop.rest('POST', `/customers/${customerId}/budgets`, { key });
    await limits.shop.rest('DELETE', `/customers/${customerId}/budgets/team:old`);
    const scope = { each: 'team', in: { customer: customerId } };
    const template = { scope, measure: 'calls', window: { kind: 'day' }, action: 'notify' };
    const { id } = await limits.limit({ ...template, amount: 5 });
    for (const key of ['team:a', 'team:b', 'team:b', 'teams:c'])
      await limits.track(consumer, { value: 1, budget: key });
    const answer = await preview('limitUpdate', { id, amount: 1 });
    expect(answer).toMatchObject({ count: 1, compared: 2, isComplete: true });
    expect(answer.nodes).toMatchObject([{ state: { used: '2', node: { key: 'team:b' } } }]);
  });

  test('compares no customers if the limit has no amount, and one value if the limit applies to the organization', async () => {
    const scope = { each: 'customer', in: { organization: true } };
    const observing = { scope, measure: 'calls', window: { kind: 'day' }, thresholds: [{ amount: 1 }] };
    expect(await preview('limitCreate', observing)).toMatchObject({ count: 0 });
    const shared = { scope: { organization: true }, measure: 'calls', window: { kind: 'day' } };
    const { id } = await limits.limit({ ...shared, action: 'notify', amount: 1_000 });
    const [consumer] = await consumersWith(1);
    await limits.track(consumer, { value: 1 });
    expect(await preview('limitUpdate', { id, amount: 0 })).toMatchObject({
      count: 1,
      compared: 1,
      nodes: [{ customer: null }],
    });
  });
});
