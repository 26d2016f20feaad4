import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { createCustomer, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Tests how many budgets a customer can have, and which templates create budgets.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const track = (consumer: Consumer, body: Json) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), ...body });

const createBudget = (customerId: string, body: Json) =>
  shop.rest('POST', `/customers/${customerId}/budgets`, body);

/** Creates a template for budgets of the kind `agent` of a customer, and returns its ID. */
async function agentLimit({ customerId }: Consumer, body: Json = {}): Promise<string> {
  const answer = await shop.rest('POST', '/limits', {
    scope: { each: 'agent', in: { customer: customerId } },
    measure: 'calls',
    window: { kind: 'day' },
    action: 'block',
    amount: 5,
    ...body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body['id']);
}

/** Inserts budgets with the keys `team:1` to `team:<count>`. */
const insertBudgets = (customerId: string, count: number) =>
  t.app.database.query(
    `INSERT INTO "Budget" ("environmentId", id, seq, "customerId", key, metadata, "createdAt", "updatedAt")
       SELECT $1, 'bud_' || $2 || n, n, $2, 'team:' || n, '{}', now(), now() FROM generate_series(1, $3) n`,
    [t.sandboxId, customerId, count],
  );

/** Returns the numbers of a customer's budgets, usage events, holds, and gauges. */
async function rowsOf(customerId: string): Promise<Json> {
  const count = (table: string) =>
    `(SELECT count(*)::int FROM "${table}" WHERE "environmentId" = $1 AND "customerId" = $2)`;
  const [row = {}] = await t.app.database.query<Json>(
    `SELECT ${count('Budget')} AS budgets, ${count('UsageEvent')} AS events, ${count('UsageHold')} AS holds, ${count('LimitState')} AS states`,
    [t.sandboxId, customerId],
  );
  return row;
}

const tooMany = {
  status: 400,
  body: {
    error: {
      code: 'validation_error',
      param: 'budget',
      message: 'A customer can have up to 10,000 budgets.',
      details: { reason: 'too_many_budgets' },
    },
  },
};

describe('a customer with 10,000 budgets', () => {
  test("can't create another budget", async () => {
    const { id } = await createCustomer(shop);
    await insertBudgets(id, 9_999);
    expect((await createBudget(id, { key: 'agent:last' })).status).toBe(201);
    const before = await rowsOf(id);
    expect(before).toMatchObject({ budgets: 10_000 });
    const rejected = await createBudget(id, { key: 'agent:over' });
    expect(rejected).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param: 'key' } },
    });
    expect(JSON.stringify(rejected.body)).toContain('A customer can have up to 10,000 budgets.');
    expect(await rowsOf(id)).toEqual(before);
  });

  test('gets no budget from usage and holds with a new key', async () => {
    const consumer = await createConsumer(shop);
    const { customerId } = consumer;
    await agentLimit(consumer);
    await insertBudgets(customerId, 9_999);
    expect(await track(consumer, { budget: 'agent:last' })).toMatchObject({ status: 200 });
    const before = await rowsOf(customerId);
    expect(before).toEqual({ budgets: 10_000, events: 1, holds: 0, states: 1 });
    expect(await track(consumer, { budget: 'agent:over' })).toMatchObject(tooMany);
    const hold = { ...of(consumer), estimate: { value: 1 }, budget: 'agent:over' };
    expect(await shop.rest('POST', '/usage/holds', hold)).toMatchObject(tooMany);
    const check = await shop.rest('POST', '/usage/check', { ...of(consumer), budget: 'agent:over' });
    expect(check).toMatchObject(tooMany);
    expect(await track(consumer, { budget: 'team:unknown' })).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'unknown_budget' } } },
    });
    expect(await rowsOf(customerId)).toEqual(before);
    expect(await track(consumer, { budget: 'agent:last' })).toMatchObject({ status: 200 });
    expect(await track(consumer, { budget: 'team:7' })).toMatchObject({ status: 200 });
  });

  test('gets the budgets of a batch up to the maximum', async () => {
    const consumer = await createConsumer(shop);
    const { customerId } = consumer;
    await agentLimit(consumer, { measure: 'units', filter: { features: [of(consumer).featureCode] } });
    await insertBudgets(customerId, 9_999);
    const batch = await shop.rest('POST', '/usage/events/batch', {
      // The first event is above the amount of the limit, and creates no budget.
      events: [
        { ...of(consumer), value: 6, budget: 'agent:a' },
        { ...of(consumer), value: 1, budget: 'agent:b' },
        { ...of(consumer), value: 1, budget: 'agent:a' },
        { ...of(consumer), value: 1, budget: 'agent:b' },
      ],
    });
    expect(batch.body['results']).toMatchObject([
      { index: 0, details: { reason: 'limit_reached' } },
      { index: 1, event: { budget: 'agent:b' } },
      { index: 2, code: 'validation_error', details: { reason: 'too_many_budgets' } },
      { index: 3, event: { budget: 'agent:b' } },
    ]);
    expect(await rowsOf(customerId)).toMatchObject({ budgets: 10_000, events: 2 });
  });

  test('gets no more budgets from concurrent usage', async () => {
    const consumer = await createConsumer(shop);
    await agentLimit(consumer);
    await insertBudgets(consumer.customerId, 9_998);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => track(consumer, { budget: `agent:${n}` })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400, 400]);
    expect(await rowsOf(consumer.customerId)).toMatchObject({ budgets: 10_000, events: 2 });
  });
});

test("a template creates budgets only while it's valid", async () => {
  const consumer = await createConsumer(shop);
  const { customerId } = consumer;
  const id = await agentLimit(consumer);
  expect(await track(consumer, { budget: 'agent:1' })).toMatchObject({ status: 200 });
  const now = new Date();
  const ended = await shop.rest('PATCH', `/limits/${id}`, { validUntil: now.toISOString() });
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  await agentLimit(consumer, { validFrom: new Date(now.getTime() + 3_600_000).toISOString() });
  const before = await rowsOf(customerId);
  expect(await track(consumer, { budget: 'agent:2' })).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', param: 'budget', details: { reason: 'unknown_budget' } } },
  });
  expect(await rowsOf(customerId)).toEqual(before);
  expect(await track(consumer, { budget: 'agent:1' })).toMatchObject({ status: 200 });
});
