import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  type Consumer,
  createAiConsumer,
  createBalanceConsumer,
  createConsumer,
  listModel,
  of,
} from '../../../support/consumers.ts';
import { otherShop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

// Invalid requests about limits, budgets, holds, and automatic top-ups. REST, GraphQL, and MCP reject them alike and change nothing.

let t: TestApp;
let limits: LimitRequests;
let client: Client;
let world: World;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
  client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${t.sandboxKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), { requestInit }));
  world = await createWorld();
});
afterAll(async () => {
  await client.close();
  await t.close();
});

/** REST routes by mutation. Names in braces are inputs. */
const routes = {
  budgetCreate: 'POST /customers/{customerId}/budgets',
  budgetUpdate: 'PATCH /customers/{customerId}/budgets/{key}',
  limitCreate: 'POST /limits',
  usageHold: 'POST /usage/holds',
  usageHoldExtend: 'POST /usage/holds/{id}/extend',
  usageSettle: 'POST /usage/holds/{id}/settle',
  autoTopUpSet: 'PUT /customers/{customerId}/auto-top-up',
} as const;
type Mutation = keyof typeof routes;

type Result =
  | { readonly code: string; readonly param: unknown; readonly reason: unknown }
  | { readonly id: unknown };

const failure = ({ code, param, details }: Json): Result => ({
  code: String(code),
  param,
  reason: (details as Json | undefined)?.['reason'],
});

async function overRest(mutation: Mutation, input: Json): Promise<Result> {
  const [method = '', route = ''] = routes[mutation].split(' ');
  const body = { ...input };
  const path = route.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = encodeURIComponent(String(body[name]));
    delete (body as Record<string, unknown>)[name];
    return value;
  });
  const answer = await limits.shop.rest(method, path, body);
  return answer.status < 300 ? { id: answer.body['id'] } : failure(answer.body['error'] as Json);
}

async function overGraphql(mutation: Mutation, input: Json): Promise<Result> {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': t.sandboxKey },
    body: JSON.stringify({
      query: `mutation ($input: ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { id } }`,
      variables: { input },
    }),
  });
  const { data, errors } = (await response.json()) as {
    data?: Record<string, Json>;
    errors?: readonly { extensions: Json }[];
  };
  const [error] = errors ?? [];
  return error === undefined ? { id: data?.[mutation]?.['id'] } : failure(error.extensions);
}

async function overMcp(mutation: Mutation, { customerId, ...input }: Json): Promise<Result> {
  // Tools name the inputs of a path like REST.
  const customer = routes[mutation].includes('/customers/') ? { id: customerId } : { customerId };
  const operation = mutation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { structuredContent, isError } = await client.callTool({
    name: 'call_operation',
    arguments: { operation, arguments: { ...customer, ...input } },
  });
  const content = structuredContent as Json;
  return isError === true ? failure(content['error'] as Json) : { id: content['id'] };
}

const doors = [
  ['REST', overRest],
  ['GraphQL', overGraphql],
  ['MCP', overMcp],
] as const;

type World = {
  readonly consumer: Consumer;
  readonly percentile: Consumer;
  readonly unique: Consumer;
  readonly ai: Consumer;
  readonly balance: Consumer;
  readonly unpaid: Consumer;
  /** Customer with 8 limits. */
  readonly full: Consumer;
  /** Limit that isn't a template. */
  readonly single: string;
  readonly open: string;
  readonly settled: string;
  readonly released: string;
  readonly expired: string;
  /** Open hold that was opened 6.5 days ago. */
  readonly old: string;
  readonly foreign: string;
};

const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

async function createHold(consumer: Consumer, shop = limits.shop): Promise<string> {
  const body = { ...of(consumer), estimate: { value: 10 }, expiresIn: 86_400 };
  const answer = await shop.rest('POST', '/usage/holds', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body['id']);
}

async function createWorld(): Promise<World> {
  const { shop } = limits;
  const create = (meter?: Json) => createConsumer(shop, { terms, ...(meter === undefined ? {} : { meter }) });
  const [consumer, full, ai, balance, unpaid] = [
    await create(),
    await create(),
    await createAiConsumer(shop),
    await createBalanceConsumer(shop),
    await createBalanceConsumer(shop),
  ];
  await listModel(shop);
  const calls = { measure: 'calls', amount: 1_000_000 };
  for (let count = 0; count < 8; count++)
    await limits.limit({ ...calls, scope: { customer: full.customerId } });
  const { id: single } = await limits.limit({ ...calls, scope: { customer: consumer.customerId } });
  const budgets = `/customers/${consumer.customerId}/budgets`;
  for (const [key, parentKey] of [['a'], ['b', 'a'], ['c', 'b'], ['d', 'c']] as const)
    await shop.rest('POST', budgets, {
      key: `team:${key}`,
      ...(parentKey === undefined ? {} : { parentKey: `team:${parentKey}` }),
    });
  await shop.rest('POST', `/customers/${full.customerId}/budgets`, { key: 'team:other' });
  const query = (text: string, ids: readonly string[]) => t.app.database.query(text, [t.sandboxId, ids]);
  await query(
    `UPDATE "PaymentMethod" SET "removedAt" = now() WHERE "environmentId" = $1 AND "customerId" = ANY($2)`,
    [unpaid.customerId],
  );
  await query(
    `UPDATE "Subscription" SET "paymentMethodId" = NULL WHERE "environmentId" = $1 AND "customerId" = ANY($2)`,
    [unpaid.customerId],
  );
  const settled = await createHold(consumer);
  await shop.rest('POST', `/usage/holds/${settled}/settle`, { value: 4 });
  const released = await createHold(consumer);
  await shop.rest('POST', `/usage/holds/${released}/release`, {});
  const expired = await createHold(consumer);
  await query(
    `UPDATE "UsageHold" SET status = 'expired', "dueAt" = NULL, "endedAt" = now() - interval '73 hours', "expiresAt" = now() - interval '73 hours'
     WHERE "environmentId" = $1 AND id = ANY($2)`,
    [expired],
  );
  const old = await createHold(consumer);
  await query(
    `UPDATE "UsageHold" SET "createdAt" = now() - interval '6 days 12 hours' WHERE "environmentId" = $1 AND id = ANY($2)`,
    [old],
  );
  const other = await otherShop(t);
  return {
    ...{ consumer, full, ai, balance, unpaid, single, settled, released, expired, old },
    percentile: await create({ aggregation: 'percentile', percentile: 95 }),
    unique: await create({ aggregation: 'unique', property: 'user' }),
    open: await createHold(consumer),
    foreign: await createHold(await createConsumer(other, { terms }), other),
  };
}

type Case = readonly [
  name: string,
  mutation: Mutation,
  inputOf: (world: World) => Json,
  expected: { readonly code?: string; readonly param?: string; readonly reason?: string },
];

const budget =
  (input: Json) =>
  ({ consumer }: World) => ({ customerId: consumer.customerId, ...input });
const limit =
  (input: Json) =>
  ({ consumer }: World): Json => ({
    ...{ scope: { customer: consumer.customerId }, measure: 'calls', action: 'block' },
    ...{ amount: 1, window: { kind: 'day' } },
    ...input,
  });
const hold =
  (input: Json) =>
  ({ consumer }: World): Json => ({ ...of(consumer), estimate: { value: 1 }, ...input });
const topUp =
  (input: Json) =>
  ({ balance }: World): Json => ({
    ...{ customerId: balance.customerId, threshold: 10_000, refill: { amount: 2_000 } },
    ...{ maxAmountPerMonth: 20_000, consentReference: 'contract-7' },
    ...input,
  });
const param = (name: string) => ({ param: name });

const cases: readonly Case[] = [
  ['a cycle of budgets', 'budgetUpdate', budget({ key: 'team:a', parentKey: 'team:c' }), param('parentKey')],
  [
    'a parent of another customer',
    'budgetCreate',
    budget({ key: 'key:1', parentKey: 'team:other' }),
    param('parentKey'),
  ],
  [
    'a fifth level of budgets',
    'budgetCreate',
    budget({ key: 'key:1', parentKey: 'team:d' }),
    param('parentKey'),
  ],
  ...['team', ':x', 'Team:eu', `team:${'x'.repeat(181)}`, 'team:a\u0007b'].map(
    (key): Case => [
      `the key ${JSON.stringify(key).slice(0, 20)}`,
      'budgetCreate',
      budget({ key }),
      param('key'),
    ],
  ),
  [
    'a window of 0 minutes',
    'limitCreate',
    limit({ window: { kind: 'rolling', minutes: 0 } }),
    param('window.minutes'),
  ],
  [
    'a window above 31 days',
    'limitCreate',
    limit({ window: { kind: 'session', minutes: 44_641 } }),
    param('window.minutes'),
  ],
  ['an unknown kind of window', 'limitCreate', limit({ window: { kind: 'second' } }), param('window.kind')],
  [
    'an unknown time zone',
    'limitCreate',
    limit({ window: { kind: 'day', timeZone: 'Mars/Olympus' } }),
    param('window.timeZone'),
  ],
  [
    'a rolling window of the organization',
    'limitCreate',
    limit({ scope: { organization: true }, window: { kind: 'rolling', minutes: 60 } }),
    param('window.kind'),
  ],
  ['a negative amount', 'limitCreate', limit({ amount: -1 }), param('amount')],
  ['a fractional amount', 'limitCreate', limit({ amount: 1.5 }), param('amount')],
  ['an amount above the largest integer', 'limitCreate', limit({ amount: 2 ** 53 }), param('amount')],
  [
    'unsorted thresholds',
    'limitCreate',
    limit({ thresholds: [{ amount: 5 }, { amount: 2 }] }),
    param('thresholds.1'),
  ],
  [
    'repeated thresholds',
    'limitCreate',
    limit({ thresholds: [{ amount: 2 }, { amount: 2 }] }),
    param('thresholds.1'),
  ],
  [
    'eleven thresholds',
    'limitCreate',
    limit({ thresholds: Array.from({ length: 11 }, (_none, index) => ({ amount: index + 1 })) }),
    param('thresholds'),
  ],
  [
    'a ninth limit',
    'limitCreate',
    (all) => limit({ scope: { customer: all.full.customerId } })(all),
    param('scope'),
  ],
  [
    'units of two features',
    'limitCreate',
    (all) =>
      limit({ measure: 'units', filter: { features: [all.consumer.feature.code, all.full.feature.code] } })(
        all,
      ),
    param('filter.features'),
  ],
  [
    'blocked units of a percentile',
    'limitCreate',
    (all) => limit({ measure: 'units', filter: { features: [all.percentile.feature.code] } })(all),
    { reason: 'not_known_at_once' },
  ],
  [
    'a replacement of a limit that is no template',
    'limitCreate',
    (all) => limit({ replaces: all.single })(all),
    param('replaces'),
  ],
  ['spend without a currency', 'limitCreate', limit({ measure: 'spend' }), param('currency')],
  ['a refill up to the threshold', 'autoTopUpSet', topUp({ threshold: 200_000 }), param('refill')],
  [
    'a month below one refill',
    'autoTopUpSet',
    topUp({ maxAmountPerMonth: 1_999 }),
    param('maxAmountPerMonth'),
  ],
  ['a top-up without consent', 'autoTopUpSet', topUp({ consentReference: undefined }), param('consent')],
  [
    'a top-up without a payment method',
    'autoTopUpSet',
    (all) => topUp({ customerId: all.unpaid.customerId })(all),
    { code: 'no_payment_method' },
  ],
  ['an estimate of 0', 'usageHold', hold({ estimate: { value: 0 } }), param('estimate')],
  ['a lifetime of 0', 'usageHold', hold({ expiresIn: 0 }), param('expiresIn')],
  ['a lifetime above a day', 'usageHold', hold({ expiresIn: 86_401 }), param('expiresIn')],
  [
    'an unknown model',
    'usageHold',
    (all) => ({ ...of(all.ai), estimate: { model: 'none/none', inputTokens: 1, outputTokens: 1 } }),
    { code: 'model_not_found' },
  ],
  [
    'a feature that counts distinct values',
    'usageHold',
    (all) => hold(of(all.unique))(all),
    param('featureCode'),
  ],
  [
    'an extension above a day',
    'usageHoldExtend',
    ({ open }) => ({ id: open, expiresIn: 86_401 }),
    param('expiresIn'),
  ],
  [
    'an extension past 7 days',
    'usageHoldExtend',
    ({ old }) => ({ id: old, expiresIn: 86_400 }),
    param('expiresIn'),
  ],
  [
    'a settlement with another quantity',
    'usageSettle',
    ({ settled }) => ({ id: settled, value: 5 }),
    { code: 'duplicate', reason: 'hold_settled' },
  ],
  [
    'a settlement after the release',
    'usageSettle',
    ({ released }) => ({ id: released, value: 1 }),
    { code: 'duplicate', reason: 'hold_released' },
  ],
  [
    'a settlement after 72 hours',
    'usageSettle',
    ({ expired }) => ({ id: expired, value: 1 }),
    { reason: 'hold_too_late' },
  ],
  [
    "a settlement of another organization's hold",
    'usageSettle',
    ({ foreign }) => ({ id: foreign, value: 1 }),
    { code: 'not_found' },
  ],
  [
    'a quantity that no invoice can contain',
    'usageSettle',
    ({ open }) => ({ id: open, value: 2 ** 53 - 1 }),
    param('value'),
  ],
  [
    'cached tokens above all input tokens',
    'usageHold',
    (all) => ({
      ...of(all.ai),
      estimate: {
        model: 'acme/large',
        inputTokens: 1,
        outputTokens: 1,
        cacheReadTokens: 2,
        inputIncludesCache: true,
      },
    }),
    param('inputTokens'),
  ],
];

describe('invalid requests', () => {
  test.each(cases)(
    'are rejected alike by REST, GraphQL, and MCP: %s',
    async (_name, mutation, inputOf, expected) => {
      const changes = await watchChanges(t.app.database.query);
      for (const [door, send] of doors)
        expect(await send(mutation, inputOf(world)), door).toMatchObject({
          code: 'validation_error',
          ...expected,
        });
      expect(await changes()).toEqual([]);
    },
  );
});

describe('valid requests', () => {
  test('return the same settlement if it is repeated', async () => {
    const changes = await watchChanges(t.app.database.query);
    const results = [];
    for (const [, send] of doors) results.push(await send('usageSettle', { id: world.settled, value: 4 }));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]).toEqual({ id: expect.stringMatching(/^evt_/) });
    expect(await changes()).toEqual([]);
  });

  test('create spend caps of 0', async () => {
    for (const [, send] of doors) {
      const consumer = await createConsumer(limits.shop, { terms });
      const cap = { measure: 'spend', currency: 'usd', amount: 0, window: { kind: 'usage_window' } };
      const scope = { customer: consumer.customerId };
      expect(await send('limitCreate', { ...cap, scope, action: 'block' })).toEqual({
        id: expect.stringMatching(/^lim_/),
      });
      expect(await limits.rejected(consumer, { value: 1 })).toMatchObject({
        code: 'included_limit_reached',
        details: { reason: 'limit_reached' },
      });
    }
  });
});
