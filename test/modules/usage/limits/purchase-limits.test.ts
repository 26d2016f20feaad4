import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards } from '../../../support/billing-world.ts';
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
  // The other tests have separate limits.
  expect((await shop.rest('DELETE', `/limits/${String(created.body['id'])}`)).status).toBe(200);
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

describe('a limit on the money of purchases', () => {
  const money = { measure: 'money', window: { kind: 'month' }, action: 'block' };

  it("holds the price with tax before the payment, and doesn't count declined cards (LIM-25, LIM-69)", async () => {
    const creditPackId = (await createCreditPack(shop)).id;
    const { customerId, subscriptionId } = await createCreditsConsumer(shop);
    const created = await shop.rest('POST', '/limits', {
      scope: { customer: customerId },
      ...money,
      currency: 'usd',
      amount: 5_000,
      thresholds: [{ bps: 5_000 }],
    });
    expect([created.status, created.body]).toMatchObject([
      201,
      { currency: 'usd', filter: { operations: [] } },
    ]);
    const purchase = () =>
      shop.rest<Failure>('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId });
    expect((await purchase()).status).toBe(200);
    expect((await purchase()).status).toBe(200);
    const third = await purchase();
    expect([third.status, third.body.error]).toMatchObject([
      429,
      {
        code: 'rate_limited',
        details: {
          reason: 'limit_reached',
          limits: [
            {
              measure: 'money',
              unit: 'usd',
              amount: '50',
              used: '50',
              asked: '25',
              remaining: '0',
              raise: '0',
            },
          ],
        },
      },
    ]);
    const { body } = await shop.rest<{ data: object[] }>(
      'GET',
      `/limit-crossings?limitId=${String(created.body['id'])}`,
    );
    expect(body.data).toMatchObject([
      { kind: 'reached', cause: 'amount', threshold: '50', value: '50', customer: { id: customerId } },
      { kind: 'threshold', threshold: '25', value: '25' },
    ]);
    const raise = await shop.rest('POST', `/limits/${String(created.body['id'])}/raises`, { amount: 2_500 });
    expect([raise.status, raise.body]).toMatchObject([201, { amount: 2_500, customer: { id: customerId } }]);
    expect((await purchase()).status).toBe(200);
    expect((await purchase()).body.error.details['limits']).toMatchObject([{ raise: '25', used: '75' }]);
  });

  it('does not count the money of a declined card', async () => {
    const creditPackId = (await createCreditPack(shop)).id;
    const { customerId, subscriptionId } = await createCreditsConsumer(shop, 640, 7, cards.declinesLater);
    const created = await shop.rest('POST', '/limits', {
      scope: { customer: customerId },
      ...money,
      currency: 'usd',
      amount: 5_000,
    });
    expect(created.status).toBe(201);
    const purchase = () =>
      shop.rest<Failure>('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId });
    for (const _time of [1, 2, 3]) expect((await purchase()).status).toBe(402);
    const [row] = await t.app.database.query<{ gauges: Record<string, { used: string }> }>(
      'SELECT gauges FROM "OperationGauges" WHERE id = $1',
      [customerId],
    );
    expect(Object.values(row?.gauges ?? {}).map(({ used }) => used)).toEqual([]);
  });

  it('is converted at the rate of the day on which the window opens, and does not apply without a rate (LIM-25)', async () => {
    const creditPackId = (await createCreditPack(shop)).id;
    const { customerId, subscriptionId } = await createCreditsConsumer(shop);
    const created = await shop.rest('POST', '/limits', {
      scope: { customer: customerId },
      ...money,
      window: { kind: 'rolling', minutes: 60 },
      amounts: [{ currency: 'eur', amount: 4_000 }],
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const purchase = () =>
      shop.rest<Failure>('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId });
    expect((await purchase()).status).toBe(200);
    const { testClock } = await t.graphql<{ testClock: { now: string } }>('{ testClock { now } }');
    const day = testClock.now.slice(0, 10);
    await shop.rest('PUT', '/fx-rates', { currency: 'eur', day, unitsPerUsd: 80_000_000 });
    expect((await purchase()).status).toBe(200);
    expect((await purchase()).status).toBe(200);
    expect((await purchase()).body.error.details['limits']).toMatchObject([
      { unit: 'usd', amount: '50', used: '50', asked: '25' },
    ]);
  });

  it('rejects windows, actions, and operations that it does not have', async () => {
    const { customerId } = await createCreditsConsumer(shop);
    const paramOf = async (changes: object) => {
      const { body } = await shop.rest('POST', '/limits', {
        scope: { customer: customerId },
        ...money,
        currency: 'usd',
        amount: 1,
        ...changes,
      });
      return (body as unknown as { error: { param: string } }).error.param;
    };
    expect(await paramOf({ currency: undefined })).toBe('currency');
    expect(await paramOf({ filter: { operations: ['refundCreate'] } })).toBe('filter.operations');
    expect(await paramOf({ filter: { features: ['api_calls'] } })).toBe('filter.operations');
    expect(await paramOf({ action: 'approve' })).toBe('action');
    expect(await paramOf({ window: { kind: 'usage_window' } })).toBe('window.kind');
    expect(await paramOf({ scope: { organization: true } })).toBe('measure');
  });
});
