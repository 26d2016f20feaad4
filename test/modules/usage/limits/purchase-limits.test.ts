import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCreditsConsumer } from '../../../support/consumers.ts';
import { advanceDays, createCreditPack, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

type Failure = {
  readonly error: { readonly code: string; readonly details: Readonly<Record<string, unknown>> };
};

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

it('limits the purchases of each customer per day, and does not count declined cards or usage (LIM-69)', async () => {
  const created = await shop.rest('POST', '/limits', {
    scope: { each: 'customer', in: { organization: true } },
    measure: 'calls',
    filter: { operations: ['credits_purchase'] },
    window: { kind: 'day' },
    amount: 3,
    action: 'block',
  });
  expect([created.status, created.body]).toMatchObject([
    201,
    { filter: { operations: ['credits_purchase'] } },
  ]);
  const creditPackId = (await createCreditPack(shop)).id;
  const [one, other] = [await createCreditsConsumer(shop), await createCreditsConsumer(shop)];
  const purchase = ({ subscriptionId }: { readonly subscriptionId: string }) =>
    shop.rest<Failure>('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId });
  const missing = await shop.rest('POST', `/subscriptions/${one.subscriptionId}/credits`, {
    creditPackId: 'cpk_none',
  });
  expect(missing.status).toBe(404);
  for (const _time of [1, 2, 3]) expect((await purchase(one)).status).toBe(200);
  const fourth = await purchase(one);
  expect([fourth.status, fourth.body.error]).toMatchObject([
    429,
    {
      code: 'rate_limited',
      details: { reason: 'limit_reached', limits: [{ used: '3', amount: '3', unit: 'calls' }] },
    },
  ]);
  const { testClock } = await t.graphql<{ testClock: { now: string } }>('{ testClock { now } }');
  const [{ fitsAt } = {}] = fourth.body.error.details['limits'] as { fitsAt?: string }[];
  const seconds = (Date.parse(fitsAt ?? '') - Date.parse(testClock.now)) / 1_000;
  const stated = Number(fourth.headers.get('Retry-After'));
  expect(fitsAt).toMatch(/T00:00:00.000Z$/);
  expect(stated).toBeGreaterThanOrEqual(seconds);
  expect(stated).toBeLessThan(seconds + 60);
  const { errors } = await t.graphqlFailure(
    'mutation ($input: SubscriptionCreditsPurchaseInput!) { subscriptionCreditsPurchase(input: $input) { __typename } }',
    { input: { subscriptionId: one.subscriptionId, creditPackId } },
  );
  expect(errors[0]?.extensions).toMatchObject({ code: 'rate_limited', status: 429 });
  const extension = errors[0]?.extensions['retryAfter'];
  expect(extension).toBeLessThanOrEqual(stated);
  expect(extension).toBeGreaterThan(stated - 60);
  expect((await purchase(other)).status).toBe(200);
  await advanceDays(shop, 1);
  expect((await purchase(one)).status).toBe(200);
});

it("stores no usage for a limit on operations, and omits it from the customer's limits (LIM-69)", async () => {
  const { customerId } = await createCreditsConsumer(shop);
  const { status, body } = await shop.rest('POST', '/limits', {
    scope: { customer: customerId },
    measure: 'calls',
    filter: { operations: ['credits_purchase'] },
    window: { kind: 'day' },
    amount: 3,
    action: 'block',
  });
  expect(status).toBe(201);
  expect(body).not.toHaveProperty('includesPastUsage');
  const states = await t.app.database.query('SELECT 1 FROM "LimitState" WHERE "customerId" = $1', [
    customerId,
  ]);
  expect(states).toEqual([]);
  const shown = await shop.rest('GET', `/customers/${customerId}/limits`);
  expect((shown.body['data'] as { limitId: string }[]).map(({ limitId }) => limitId)).not.toContain(
    body['id'],
  );
});
