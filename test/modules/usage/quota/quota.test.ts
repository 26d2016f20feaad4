import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, createCounter, of } from '../../../support/consumers.ts';
import {
  attachFeature,
  createCustomer,
  createFeature,
  createPlan,
  firstShop,
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

type Failure = {
  readonly error: { readonly code: string; readonly param?: string; readonly details?: unknown };
};
type Event = { readonly id: string; readonly previousBalance: number; readonly newBalance: number };
type Page = {
  readonly data: readonly { readonly featureCode: string }[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
};

const add = (body: object) => shop.rest<Event & Failure>('POST', '/usage/quota', body);
const remove = (body: object) => shop.rest<Event & Failure>('POST', '/usage/quota/remove', body);
const set = (body: object) => shop.rest<Event & Failure>('PUT', '/usage/quota', body);
const allowance = async (consumer: Consumer) => {
  const { customerId, featureCode } = of(consumer);
  return (await shop.rest('GET', `/usage/quota?customerId=${customerId}&featureCode=${featureCode}`)).body;
};
const externalIdOf = async ({ customerId }: Consumer) =>
  (await shop.rest<{ externalId: string }>('GET', `/customers/${customerId}`)).body.externalId;

/** Returns all rows related to a customer's counts: counts, count events, and sent events. */
const traces = (customerId: string) =>
  t.app.database.query(
    `SELECT 'count' AS kind, count::text AS value, '' AS more FROM "FeatureCount" WHERE "environmentId" = $1 AND "customerId" = $2
     UNION ALL SELECT 'event', "previousBalance"::text, "newBalance"::text FROM "CountEvent" WHERE "environmentId" = $1 AND "customerId" = $2
     UNION ALL SELECT kind, '', '' FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 ORDER BY 1, 2, 3`,
    [t.sandboxId, customerId],
  );

describe('a quota change', () => {
  test('takes effect immediately, defaults to 1 unit, and returns the event (CON-36, CON-49)', async () => {
    const consumer = await createCounter(shop, 'quota');
    const { status, body } = await add(of(consumer));
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^qev_\w{22}$/),
        customerId: consumer.customerId,
        featureCode: consumer.feature.code,
        previousBalance: 0,
        newBalance: 1,
        ts: expect.stringMatching(/Z$/),
        createdAt: (body as unknown as { ts: string }).ts,
        object: 'usage_quota_event',
        livemode: false,
      },
    ]);
    expect((await set({ ...of(consumer), count: 9 })).body).toMatchObject({
      previousBalance: 1,
      newBalance: 9,
    });
    expect((await remove(of(consumer))).body).toMatchObject({ previousBalance: 9, newBalance: 8 });
    expect((await set({ ...of(consumer), count: 0 })).body).toMatchObject({
      previousBalance: 8,
      newBalance: 0,
    });
    expect(await allowance(consumer)).toMatchObject({
      current: 0,
      included: 4,
      remaining: 4,
      billedQuantity: 5,
    });
  });

  test('accepts exactly one of the customer ID and the external ID (CON-36)', async () => {
    const consumer = await createCounter(shop, 'quota');
    const externalId = await externalIdOf(consumer);
    const { featureCode, customerId } = of(consumer);
    expect((await add({ featureCode, externalId })).body).toMatchObject({ customerId, newBalance: 1 });
    expect((await add({ featureCode, customerId: externalId })).body).toMatchObject({
      customerId,
      newBalance: 2,
    });
    const before = await traces(customerId);
    for (const call of [add, remove, set]) {
      for (const body of [
        { featureCode, count: 1 },
        { featureCode, count: 1, customerId, externalId },
      ]) {
        expect(await call(body)).toMatchObject({
          status: 400,
          body: {
            error: { code: 'validation_error', details: [{ field: 'customerId' }, { field: 'externalId' }] },
          },
        });
      }
      expect(await call({ featureCode, count: 1, externalId: customerId })).toMatchObject({
        status: 404,
        body: { error: { code: 'customer_not_found', param: 'externalId' } },
      });
      expect((await call({ featureCode, count: 1, externalId: 'שלום 🌍' })).body.error.code).toBe(
        'customer_not_found',
      );
    }
    expect(await traces(customerId)).toEqual(before);
  });

  test('rejects a count below 0, and changes nothing (CON-49)', async () => {
    const consumer = await createCounter(shop, 'quota', {}, 3);
    const before = await traces(consumer.customerId);
    expect(await remove({ ...of(consumer), count: 4 })).toMatchObject({
      status: 400,
      body: { error: { type: 'billing_error', code: 'insufficient_balance', param: 'count' } },
    });
    expect(await traces(consumer.customerId)).toEqual(before);
    expect((await remove({ ...of(consumer), count: 3 })).body).toMatchObject({ newBalance: 0 });
  });

  test('rejects a count above a hard limit, and emits no events (CON-47, CON-52)', async () => {
    const consumer = await createCounter(shop, 'quota', { overage: { enabled: false } }, 3);
    const before = await traces(consumer.customerId);
    for (const rejected of [
      await add({ ...of(consumer), count: 2 }),
      await set({ ...of(consumer), count: 5 }),
    ]) {
      expect(rejected.body.error).toMatchObject({
        code: 'included_limit_reached',
        details: { current: 3, included: 4, remaining: 1 },
      });
    }
    expect(await traces(consumer.customerId)).toEqual(before);
    await add(of(consumer));
    const sent = (rows: readonly object[]) =>
      rows.filter((row) => 'kind' in row && String(row.kind).includes('.'));
    expect(sent(await traces(consumer.customerId))).toEqual(sent(before));
  });

  test.each([{ count: 0 }, { count: -3 }, { count: 0.5 }, { count: 2 ** 53 }, { count: '1' }])(
    'rejects the input %j',
    async (changes) => {
      const consumer = await createCounter(shop, 'quota', {}, 2);
      for (const call of [add, remove]) {
        expect((await call({ ...of(consumer), ...changes })).body.error).toMatchObject({
          code: 'validation_error',
          param: 'count',
        });
      }
      expect(await allowance(consumer)).toMatchObject({ current: 2 });
    },
  );

  test('is applied once for a repeated idempotency key', async () => {
    const consumer = await createCounter(shop, 'quota');
    const once = { headers: { 'idempotency-key': shop.next('quota-key') } };
    const first = await shop.rest('POST', '/usage/quota', of(consumer), once);
    const again = await shop.rest('POST', '/usage/quota', of(consumer), once);
    expect(again.body).toEqual(first.body);
    expect(await allowance(consumer)).toMatchObject({ current: 1 });
  });

  test('rejects seats and usage features (CON-35)', async () => {
    for (const type of ['usage', 'seats']) {
      const consumer = await createConsumer(shop, { type });
      for (const call of [add, remove, set]) {
        expect((await call({ ...of(consumer), count: 1 })).body.error).toMatchObject({
          code: 'validation_error',
          param: 'featureCode',
        });
      }
      expect((await allowance(consumer))['error']).toMatchObject({
        code: 'validation_error',
        param: 'featureCode',
      });
    }
  });
});

describe('a quota balance (CON-50)', () => {
  test('shows the highest billed count, the remaining units, and the time of the balance', async () => {
    const consumer = await createCounter(shop, 'quota', {}, 9);
    await remove({ ...of(consumer), count: 7 });
    expect(await allowance(consumer)).toEqual({
      featureCode: consumer.feature.code,
      current: 2,
      included: 4,
      remaining: 2,
      billedQuantity: 5,
      unlimited: false,
      overageEnabled: true,
      asOf: expect.stringMatching(/Z$/),
      object: 'usage_quota',
      livemode: false,
    });
  });

  test('shows no billed units for unlimited quotas, and still counts the remaining included units', async () => {
    const consumer = await createCounter(shop, 'quota', { unlimited: true }, 9);
    expect(await allowance(consumer)).toMatchObject({
      current: 9,
      included: 4,
      remaining: 0,
      billedQuantity: 0,
      unlimited: true,
    });
    await set({ ...of(consumer), count: 1 });
    expect(await allowance(consumer)).toMatchObject({
      current: 1,
      remaining: 3,
      billedQuantity: 0,
      unlimited: true,
    });
  });

  test('includes no overage on a free plan, and can be read while the feature is disabled', async () => {
    const free = await createConsumer(shop, {
      type: 'quota',
      plan: { isFree: true },
      terms: { includedAmount: 2 },
    });
    expect(await allowance(free)).toMatchObject({
      overageEnabled: false,
      billedQuantity: 0,
      current: 0,
      remaining: 2,
    });
    const off = await createCounter(shop, 'quota', { enabled: false });
    expect(await allowance(off)).toMatchObject({ current: 0, included: 4 });
  });
});

describe('the list of quota balances', () => {
  test('is sorted by feature code, both in full and page by page', async () => {
    const plan = await createPlan(shop, { isFree: true });
    const codes = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { id, code } = await createFeature(shop, 'quota');
        await attachFeature(shop, plan.id, id, { includedAmount: 1 });
        return code;
      }),
    );
    await attachFeature(shop, plan.id, (await createFeature(shop, 'seats')).id, { includedAmount: 1 });
    const { id: customerId } = await createCustomer(shop);
    await subscribeTo(shop, customerId, plan.id);
    const page = async (query: string) =>
      (await shop.rest<Page>('GET', `/usage/quota/all?customerId=${customerId}${query}`)).body;
    const sorted = codes.toSorted();
    const all = await page('');
    expect([all.data.map(({ featureCode }) => featureCode), all.hasMore]).toEqual([sorted, false]);
    const first = await page('&limit=3');
    expect([first.data.map(({ featureCode }) => featureCode), first.hasMore]).toEqual([
      sorted.slice(0, 3),
      true,
    ]);
    const rest = await page(`&limit=3&cursor=${first.nextCursor}`);
    expect([rest.data.map(({ featureCode }) => featureCode), rest.hasMore]).toEqual([sorted.slice(3), false]);
    const bad = await shop.rest<Failure>('GET', `/usage/quota/all?customerId=${customerId}&cursor=bm9uZQ`);
    expect([bad.status, bad.body.error.param]).toEqual([400, 'cursor']);
  });

  test('is available on the customer over GraphQL together with every change, and is empty if the customer has no subscription', async () => {
    const consumer = await createCounter(shop, 'quota', {}, 6);
    await remove(of(consumer));
    const text =
      'query ($id: ID!) { customer(id: $id) { quotas { featureCode current events { edges { node { newBalance } } } } } }';
    expect(await t.graphql(text, { id: consumer.customerId })).toEqual({
      customer: {
        quotas: [
          {
            featureCode: consumer.feature.code,
            current: 5,
            events: { edges: [{ node: { newBalance: 5 } }, { node: { newBalance: 6 } }] },
          },
        ],
      },
    });
    expect(await t.graphql(text, { id: (await createCustomer(shop)).id })).toEqual({
      customer: { quotas: [] },
    });
  });
});
