import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { LimitRequests } from '../../../support/limit-requests.ts';

// Budgets of a customer, sorted by the used share of their limits.

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

type Page = {
  readonly data: readonly { readonly key: string }[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
};

const list = async ({ customerId }: Consumer, query = ''): Promise<Page> => {
  const { body } = await limits.shop.rest<Page>(
    'GET',
    `/customers/${customerId}/budgets?sort=used_share${query}`,
  );
  return body;
};

const keys = async (consumer: Consumer, query = ''): Promise<string[]> =>
  (await list(consumer, query)).data.map(({ key }) => key);

const addBudget = ({ customerId }: Consumer, key: string) =>
  limits.shop.rest('POST', `/customers/${customerId}/budgets`, { key });

const callLimit = ({ customerId }: Consumer, scope: object, amount: number | null, window = 'day') =>
  limits.limit({
    scope: { customer: customerId, ...scope },
    measure: 'calls',
    window: { kind: window },
    amount,
    action: 'notify',
    ...(amount === null && { thresholds: [{ amount: 1 }] }),
  });

async function use(consumer: Consumer, budget: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await limits.track(consumer, { value: 1, budget });
}

describe('budgets sorted by used share', () => {
  test('start with the highest share of their limits, and end with the newest budgets without usage', async () => {
    const consumer = await createConsumer(limits.shop);
    for (const key of ['team:unused', 'team:eu', 'team:us', 'team:free', 'team:new'])
      expect((await addBudget(consumer, key)).status).toBe(201);
    // 4 of 10 calls, or 2 of 3 calls.
    await callLimit(consumer, { budget: 'team:eu' }, 10);
    await callLimit(consumer, { budget: 'team:us' }, 100);
    await callLimit(consumer, { budget: 'team:us' }, 3, 'lifetime');
    await callLimit(consumer, { budget: 'team:free' }, null);
    await callLimit(consumer, { budget: 'team:unused' }, 1);
    await use(consumer, 'team:eu', 4);
    await use(consumer, 'team:us', 2);
    await use(consumer, 'team:free', 3);
    const sorted = ['team:us', 'team:eu', 'team:new', 'team:free', 'team:unused'];
    expect(await keys(consumer)).toEqual(sorted);
    expect(await keys(consumer, '&search=EU')).toEqual(['team:eu']);
    await use(consumer, 'team:eu', 3);
    expect((await keys(consumer)).slice(0, 2)).toEqual(['team:eu', 'team:us']);
    expect(
      (await limits.shop.rest('DELETE', `/customers/${consumer.customerId}/budgets/team:eu`)).status,
    ).toBe(200);
    expect(await keys(consumer)).toEqual(['team:us', 'team:new', 'team:free', 'team:unused']);
    expect(await keys(consumer, '&includeArchived=true')).toContain('team:eu');
  });

  test('are divided into pages, and reject the cursor of another order', async () => {
    const consumer = await createConsumer(limits.shop);
    await limits.limit({
      scope: { each: 'team', in: { customer: consumer.customerId } },
      measure: 'calls',
      window: { kind: 'day' },
      amount: 4,
      action: 'notify',
    });
    for (const [key, count] of [
      ['team:a', 1],
      ['team:b', 3],
      ['team:c', 3],
      ['team:d', 2],
    ] as const)
      await use(consumer, key, count);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Page = await list(consumer, `&limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      found.push(...page.data.map(({ key }) => key));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(['team:c', 'team:b', 'team:d', 'team:a']);
    const path = `/customers/${consumer.customerId}/budgets`;
    const other = await limits.shop.rest<Page>('GET', `${path}?sort=key&limit=1`);
    const own = await list(consumer, '&limit=1');
    for (const [sort, foreign] of [
      ['used_share', other.body.nextCursor],
      ['key', own.nextCursor],
      ['created_at', own.nextCursor],
    ])
      expect(await limits.failure('GET', `${path}?sort=${sort}&cursor=${foreign}`)).toMatchObject({
        code: 'validation_error',
        param: 'cursor',
      });
  });

  test('include all 10,000 budgets of a customer', async () => {
    const consumer = await createConsumer(limits.shop);
    await limits.limit({
      scope: { each: 'team', in: { customer: consumer.customerId } },
      measure: 'calls',
      window: { kind: 'lifetime' },
      amount: 20_000,
      action: 'notify',
    });
    await use(consumer, 'team:first', 1);
    // Copies the budget and its gauge with 2 to 10,000 calls.
    await t.app.database.query(
      `INSERT INTO "Budget" ("environmentId", id, seq, "customerId", key, metadata, "createdAt", "updatedAt")
         SELECT $1, b.id || n, b.seq + n, $2, 'team:' || n, '{}', b."createdAt", b."updatedAt" FROM "Budget" b, generate_series(2, 10000) n
         WHERE b."environmentId" = $1 AND b."customerId" = $2`,
      [t.sandboxId, consumer.customerId],
    );
    await t.app.database.query(
      `INSERT INTO "LimitState" ("environmentId", id, "customerId", gauges, reached)
         SELECT $1, s.id || n, $2, (SELECT jsonb_object_agg(key, value || jsonb_build_object('used', n::text)) FROM jsonb_each(s.gauges)), '{}'
         FROM "LimitState" s, generate_series(2, 10000) n
         WHERE s."environmentId" = $1 AND s.id = (SELECT id FROM "Budget" WHERE "environmentId" = $1 AND key = 'team:first' AND "customerId" = $2)`,
      [t.sandboxId, consumer.customerId],
    );
    // The rows were inserted without usage, so the database doesn't know their numbers yet.
    await t.app.database.query('ANALYZE "Budget", "LimitState"');
    const { data, hasMore } = await list(consumer, '&limit=50');
    expect(data.map(({ key }) => key)).toEqual(
      Array.from({ length: 50 }, (_, index) => `team:${10_000 - index}`),
    );
    expect(hasMore).toBe(true);
  });
});
