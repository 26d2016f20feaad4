import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, createCounter, of } from '../../../support/consumers.ts';
import { attachFeature, createFeature, firstShop, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { tablesRead } from '../../../support/statements.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Failure = {
  readonly error: { readonly code: string; readonly param?: string; readonly details?: unknown };
};
type Event = { readonly id: string; readonly previousBalance: number; readonly newBalance: number };

const add = (body: object) => shop.rest<Event & Failure>('POST', '/seats', body);
const remove = (body: object) => shop.rest<Event & Failure>('POST', '/seats/remove', body);
const set = (body: object) => shop.rest<Event & Failure>('PUT', '/seats', body);
const setAll = (body: object) =>
  shop.rest<{ readonly data: readonly Event[] } & Failure>('PUT', '/seats/bulk', body);

const balance = async ({ customerId, featureCode }: { customerId: string; featureCode: string }) =>
  (await shop.rest('GET', `/seats/balance?customerId=${customerId}&featureCode=${featureCode}`)).body;
const current = async (consumer: Consumer) => (await balance(of(consumer)))['current'];

/** Returns all rows related to a customer's counts: counts, count events, and sent events. */
const traces = (customerId: string) =>
  t.app.database.query(
    `SELECT 'count' AS kind, count::text AS value, "pendingRemovals"::text AS more FROM "FeatureCount" WHERE "environmentId" = $1 AND "customerId" = $2
     UNION ALL SELECT 'event', "previousBalance"::text, "newBalance"::text FROM "CountEvent" WHERE "environmentId" = $1 AND "customerId" = $2
     UNION ALL SELECT kind, '', '' FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2
     ORDER BY 1, 2, 3`,
    [t.sandboxId, customerId],
  );

describe('a seat change', () => {
  test('returns the event for a customer ID and for an external ID', async () => {
    const consumer = await createCounter(shop, 'seats');
    const { status, body } = await add({ ...of(consumer), count: 3 });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^sev_\w{22}$/),
        customerId: consumer.customerId,
        featureCode: consumer.feature.code,
        previousBalance: 0,
        newBalance: 3,
        ts: expect.stringMatching(/Z$/),
        createdAt: (body as unknown as { ts: string }).ts,
        object: 'seat_event',
        livemode: false,
      },
    ]);
    const { body: customer } = await shop.rest<{ externalId: string }>(
      'GET',
      `/customers/${consumer.customerId}`,
    );
    const byExternalId = { customerId: customer.externalId, featureCode: consumer.feature.code };
    expect((await remove({ ...byExternalId, count: 1 })).body).toMatchObject({
      customerId: consumer.customerId,
      previousBalance: 3,
      newBalance: 2,
    });
    expect(await balance(byExternalId)).toEqual({
      current: 3,
      asOf: expect.stringMatching(/Z$/),
      object: 'seat_balance',
      livemode: false,
    });
  });

  test('is applied once per idempotency key', async () => {
    const consumer = await createCounter(shop, 'seats');
    const once = { headers: { 'idempotency-key': shop.next('seats-key') } };
    const body = { ...of(consumer), count: 2 };
    const first = await shop.rest<Event>('POST', '/seats', body, once);
    const again = await shop.rest<Event>('POST', '/seats', body, once);
    expect([again.status, again.body]).toEqual([200, first.body]);
    await add(body);
    expect(await current(consumer)).toBe(4);
  });

  test('rejects counts above a hard limit and below 0', async () => {
    const consumer = await createCounter(shop, 'seats', { overage: { enabled: false } }, 3);
    const before = await traces(consumer.customerId);
    expect(await add({ ...of(consumer), count: 2 })).toMatchObject({
      status: 400,
      body: {
        error: {
          type: 'billing_error',
          code: 'included_limit_reached',
          details: { current: 3, included: 4, remaining: 1 },
        },
      },
    });
    expect(await remove({ ...of(consumer), count: 4 })).toMatchObject({
      status: 400,
      body: { error: { type: 'billing_error', code: 'insufficient_seats', param: 'count' } },
    });
    expect(await traces(consumer.customerId)).toEqual(before);
  });

  test.each([
    [{ count: 0 }, 'count'],
    [{ count: -1 }, 'count'],
    [{ count: 1.5 }, 'count'],
    [{ count: 2 ** 53 }, 'count'],
    [{ count: '2' }, 'count'],
    [{ count: undefined }, 'count'],
    [{ featureCode: 'Ünïcode 🌍' }, 'featureCode'],
    [{ featureCode: 'a'.repeat(51) }, 'featureCode'],
    [{ customerId: '' }, 'customerId'],
    [{ customerId: 'x'.repeat(201) }, 'customerId'],
    [{ externalId: 'ada' }, 'externalId'],
  ])('rejects the input %j and changes nothing', async (changes, param) => {
    const consumer = await createCounter(shop, 'seats');
    const before = await traces(consumer.customerId);
    for (const call of [add, remove]) {
      expect((await call({ ...of(consumer), count: 1, ...changes })).body.error).toMatchObject({
        code: 'validation_error',
        param,
      });
    }
    expect(await traces(consumer.customerId)).toEqual(before);
  });

  test.each(['x'.repeat(200), 'שלום 🌍'])('rejects the unknown customer %s', async (customerId) => {
    const { feature } = await createCounter(shop, 'seats');
    expect((await add({ customerId, featureCode: feature.code, count: 1 })).body.error).toMatchObject({
      code: 'customer_not_found',
      param: 'customerId',
    });
  });

  test('accepts the maximum count of unlimited seats, and rejects one more seat', async () => {
    const consumer = await createCounter(shop, 'seats', { unlimited: true }, Number.MAX_SAFE_INTEGER);
    expect(await current(consumer)).toBe(Number.MAX_SAFE_INTEGER);
    expect((await add({ ...of(consumer), count: 1 })).body.error).toMatchObject({
      code: 'validation_error',
      param: 'count',
    });
    expect((await set({ ...of(consumer), count: 2 ** 53 })).body.error).toMatchObject({
      code: 'validation_error',
      param: 'count',
    });
  });

  test('rejects customers of another organization', async () => {
    const consumer = await createCounter(shop, 'seats');
    const other = await otherShop(t);
    expect((await other.rest<Failure>('POST', '/seats', { ...of(consumer), count: 1 })).body.error.code).toBe(
      'customer_not_found',
    );
  });

  test('rejects usage and quota features (CON-35)', async () => {
    for (const type of ['usage', 'quota']) {
      const consumer = await createConsumer(shop, { type });
      for (const call of [add, remove, set]) {
        expect((await call({ ...of(consumer), count: 1 })).body.error).toMatchObject({
          code: 'validation_error',
          param: 'featureCode',
        });
      }
      expect((await balance(of(consumer)))['error']).toMatchObject({
        code: 'validation_error',
        param: 'featureCode',
      });
    }
  });
});

describe('a seat change for several features', () => {
  test("returns one event per feature, and doesn't change other features (CON-46)", async () => {
    const consumer = await createCounter(shop, 'seats', {}, 2);
    const [second, third] = [await createFeature(shop, 'seats'), await createFeature(shop, 'seats')];
    for (const { id } of [second, third])
      await attachFeature(shop, consumer.planId, id, { includedAmount: 9 });
    await add({ customerId: consumer.customerId, featureCode: third.code, count: 7 });
    const { status, body } = await setAll({
      customerId: consumer.customerId,
      seats: { [second.code]: 8, [consumer.feature.code]: 1 },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        object: 'list',
        hasMore: false,
        data: [
          { featureCode: second.code, previousBalance: 0, newBalance: 8, object: 'seat_event' },
          { featureCode: consumer.feature.code, previousBalance: 2, newBalance: 1 },
        ],
      },
    ]);
    expect((await shop.rest('GET', `/seats/balances?customerId=${consumer.customerId}`)).body).toEqual({
      balances: Object.fromEntries(
        [
          [consumer.feature.code, 2],
          [second.code, 8],
          [third.code, 7],
        ].map(([code, count]) => [code, { current: count, asOf: expect.stringMatching(/Z$/) }]),
      ),
      object: 'seat_balance_collection',
      livemode: false,
    });
  });

  test('changes nothing if one feature is rejected, and names that feature in `param`', async () => {
    const consumer = await createCounter(shop, 'seats', { overage: { enabled: false } }, 2);
    const second = await createFeature(shop, 'seats');
    await attachFeature(shop, consumer.planId, second.id, { includedAmount: 9 });
    const before = await traces(consumer.customerId);
    const rejected = async (seats: object) => {
      const { status, body } = await setAll({ customerId: consumer.customerId, seats });
      expect(await traces(consumer.customerId)).toEqual(before);
      return [status, body.error.code, body.error.param];
    };
    const { code } = consumer.feature;
    expect(await rejected({ [second.code]: 3, [code]: 5 })).toEqual([
      400,
      'included_limit_reached',
      `seats.${code}`,
    ]);
    expect(await rejected({ [second.code]: 3, none: 1 })).toEqual([404, 'feature_not_found', 'seats.none']);
    expect(await rejected({ [second.code]: 3, '🌍': 1 })).toEqual([404, 'feature_not_found', 'seats.🌍']);
    for (const count of [-1, 0.5, '1', null])
      expect(await rejected({ [second.code]: count })).toEqual([400, 'validation_error', 'seats']);
  });

  test("accepts an empty map, and rejects values that aren't maps", async () => {
    const { customerId } = await createCounter(shop, 'seats');
    expect((await setAll({ customerId, seats: {} })).body).toEqual({
      object: 'list',
      data: [],
      hasMore: false,
    });
    expect((await setAll({ customerId, seats: [1] })).status).toBe(400);
    expect((await setAll({ customerId })).body.error).toMatchObject({
      code: 'validation_error',
      param: 'seats',
    });
  });
});

describe('a seat balance', () => {
  test('is 0 before any event, for features outside the plan, and for disabled features (CON-34, CON-48, CON-51)', async () => {
    const consumer = await createCounter(shop, 'seats', { enabled: false });
    expect(await current(consumer)).toBe(0);
    const outside = await createFeature(shop, 'seats');
    expect(await balance({ customerId: consumer.customerId, featureCode: outside.code })).toMatchObject({
      current: 0,
    });
    expect((await shop.rest('GET', `/seats/balances?customerId=${consumer.customerId}`)).body).toMatchObject({
      balances: { [consumer.feature.code]: { current: 0 } },
    });
  });

  test('includes scheduled removals and all changes over GraphQL, latest first', async () => {
    const consumer = await createCounter(shop, 'seats', {}, 6);
    await remove({ ...of(consumer), count: 2 });
    const text = `query ($id: ID!) { customer(id: $id) { seats { featureCode current pendingRemovals feature { name }
      events(first: 5) { edges { node { previousBalance newBalance feature { code } customer { id } } } } } } }`;
    const node = (previousBalance: number, newBalance: number) => ({
      node: {
        previousBalance,
        newBalance,
        feature: { code: consumer.feature.code },
        customer: { id: consumer.customerId },
      },
    });
    expect(await t.graphql(text, { id: consumer.customerId })).toEqual({
      customer: {
        seats: [
          {
            featureCode: consumer.feature.code,
            current: 6,
            pendingRemovals: 2,
            feature: { name: consumer.feature.name },
            events: { edges: [node(6, 4), node(0, 6)] },
          },
        ],
      },
    });
  });

  test('is read for a page of customers with a constant number of SQL statements', async () => {
    const consumers = [
      await createCounter(shop, 'seats', {}, 1),
      await createCounter(shop, 'quota', {}, 1),
      await createCounter(shop, 'seats'),
    ];
    expect(consumers).toHaveLength(3);
    const ask = (first: number) =>
      tablesRead(
        t,
        `{ customers(first: ${first}) { edges { node { seats { current featureCode } quotas { current remaining } } } } }`,
      );
    const [one, many] = [await ask(1), await ask(3)];
    expect(many.tables.length).toBe(one.tables.length);
  });
});
