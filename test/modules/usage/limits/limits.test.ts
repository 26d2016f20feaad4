import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
  setRate,
} from '../../../support/consumers.ts';
import {
  attachFeature,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  firstShop,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;
type Failure = { readonly error: { readonly code: string; readonly param?: string; readonly details: Json } };

const track = (consumer: Consumer, body: Json = {}) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), ...body });
const status = async (consumer: Consumer, body: Json = {}) => (await track(consumer, body)).status;
const failure = async (consumer: Consumer, body: Json = {}) =>
  ((await track(consumer, body)).body as unknown as Failure).error;
const check = async (consumer: Consumer, body: Json = {}) =>
  (await shop.rest('POST', '/usage/check', { ...of(consumer), ...body })).body;

/** Creates a limit, and returns it. */
async function limit(body: Json): Promise<Json & { readonly id: string }> {
  const answer = await shop.rest('POST', '/limits', {
    action: 'block',
    window: { kind: 'usage_window' },
    ...body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as Json & { readonly id: string };
}

const scopeOf = ({ customerId }: Consumer, budget?: string) => ({ customer: customerId, budget });

async function budget({ customerId }: Consumer, key: string, parentKey?: string): Promise<void> {
  const answer = await shop.rest('POST', `/customers/${customerId}/budgets`, { key, parentKey });
  expect(answer.status).toBe(201);
}

const states = async ({ customerId }: Consumer, key?: string) => {
  const query = key === undefined ? '' : `?budget=${encodeURIComponent(key)}`;
  return (await shop.rest('GET', `/customers/${customerId}/limits${query}`)).body['data'] as readonly Json[];
};

const events = (customerId: string) =>
  t.app.database.query<{ kind: string; data: Json }>(
    `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind LIKE 'limit.%' ORDER BY position`,
    [t.sandboxId, customerId],
  );

/** Creates a consumer with overage for 0.0085 a unit. */
const overageConsumer = (includedAmount = 4_200) =>
  createConsumer(shop, { terms: { includedAmount, overage: { enabled: true, unitPrice: 85 } } });

const countOf = async (table: string): Promise<number> => {
  const [row] = await t.app.database.query<{ count: bigint }>(
    `SELECT count(*) FROM "${table}" WHERE "environmentId" = $1`,
    [t.sandboxId],
  );
  return Number(row?.count);
};

describe('spend caps', () => {
  test('accept overage up to the amount, and reject the first unit above it (LIM-E2)', async () => {
    const consumer = await overageConsumer();
    const cap = await limit({
      name: 'Cap',
      scope: scopeOf(consumer),
      measure: 'spend',
      currency: 'usd',
      amount: 1_000,
    });
    expect(cap).toMatchObject({
      scope: { customer: consumer.customerId },
      thresholds: [
        { bps: 8_000, rearm: 'window' },
        { bps: 10_000, rearm: 'window' },
      ],
      object: 'limit',
    });
    expect(await status(consumer, { value: 5_376 })).toBe(200);
    const error = await failure(consumer);
    expect(error).toMatchObject({
      code: 'included_limit_reached',
      details: {
        reason: 'limit_reached',
        current: 999,
        included: 1_000,
        remaining: 0,
        limits: [
          {
            limitId: cap.id,
            name: 'Cap',
            setBy: 'merchant',
            action: 'block',
            node: { kind: 'customer', key: null, path: [] },
            measure: 'spend',
            unit: 'usd',
            amount: '10',
            raise: '0',
            used: '9.996',
            asked: '0.0085',
            remaining: '0.004',
          },
        ],
      },
    });
    const window = (
      error.details['limits'] as readonly { window: Json; resetsAt: string; fitsAt: string }[]
    )[0];
    expect(window?.resetsAt).toBe(window?.window['end']);
    expect(window?.fitsAt).toBe(window?.resetsAt);
    expect(await check(consumer)).toMatchObject({
      allowed: false,
      reason: 'included_limit_reached',
      maxQuantity: 0,
      limits: [{ limitId: cap.id, remaining: '0.004' }],
    });
    expect(await countOf('LimitState')).toBe(1);
    expect(
      (await events(consumer.customerId)).map(({ kind, data }) => [
        kind,
        data['value'],
        data['threshold'] ?? data['cause'],
      ]),
    ).toEqual([
      ['limit.threshold_reached', '9.996', '8'],
      ['limit.reached', '9.996', 'rejected'],
    ]);
  });

  test('include usage from before the limit, and return the largest quantity that fits (LIM-E23)', async () => {
    const tiers = {
      model: 'graduated',
      tiers: [
        { upTo: 1_000, amount: '0.02' },
        { upTo: null, amount: '0.015' },
      ],
    };
    const consumer = await createConsumer(shop, {
      terms: { includedAmount: 0, overage: { enabled: true } },
      rate: tiers,
    });
    expect(await status(consumer, { value: 990 })).toBe(200);
    await limit({ scope: scopeOf(consumer), measure: 'spend', currency: 'usd', amount: 2_050 });
    expect(await check(consumer, { quantity: 44 })).toMatchObject({ allowed: false, maxQuantity: 43 });
    expect(await check(consumer, { quantity: 43 })).toMatchObject({
      allowed: true,
      maxQuantity: 43,
      limits: [{ used: '19.8', asked: '0.695', remaining: '0.7' }],
    });
    expect(await status(consumer, { value: 44 })).toBe(400);
    expect(await status(consumer, { value: 43 })).toBe(200);
  });

  test('sum the features of the plan, and bound the rounded lines of the invoice (LIM-E4)', async () => {
    const { id: planId } = await createPlan(shop);
    const features = [
      await createFeature(shop, 'usage'),
      await createFeature(shop, 'usage'),
      await createFeature(shop, 'usage'),
    ];
    for (const feature of features) {
      await attachFeature(shop, planId, feature.id, { includedAmount: 0, overage: { enabled: true } });
      await setRate(shop, planId, feature.id, { model: 'per_unit', amount: '0.0005' });
    }
    await createPrice(shop, planId);
    const { id: customerId } = await createCustomer(shop);
    const { id: subscriptionId, token } = await subscribeTo(shop, customerId, planId);
    if (token !== null) await pay(shop, token);
    const consumers = features.map((feature) => ({ customerId, subscriptionId, planId, feature }));
    const use = async (index: number, value: number) => {
      const consumer = consumers[index];
      if (consumer === undefined) throw new Error('The plan has three features.');
      return status(consumer, { value });
    };
    await limit({ scope: { customer: customerId }, measure: 'spend', currency: 'usd', amount: 1_000 });
    expect([await use(0, 6_669), await use(1, 6_670), await use(2, 6_660)]).toEqual([200, 200, 200]);
    // The lines are 3.33, 3.34, and 3.33. One more unit of the first feature makes them 10.01.
    expect([await use(0, 1), await use(2, 2)]).toEqual([400, 400]);
    const [state] = (await shop.rest('GET', `/customers/${customerId}/limits`)).body[
      'data'
    ] as readonly Json[];
    expect(state).toMatchObject({ used: '9.9995', remaining: '0.0005', unit: 'usd' });
    const { body } = await shop.rest('GET', `/limit-crossings?customerId=${customerId}`);
    expect(body['data']).toMatchObject([
      { kind: 'reached', value: '9.9995' },
      { kind: 'threshold', threshold: '8', value: '9.9995' },
    ]);
  });

  test('leave room for other features, and follow a lower price immediately (LIM-E3)', async () => {
    const calls = await overageConsumer(0);
    const exports = { ...calls, feature: await createFeature(shop, 'usage') };
    const terms = (unitPrice: number) => ({ includedAmount: 0, overage: { enabled: true, unitPrice } });
    await attachFeature(shop, calls.planId, exports.feature.id, terms(1_300));
    await limit({ scope: scopeOf(calls), measure: 'spend', currency: 'usd', amount: 2_500 });
    expect([await status(calls, { value: 1_840 }), await status(exports, { value: 70 })]).toEqual([200, 200]);
    expect(await states(calls)).toMatchObject([{ used: '24.74', remaining: '0.26' }]);
    expect([await check(exports), await check(calls)]).toMatchObject([
      { maxQuantity: 2 },
      { maxQuantity: 30 },
    ]);
    const path = `/plans/${calls.planId}/features/${calls.feature.id}`;
    expect((await shop.rest('PATCH', path, terms(60))).status).toBe(200);
    expect(await states(calls)).toMatchObject([{ used: '20.14', remaining: '4.86' }]);
    expect(await check(exports)).toMatchObject({ maxQuantity: 37 });
    expect([await status(calls, { value: 811 }), await status(calls, { value: 810 })]).toEqual([400, 200]);
  });

  test('fall with a correction of usage', async () => {
    const consumer = await overageConsumer(0);
    await limit({ scope: scopeOf(consumer), measure: 'spend', currency: 'usd', amount: 100 });
    const recorded = await track(consumer, { value: 100 });
    expect(await status(consumer, { value: 100 })).toBe(400);
    await shop.rest('POST', `/usage/events/${recorded.body['id']}/void`);
    expect(await states(consumer)).toMatchObject([{ used: '0', remaining: '1' }]);
    expect(await status(consumer, { value: 117 })).toBe(200);
  });

  test('reject usage of credits and balances with the codes of these plans', async () => {
    const credits = await createCreditsConsumer(shop, 640, 7);
    await limit({
      scope: scopeOf(credits),
      measure: 'drawn',
      asset: 'credits',
      amount: 20,
      window: { kind: 'day' },
    });
    expect(await status(credits, { value: 2 })).toBe(200);
    expect(await failure(credits)).toMatchObject({
      code: 'insufficient_credits',
      details: {
        reason: 'limit_reached',
        limits: [{ unit: 'credits', used: '14', asked: '7', remaining: '6' }],
      },
    });
    const balance = await createBalanceConsumer(shop);
    await limit({ scope: scopeOf(balance), measure: 'calls', amount: 1, window: { kind: 'lifetime' } });
    expect(await status(balance)).toBe(200);
    expect(await failure(balance)).toMatchObject({ code: 'insufficient_balance' });
  });
});

describe('budgets', () => {
  test('add usage to each level, and reject by the deepest limit first', async () => {
    const consumer = await overageConsumer(0);
    await budget(consumer, 'team:eu');
    await budget(consumer, 'key:abc', 'team:eu');
    const spend = { measure: 'spend', currency: 'usd' };
    await limit({ ...spend, scope: scopeOf(consumer), amount: 2_000, window: { kind: 'month' } });
    await limit({ ...spend, scope: scopeOf(consumer, 'team:eu'), amount: 850, window: { kind: 'day' } });
    const key = await limit({
      ...spend,
      scope: scopeOf(consumer, 'key:abc'),
      amount: 340,
      window: { kind: 'rolling', minutes: 300 },
    });
    expect(await status(consumer, { value: 300, budget: 'key:abc' })).toBe(200);
    expect(await failure(consumer, { value: 200, budget: 'key:abc' })).toMatchObject({
      details: {
        limits: [
          {
            limitId: key.id,
            node: { kind: 'key', key: 'key:abc', path: ['team:eu', 'key:abc'] },
            used: '2.55',
          },
        ],
      },
    });
    expect(await status(consumer, { value: 700, budget: 'team:eu' })).toBe(200);
    expect(await status(consumer, { value: 1, budget: 'key:abc' })).toBe(400);
    expect(await status(consumer, { value: 100 })).toBe(200);
    expect((await states(consumer, 'key:abc')).map(({ used }) => used)).toEqual(['2.55', '8.5', '9.35']);
    expect((await states(consumer)).map(({ used }) => used)).toEqual(['9.35']);
    const data = await t.graphql(
      `query ($id: ID!) { limitStates(customerId: $id, budget: "team:eu") { used remaining node { key } } }`,
      { id: consumer.customerId },
    );
    expect(data).toMatchObject({
      limitStates: [
        { used: '8.5', remaining: '0', node: { key: 'team:eu' } },
        { used: '9.35', remaining: '10.65', node: { key: null } },
      ],
    });
  });

  test('create a budget with the first of concurrent events if a template covers it (LIM-E21, litellm-first-request)', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 1);
    const before = await countOf('Budget');
    expect(await failure(consumer, { budget: 'agent:new' })).toMatchObject({
      code: 'validation_error',
      param: 'budget',
      details: { reason: 'unknown_budget' },
    });
    await limit({
      scope: { each: 'agent', in: { customer: consumer.customerId } },
      measure: 'drawn',
      asset: 'credits',
      amount: 500,
      window: { kind: 'day' },
    });
    const results = await Promise.all(
      [1, 2, 3].map(() => status(consumer, { value: 200, budget: 'agent:new' })),
    );
    expect(results.toSorted()).toEqual([200, 200, 400]);
    expect(await countOf('Budget')).toBe(before + 1);
    expect(await check(consumer, { budget: 'agent:new' })).toMatchObject({
      limits: [{ remaining: '100' }],
      maxQuantity: 100,
    });
    const archived = await shop.rest('DELETE', `/customers/${consumer.customerId}/budgets/agent%3Anew`);
    expect(archived.body).toMatchObject({ key: 'agent:new', object: 'budget' });
    expect(await failure(consumer, { budget: 'agent:new' })).toMatchObject({
      details: { reason: 'budget_archived' },
    });
  });

  test('keep their order in a tree of up to 4 levels', async () => {
    const consumer = await createConsumer(shop);
    const base = `/customers/${consumer.customerId}/budgets`;
    await budget(consumer, 'team:1');
    await budget(consumer, 'team:2', 'team:1');
    await budget(consumer, 'team:3', 'team:2');
    await budget(consumer, 'team:4', 'team:3');
    const before = await countOf('Budget');
    const rejected = async (method: string, path: string, body: object) =>
      ((await shop.rest(method, path, body)).body as unknown as Failure).error;
    expect(await rejected('POST', base, { key: 'team:5', parentKey: 'team:4' })).toMatchObject({
      code: 'validation_error',
      param: 'parentKey',
    });
    expect(await rejected('PATCH', `${base}/team%3A1`, { parentKey: 'team:4' })).toMatchObject({
      param: 'parentKey',
    });
    expect(await rejected('POST', base, { key: 'team:1' })).toMatchObject({ code: 'duplicate' });
    for (const key of ['team', ':x', 'Team:eu', 'customer:1', `team:${'x'.repeat(181)}`])
      expect(await rejected('POST', base, { key })).toMatchObject({ code: 'validation_error', param: 'key' });
    expect(await countOf('Budget')).toBe(before);
    const moved = await shop.rest('PATCH', `${base}/team%3A4`, { parentKey: null, name: 'Top' });
    expect(moved.body).toMatchObject({ key: 'team:4', parent: null, name: 'Top' });
  });
});

describe('limits', () => {
  test('send events at thresholds without rejecting usage, and list crossings', async () => {
    const consumer = await createConsumer(shop, { terms: { unlimited: true } });
    const units = await limit({
      scope: scopeOf(consumer),
      measure: 'units',
      filter: { features: [consumer.feature.code] },
      action: 'notify',
      amount: 100,
      thresholds: [{ amount: 10 }, { bps: 5_000 }],
    });
    for (const value of [5, 50, 60, 5]) expect(await status(consumer, { value })).toBe(200);
    expect(
      (await events(consumer.customerId)).map(({ kind, data }) => [
        kind,
        data['value'],
        data['crossed'] ?? data['amount'],
      ]),
    ).toEqual([
      ['limit.threshold_reached', '55', ['10', '50']],
      ['limit.reached', '115', '100'],
    ]);
    const { body } = await shop.rest('GET', `/limit-crossings?limitId=${units.id}`);
    expect(body['data']).toMatchObject([
      { kind: 'reached', threshold: '100', value: '115', customer: { id: consumer.customerId } },
      { kind: 'threshold', threshold: '50', value: '55' },
    ]);
  });

  test('ignore usage with other features and properties', async () => {
    const consumer = await createConsumer(shop, { terms: { unlimited: true } });
    await limit({
      scope: scopeOf(consumer),
      measure: 'calls',
      filter: { features: [consumer.feature.code], dimensions: [{ property: 'model', values: ['large'] }] },
      amount: 1,
      window: { kind: 'session', minutes: 60 },
    });
    const with_ = (value: string) => ({ properties: [{ property: 'model', value }] });
    expect(await status(consumer, with_('large'))).toBe(200);
    expect(await status(consumer, with_('large'))).toBe(400);
    expect(await status(consumer, with_('small'))).toBe(200);
    expect(await status(consumer)).toBe(200);
  });

  test('bound the value of single AI models and of all models together (LIM-E22)', async () => {
    const consumer = await overageConsumer(0);
    const value = (amount: number, model?: string) =>
      limit({
        ...{ scope: scopeOf(consumer), measure: 'value', currency: 'usd', window: { kind: 'month' }, amount },
        ...(model === undefined
          ? {}
          : { filter: { dimensions: [{ property: 'model', values: [model] }] }, name: model }),
      });
    await value(10_000, 'opus');
    await value(30_000, 'luna');
    await value(50_000);
    const call = (model: string, units: number) => ({
      value: units,
      properties: [{ property: 'model', value: model }],
    });
    expect(await status(consumer, call('opus', 11_694))).toBe(200);
    expect(await status(consumer, call('luna', 14_117))).toBe(200);
    const used = async () => (await states(consumer)).map(({ name, used: amount }) => [name, amount]);
    const before = [
      ['opus', '99.399'],
      ['luna', '119.9945'],
      [null, '219.3935'],
    ];
    expect(await used()).toEqual(before);
    expect(await failure(consumer, call('opus', 88))).toMatchObject({
      details: { limits: [{ name: 'opus', used: '99.399', asked: '0.748', remaining: '0.601' }] },
    });
    expect(await used()).toEqual(before);
    expect(await status(consumer, call('luna', 88))).toBe(200);
    expect(await used()).toEqual([
      ['opus', '99.399'],
      ['luna', '120.7425'],
      [null, '220.1415'],
    ]);
  });

  test('apply to each customer of a plan unless a limit replaces the template', async () => {
    const [first, second] = [await createConsumer(shop), await createConsumer(shop)];
    const calls = { measure: 'calls', window: { kind: 'day' } };
    const template = await limit({
      ...calls,
      scope: { each: 'customer', in: { plan: first.planId } },
      amount: 1,
    });
    expect(await status(first)).toBe(200);
    expect(await status(first)).toBe(400);
    expect([await status(second), await status(second)]).toEqual([200, 200]);
    await limit({ ...calls, scope: scopeOf(first), amount: null, action: 'notify', replaces: template.id });
    expect(await status(first)).toBe(200);
  });

  test('accept usage after a change, a raise, and a deletion, and reject it after the raise ends', async () => {
    const consumer = await createConsumer(shop);
    const calls = await limit({
      scope: scopeOf(consumer),
      measure: 'calls',
      amount: 1,
      window: { kind: 'day' },
    });
    const access = async () =>
      (await shop.rest('GET', `/feature-access/${consumer.feature.code}?customerId=${consumer.customerId}`))
        .body['allowed'];
    expect(await access()).toBe(true);
    expect([await status(consumer), await status(consumer), await access()]).toEqual([200, 400, false]);
    const changed = await shop.rest('PATCH', `/limits/${calls.id}`, { amount: 2 });
    expect(changed.body).toMatchObject({ amount: 2 });
    expect([await status(consumer), await status(consumer)]).toEqual([200, 400]);
    const raised = await shop.rest('POST', `/limits/${calls.id}/raises`, { amount: 2, reason: 'Launch' });
    expect(raised).toMatchObject({ status: 201, body: { amount: 2, reason: 'Launch', limitId: calls.id } });
    expect([await status(consumer), await states(consumer)]).toMatchObject([
      200,
      [{ raise: '2', remaining: '1' }],
    ]);
    const ended = await shop.rest('DELETE', `/limits/${calls.id}/raises/${raised.body['id']}`);
    expect(ended.status).toBe(200);
    expect(await status(consumer)).toBe(400);
    expect((await shop.rest('DELETE', `/limits/${calls.id}`)).body).toMatchObject({ deleted: true });
    expect([await status(consumer), await access()]).toEqual([200, true]);
    expect((await events(consumer.customerId)).map(({ kind }) => kind)).toEqual([
      'limit.reached',
      'limit.raised',
      'limit.raise_ended',
    ]);
  });

  test('read and write no gauge for usage of other environments and of the usage window', async () => {
    const consumer = await createConsumer(shop, { terms: { unlimited: true } });
    await limit({
      scope: scopeOf(consumer),
      measure: 'units',
      filter: { features: [consumer.feature.code] },
      amount: 100,
    });
    const before = await countOf('LimitState');
    expect(await status(consumer, { value: 100 - 1 })).toBe(200);
    expect(await countOf('LimitState')).toBe(before);
    expect(await states(consumer)).toMatchObject([
      { used: '99', remaining: '1', window: { kind: 'usage_window' } },
    ]);
  });

  test('reject invalid limits without creating anything', async () => {
    const consumer = await createConsumer(shop);
    const before = await countOf('Limit');
    const valid = { scope: scopeOf(consumer), measure: 'calls', amount: 1, window: { kind: 'day' } };
    const param = async (changes: Json) =>
      ((await shop.rest('POST', '/limits', { ...valid, ...changes })).body as unknown as Failure).error
        ?.param;
    expect(await param({ window: { kind: 'fixed', minutes: 59 } })).toBe('window.minutes');
    expect(await param({ window: { kind: 'rolling', minutes: 60, steps: 11 } })).toBe('window.steps');
    expect(await param({ window: { kind: 'day', minutes: 60 } })).toBe('window.minutes');
    expect(await param({ measure: 'drawn' })).toBe('asset');
    expect(await param({ currency: 'usd' })).toBe('currency');
    expect(await param({ measure: 'units' })).toBe('filter.features');
    expect(await param({ filter: { features: ['unknown'] } })).toBe('filter.features');
    expect(await param({ thresholds: [{ amount: 2, bps: 5 }] })).toBe('thresholds.0');
    expect(await param({ thresholds: [{ bps: 5 }], amount: null })).toBe('thresholds.0');
    expect(await param({ scope: {} })).toBe('scope');
    expect(await param({ scope: { each: 'customer', in: { organization: true, plan: 'pro' } } })).toBe(
      'scope.in',
    );
    expect(await param({ scope: { customer: 'nobody' } })).toBe('scope.customer');
    expect(await param({ scope: scopeOf(consumer, 'Team') })).toBe('scope.budget');
    expect(await param({ replaces: 'lim_unknown' })).toBe('replaces');
    expect(await param({ validUntil: '2020-01-01T00:00:00Z' })).toBe('validUntil');
    expect(await countOf('Limit')).toBe(before);
  });

  test('reject a ninth limit of a customer', async () => {
    const consumer = await createConsumer(shop);
    const calls = { scope: scopeOf(consumer), measure: 'calls', amount: 1 };
    for (let count = 0; count < 8; count += 1) await limit(calls);
    const answer = await shop.rest('POST', '/limits', { ...calls, window: { kind: 'day' } });
    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'scope' } } });
    const { body } = await shop.rest('GET', `/limits?customerId=${consumer.customerId}`);
    expect((body['data'] as readonly unknown[]).length).toBe(8);
  });
});

describe('concurrent usage', () => {
  test('never exceeds a limit of one of three levels', async () => {
    const consumer = await createConsumer(shop, { terms: { unlimited: true } });
    await budget(consumer, 'team:a');
    const keys = ['key:1', 'key:2', 'key:3', 'key:4'];
    for (const key of keys) await budget(consumer, key, 'team:a');
    const units = { measure: 'units', filter: { features: [consumer.feature.code] } };
    await limit({ ...units, scope: scopeOf(consumer), amount: 200, window: { kind: 'month' } });
    await limit({ ...units, scope: scopeOf(consumer, 'team:a'), amount: 160, window: { kind: 'day' } });
    for (const key of keys)
      await limit({
        ...units,
        scope: scopeOf(consumer, key),
        amount: 45,
        window: { kind: 'rolling', minutes: 600 },
      });
    const accepted = { total: 0, team: 0, keys: new Map<string, number>() };
    await Promise.all(
      Array.from({ length: 64 }, async (_none, client) => {
        const key = keys[client % keys.length] ?? '';
        const name = client % 8 === 7 ? undefined : key;
        for (let turn = 0; turn < 3; turn += 1) {
          const value = 1 + ((client + turn) % 3);
          if ((await status(consumer, { value, budget: name })) !== 200) continue;
          accepted.total += value;
          if (name === undefined) continue;
          accepted.team += value;
          accepted.keys.set(name, (accepted.keys.get(name) ?? 0) + value);
        }
      }),
    );
    expect(accepted.team).toBe(160);
    expect(accepted.total).toBeLessThanOrEqual(200);
    for (const key of keys) {
      const [own, team, customer] = await states(consumer, key);
      expect(own?.['used']).toBe(String(accepted.keys.get(key)));
      expect(accepted.keys.get(key)).toBeLessThanOrEqual(45);
      expect(team?.['used']).toBe('160');
      expect(customer?.['used']).toBe(String(accepted.total));
    }
  });
});
