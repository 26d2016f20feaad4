import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const track = (consumer: Consumer, body: Json = {}) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), ...body });

const overageConsumer = () =>
  createConsumer(shop, { terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 85 } } });

const scopeOf = ({ customerId }: Consumer, budget?: string) => ({ customer: customerId, budget });

const createLimit = (body: Json) =>
  shop.rest('POST', '/limits', {
    measure: 'calls',
    window: { kind: 'day' },
    action: 'block',
    amount: 5,
    ...body,
  });

/** Creates a limit, and returns its ID. */
async function limit(body: Json): Promise<string> {
  const answer = await createLimit(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body['id']);
}

async function budget({ customerId }: Consumer, key: string, parentKey?: string): Promise<void> {
  const answer = await shop.rest('POST', `/customers/${customerId}/budgets`, { key, parentKey });
  expect(answer.status).toBe(201);
}

describe('budgets of events', () => {
  test('are part of the event that an event ID identifies, and are shown', async () => {
    const consumer = await overageConsumer();
    await budget(consumer, 'team:eu');
    await budget(consumer, 'team:us');
    const eventId = `event-${consumer.customerId}`;
    const first = await track(consumer, { eventId, budget: 'team:eu' });
    expect(first).toMatchObject({ status: 200, body: { budget: 'team:eu' } });
    expect((await track(consumer, { eventId, budget: 'team:eu' })).body).toEqual(first.body);
    for (const other of ['team:us', 'team:unknown', undefined])
      expect(await track(consumer, { eventId, budget: other })).toMatchObject({
        status: 409,
        body: { error: { code: 'duplicate', param: 'eventId' } },
      });
    const batch = await shop.rest('POST', '/usage/events/batch', {
      events: [
        { ...of(consumer), eventId: `${eventId}-2` },
        { ...of(consumer), eventId: `${eventId}-2`, budget: 'team:us' },
      ],
    });
    expect(batch.body['results']).toMatchObject([{ index: 0 }, { index: 1, code: 'duplicate' }]);
    const second = await track(consumer);
    expect(second.status).toBe(200);
    expect('budget' in second.body).toBe(false);
  });
});

describe('batches', () => {
  test('return the details of rejections that limits and budgets cause', async () => {
    const consumer = await overageConsumer();
    const limitId = await limit({ scope: scopeOf(consumer), amount: 1 });
    const { body } = await shop.rest('POST', '/usage/events/batch', {
      events: [
        of(consumer),
        of(consumer),
        { ...of(consumer), budget: 'team:unknown' },
        { ...of(consumer), featureCode: 'unknown' },
      ],
    });
    const results = body['results'] as readonly Json[];
    expect(results).toMatchObject([
      { index: 0 },
      {
        index: 1,
        code: 'included_limit_reached',
        details: { reason: 'limit_reached', limits: [{ limitId, used: '1', remaining: '0' }] },
      },
      { index: 2, code: 'validation_error', details: { reason: 'unknown_budget' } },
      { index: 3, code: 'feature_not_found' },
    ]);
    expect(results.map((result) => 'details' in result)).toEqual([false, true, true, false]);
  });
});

const countOfLimits = async (): Promise<bigint | undefined> => {
  const [row] = await t.app.database.query<{ count: bigint }>(
    `SELECT count(*) FROM "Limit" WHERE "environmentId" = $1`,
    [t.sandboxId],
  );
  return row?.count;
};

describe('replacements of templates', () => {
  test('exist once per customer or budget and time', async () => {
    const [first, second] = [await overageConsumer(), await overageConsumer()];
    const replaces = await limit({ scope: { each: 'customer', in: { plan: first.planId } }, amount: 5 });
    const duplicate = (param: string) => ({ status: 409, body: { error: { code: 'duplicate', param } } });
    const racing = await Promise.all(
      [1, 2, 3].map((amount) => createLimit({ scope: scopeOf(first), replaces, amount })),
    );
    expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(racing.find(({ status }) => status === 409)).toMatchObject(duplicate('replaces'));
    await limit({ scope: scopeOf(second), replaces, validUntil: '2100-01-01T00:00:00Z' });
    const id = await limit({
      scope: scopeOf(second),
      replaces,
      validFrom: '2100-01-01T00:00:00Z',
      validUntil: '2101-01-01T00:00:00Z',
    });
    expect(
      await createLimit({ scope: scopeOf(second), replaces, validFrom: '2100-06-01T00:00:00Z' }),
    ).toMatchObject(duplicate('replaces'));
    const later = await limit({ scope: scopeOf(second), replaces, validFrom: '2101-01-01T00:00:00Z' });
    const changes = { validUntil: null };
    expect(await shop.rest('PATCH', `/limits/${id}`, changes)).toMatchObject(duplicate('validUntil'));
    expect((await shop.rest('GET', `/limits/${id}`)).body['validUntil']).toBe('2101-01-01T00:00:00.000Z');
    await shop.rest('DELETE', `/limits/${later}`);
    expect((await shop.rest('PATCH', `/limits/${id}`, changes)).status).toBe(200);
  });

  test('count the same usage as the template, at a node to which the template applies', async () => {
    const [consumer, other] = [await overageConsumer(), await overageConsumer()];
    const filter = { features: [consumer.feature.code] };
    const window = { kind: 'fixed', minutes: 600 };
    const replaces = await limit({
      scope: { each: 'team', in: { customer: consumer.customerId } },
      filter,
      window,
    });
    const terms = { scope: scopeOf(consumer, 'team:eu'), filter, window, replaces };
    const before = await countOfLimits();
    for (const changes of [
      { scope: scopeOf(consumer) },
      { scope: scopeOf(consumer, 'key:1') },
      { scope: scopeOf(other, 'team:eu') },
      { scope: { each: 'team', in: { organization: true } } },
      { filter: undefined },
      { window: { kind: 'day' } },
      { window: { ...window, minutes: 601 } },
      { measure: 'spend', currency: 'usd' },
      { replaces: 'lim_unknown' },
    ])
      expect(await createLimit({ ...terms, ...changes }), JSON.stringify(changes)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', param: 'replaces' } },
      });
    expect(await countOfLimits()).toBe(before);
    await limit({ ...terms, amount: null });
  });
});

describe('invalid inputs', () => {
  test('are rejected without creating anything', async () => {
    const consumer = await overageConsumer();
    await budget(consumer, 'team:old');
    await shop.rest('DELETE', `/customers/${consumer.customerId}/budgets/${encodeURIComponent('team:old')}`);
    const before = await countOfLimits();
    const features = [consumer.feature.code, consumer.feature.code];
    const drawn = { measure: 'drawn', asset: 'unknown' };
    for (const [param, changes] of [
      ['amount', { amount: undefined }],
      ['amount', { amount: null, thresholds: [{ amount: 5 }] }],
      ['amount', { amount: null, action: 'notify' }],
      ['asset', drawn],
      ['asset', { measure: 'value', asset: 'unknown' }],
      ['asset', { measure: 'value', asset: 'usd' }],
      ['filter.features', { filter: { features } }],
      ['scope.budget', { scope: scopeOf(consumer, 'team:old') }],
      ['scope.budget', { scope: scopeOf(consumer, 'customer:x') }],
    ] as const)
      expect(
        await createLimit({ scope: scopeOf(consumer), ...changes }),
        JSON.stringify(changes),
      ).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', param } },
      });
    const both = { each: 'team', in: { organization: true, customer: consumer.customerId } };
    expect(await createLimit({ scope: both })).toMatchObject({
      body: { error: { param: 'scope.in', message: expect.stringContaining('exactly one') } },
    });
    expect(await countOfLimits()).toBe(before);
    for (const asset of ['credits', 'usd']) await limit({ ...drawn, asset, scope: scopeOf(consumer) });
    await limit({ scope: scopeOf(consumer), currency: null, asset: null });
    const id = await limit({
      scope: scopeOf(consumer),
      amount: null,
      action: 'notify',
      thresholds: [{ amount: 5 }],
    });
    expect(await shop.rest('PATCH', `/limits/${id}`, { action: 'block' })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param: 'amount' } },
    });
  });

  test('are rejected for raises with the name of the input', async () => {
    const consumer = await overageConsumer();
    const observing = await limit({
      scope: scopeOf(consumer),
      amount: null,
      action: 'notify',
      thresholds: [{ amount: 5 }],
    });
    expect(await shop.rest('POST', `/limits/${observing}/raises`, { amount: 1 })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param: 'amount' } },
    });
    const id = await limit({ scope: scopeOf(consumer), window: { kind: 'month' } });
    const { customerId } = consumer;
    const node = { customer: customerId, budget: 'team:unknown' };
    expect(await shop.rest('POST', `/limits/${id}/raises`, { amount: 1, node })).toMatchObject({
      body: { error: { param: 'node.budget' } },
    });
    const template = await limit({ scope: { each: 'team', in: { customer: customerId } } });
    expect(await shop.rest('POST', `/limits/${template}/raises`, { amount: 1, node })).toMatchObject({
      status: 404,
      body: { error: { param: 'node.budget' } },
    });
    const { body } = await shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'customer:x' });
    expect(body['error']).toMatchObject({ param: 'key', message: expect.stringContaining('reserved') });
  });
});

describe('texts', () => {
  test('describe limits, archived parents, and windows without a start', async () => {
    const consumer = await overageConsumer();
    await budget(consumer, 'team:eu');
    await budget(consumer, 'key:1', 'team:eu');
    await shop.rest('DELETE', `/customers/${consumer.customerId}/budgets/${encodeURIComponent('team:eu')}`);
    const { body } = await track(consumer, { budget: 'key:1' });
    expect(body['error']).toMatchObject({
      message: 'The budget or a budget above the budget is archived. Name another budget.',
      details: { reason: 'budget_archived' },
    });
    await limit({ scope: scopeOf(consumer), window: { kind: 'lifetime' }, amount: 1 });
    expect((await track(consumer)).status).toBe(200);
    const window = { kind: 'lifetime', start: null, end: null };
    expect((await track(consumer)).body['error']).toMatchObject({ details: { limits: [{ window }] } });
    const states = await shop.rest('GET', `/customers/${consumer.customerId}/limits`);
    expect(states.body['data']).toMatchObject([{ used: '1', window }]);
    const [reached] = await t.app.database.query<{ data: Json }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind = 'limit.reached'`,
      [t.sandboxId, consumer.customerId],
    );
    expect(reached?.data).toMatchObject({ windowStart: null, windowEnd: null });
    for (const code of ['included_limit_reached', 'insufficient_credits', 'insufficient_balance']) {
      const page = await fetch(`${t.url}/docs/api-reference/2026-08-27/errors/${code}.md`);
      const text = await page.text();
      expect(text).toContain('the usage exceeds a limit');
      expect(text).toContain('`limit_reached`');
    }
  });
});

describe('a limit that requires approvals', () => {
  test('needs a total that is known immediately, like a limit that blocks', async () => {
    const consumer = await overageConsumer();
    const { code } = consumer.feature;
    await shop.rest('PUT', `/features/${code}/meter`, { aggregation: 'percentile', percentile: 95 });
    for (const action of ['block', 'approve'])
      expect(
        await createLimit({
          scope: scopeOf(consumer),
          measure: 'units',
          filter: { features: [code] },
          action,
        }),
      ).toMatchObject({ status: 400, body: { error: { details: { reason: 'not_known_at_once' } } } });
  });

  test('states whether it rejects a checked quantity', async () => {
    const consumer = await overageConsumer();
    await limit({ scope: scopeOf(consumer), amount: 0, action: 'approve' });
    await limit({ scope: scopeOf(consumer), amount: 0, action: 'notify', measure: 'calls' });
    const { usageCheck } = await t.graphql<{ usageCheck: { limits: Json[] } }>(
      'query ($input: UsageCheckInput!) { usageCheck(input: $input) { ... on MeteredUsageCheck { limits { action rejects } } } }',
      { input: { ...of(consumer), quantity: 1 } },
    );
    expect(usageCheck.limits).toEqual([
      { action: 'approve', rejects: true },
      { action: 'notify', rejects: false },
    ]);
  });
});

test('limits of single customers and budgets can be listed without templates and shared limits', async () => {
  const consumer = await overageConsumer();
  const own = [
    await limit({ scope: scopeOf(consumer) }),
    await limit({ scope: scopeOf(consumer, 'team:eu') }),
  ];
  const others = [
    await limit({ scope: { each: 'team', in: { customer: consumer.customerId } } }),
    await limit({ scope: { plan: consumer.planId } }),
  ];
  const listed = async (query: string): Promise<string[]> =>
    ((await shop.rest('GET', `/limits?limit=100&${query}`)).body['data'] as { id: string }[]).map(
      ({ id }) => id,
    );
  const single = await listed('single=true');
  expect(single).toEqual(expect.arrayContaining(own));
  expect(single.filter((id) => others.includes(id))).toEqual([]);
  expect((await listed(`single=true&customerId=${consumer.customerId}`)).toSorted()).toEqual(own.toSorted());
  for (const id of others) await shop.rest('DELETE', `/limits/${id}`);
});

describe('amounts and keys out of their bounds', () => {
  test('are rejected for limits and raises, and change nothing', async () => {
    const consumer = await overageConsumer();
    const id = await limit({ scope: scopeOf(consumer) });
    const stored = () =>
      t.app.database.query(
        `SELECT (SELECT json_agg(l ORDER BY seq) FROM "Limit" l WHERE "environmentId" = $1) AS limits,
           (SELECT count(*)::int FROM "LimitRaise" WHERE "environmentId" = $1) AS raises`,
        [t.sandboxId],
      );
    const before = await stored();
    const amount = Number.MAX_SAFE_INTEGER + 1;
    const rejected = { status: 400, body: { error: { code: 'validation_error', param: 'amount' } } };
    expect(await createLimit({ scope: scopeOf(consumer), amount })).toMatchObject(rejected);
    expect(await shop.rest('PATCH', `/limits/${id}`, { amount })).toMatchObject(rejected);
    expect(await shop.rest('POST', `/limits/${id}/raises`, { amount })).toMatchObject(rejected);
    expect(await stored()).toEqual(before);
    await limit({ scope: scopeOf(consumer), amount: Number.MAX_SAFE_INTEGER });
  });

  test('are rejected for budgets, and for usage and limits that name a budget', async () => {
    const consumer = await overageConsumer();
    const { customerId } = consumer;
    await limit({ scope: { each: 'team', in: { customer: customerId } } });
    const other = await overageConsumer();
    await budget(other, 'team:other');
    await budget(consumer, 'team:eu');
    const stored = () =>
      t.app.database.query(
        `SELECT (SELECT json_agg(b ORDER BY seq) FROM "Budget" b WHERE "environmentId" = $1) AS budgets,
           (SELECT count(*)::int FROM "Limit" WHERE "environmentId" = $1) AS limits,
           (SELECT count(*)::int FROM "UsageEvent" WHERE "environmentId" = $1) AS events`,
        [t.sandboxId],
      );
    const before = await stored();
    const rejected = (param: string) => ({
      status: 400,
      body: { error: { code: 'validation_error', param } },
    });
    const base = `/customers/${customerId}/budgets`;
    for (const control of ['\u0000', '\n', '\u007f', '\u0085']) {
      const key = `team:a${control}b`;
      expect(await shop.rest('POST', base, { key }), JSON.stringify(key)).toMatchObject(rejected('key'));
      expect(await track(consumer, { budget: key }), JSON.stringify(key)).toMatchObject(rejected('budget'));
      expect(await createLimit({ scope: scopeOf(consumer, key) }), JSON.stringify(key)).toMatchObject(
        rejected('scope.budget'),
      );
    }
    // The parent must be a budget of the same customer.
    expect(await shop.rest('POST', base, { key: 'key:a', parentKey: 'team:other' })).toMatchObject(
      rejected('parentKey'),
    );
    expect(await shop.rest('PATCH', `${base}/team%3Aeu`, { parentKey: 'team:other' })).toMatchObject(
      rejected('parentKey'),
    );
    expect(await stored()).toEqual(before);
  });
});
