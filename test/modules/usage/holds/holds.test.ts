import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, createCreditsConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { advance } from '../../../support/stories.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;
type Failure = { readonly code: string; readonly param?: string; readonly details?: Json };

const post = async (path: string, body: Json = {}) =>
  (await shop.rest('POST', path, body)) as { status: number; body: Json };

const open = (consumer: Consumer, value: number, options: Json = {}) =>
  post('/usage/holds', { ...of(consumer), estimate: { value }, ...options });

/** Opens a hold that is accepted. Returns its ID. */
async function hold(consumer: Consumer, value: number, options: Json = {}): Promise<string> {
  const { status, body } = await open(consumer, value, options);
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body['id']);
}

const settle = (id: string, body: Json) => post(`/usage/holds/${id}/settle`, body);
const release = (id: string) => post(`/usage/holds/${id}/release`);
const failureOf = ({ body }: { readonly body: Json }) => body['error'] as Failure;

const track = (consumer: Consumer, body: Json) => post('/usage/events', { ...of(consumer), ...body });

/** Creates a consumer with a hard limit of included units. */
const hardConsumer = (includedAmount = 100) => createConsumer(shop, { terms: { includedAmount } });

const remaining = async (consumer: Consumer): Promise<unknown> =>
  (await post('/usage/check', of(consumer))).body['remaining'];

const eventsOf = async ({ customerId }: Consumer, like: string) =>
  (
    await t.app.database.query<{ kind: string; data: Json }>(
      `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind LIKE $3 ORDER BY position`,
      [t.sandboxId, customerId, like],
    )
  ).map(({ kind, data }) => ({ kind, ...data }));

/** Returns everything that holds can change, to compare it before and after a rejection. */
const stored = async ({ customerId, subscriptionId }: Consumer) =>
  t.app.database.query(
    `SELECT (SELECT json_agg(c ORDER BY id) FROM "UsageCounter" c WHERE "environmentId" = $1 AND "subscriptionId" = $3) AS counters,
       (SELECT json_agg(h ORDER BY seq) FROM "UsageHold" h WHERE "environmentId" = $1 AND "customerId" = $2) AS holds,
       (SELECT json_agg(s ORDER BY id) FROM "LimitState" s WHERE "environmentId" = $1 AND "customerId" = $2) AS states,
       (SELECT pools FROM "ConsumptionAccount" WHERE "environmentId" = $1 AND id = $3) AS pools,
       (SELECT count(*) FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2) AS events`,
    [t.sandboxId, customerId, subscriptionId],
  );

describe('a hold', () => {
  test('reserves included units until it is released or settled', async () => {
    const consumer = await hardConsumer();
    const id = await hold(consumer, 60, { properties: [{ property: 'region', value: 'eu' }] });
    expect(await remaining(consumer)).toBe(40);
    expect(failureOf(await track(consumer, { value: 41 }))).toMatchObject({
      code: 'included_limit_reached',
      details: { current: 0, included: 100, remaining: 40 },
    });
    expect((await track(consumer, { value: 40 })).status).toBe(200);
    expect((await release(id)).body).toMatchObject({ id, status: 'released', remaining: '0' });
    expect(await remaining(consumer)).toBe(60);
    expect((await release(id)).status).toBe(200);
    const event = await settle(await hold(consumer, 60), { value: 50 });
    expect(event.body).toMatchObject({ value: 50, featureCode: consumer.feature.code });
    expect(await remaining(consumer)).toBe(10);
  });

  test('is returned with its identifier, and listed newest first', async () => {
    const consumer = await hardConsumer();
    const first = await hold(consumer, 10, { holdId: `run:${consumer.customerId}` });
    const second = await hold(consumer, 20);
    const found = await shop.rest('GET', `/usage/holds/${encodeURIComponent(`run:${consumer.customerId}`)}`);
    expect(found.body).toMatchObject({ id: first, quantity: '10', remaining: '10', onExcess: 'fit' });
    await release(first);
    const list = async (query: string) =>
      (
        (await shop.rest('GET', `/usage/holds?customerId=${consumer.customerId}${query}`)).body[
          'data'
        ] as readonly Json[]
      ).map(({ id }) => id);
    expect(await list('')).toEqual([second, first]);
    expect(await list('&status=open')).toEqual([second]);
  });

  test('is opened once for a repeated identifier, and rejects other content', async () => {
    const consumer = await hardConsumer();
    const holdId = `once-${consumer.customerId}`;
    const properties = [{ property: 'region', value: 'eu' }];
    const first = await open(consumer, 30, { holdId, properties });
    expect((await open(consumer, 30, { holdId, properties })).body).toEqual(first.body);
    const before = await stored(consumer);
    expect(failureOf(await open(consumer, 31, { holdId, properties }))).toMatchObject({
      code: 'duplicate',
      param: 'holdId',
    });
    expect(await stored(consumer)).toEqual(before);
    const racers = await Promise.all(
      Array.from({ length: 8 }, () => open(consumer, 5, { holdId: `${holdId}-race` })),
    );
    expect(new Set(racers.map(({ body }) => body['id'])).size).toBe(1);
    expect(await remaining(consumer)).toBe(65);
  });

  test('is settled once, and its repetition returns the event', async () => {
    const consumer = await hardConsumer();
    const id = await hold(consumer, 30);
    const first = await settle(id, { value: 20 });
    expect((await settle(id, { value: 20 })).body).toEqual(first.body);
    expect(failureOf(await settle(id, { value: 21 }))).toMatchObject({
      code: 'duplicate',
      details: { reason: 'hold_settled' },
    });
    expect(failureOf(await release(id))).toMatchObject({
      code: 'duplicate',
      details: { reason: 'hold_settled' },
    });
    const other = await hold(consumer, 30);
    await release(other);
    expect(failureOf(await settle(other, { value: 20 }))).toMatchObject({
      code: 'duplicate',
      details: { reason: 'hold_released' },
    });
    expect(await remaining(consumer)).toBe(80);
  });

  test('is settled by an event that names it, and only for its customer and feature', async () => {
    const consumer = await hardConsumer();
    const other = await hardConsumer();
    const id = await hold(consumer, 30);
    expect(failureOf(await track(other, { value: 1, hold: id }))).toMatchObject({ code: 'not_found' });
    expect(
      failureOf(await track({ ...consumer, feature: other.feature }, { value: 1, hold: id })),
    ).toMatchObject({ code: 'validation_error', param: 'featureCode' });
    expect(await remaining(consumer)).toBe(70);
    const { body } = await track(consumer, { value: 25, hold: id, eventId: `${id}:done` });
    expect(body).toMatchObject({ value: 25, hold: id });
    expect(Object.keys(body).filter((name) => name === 'isLate' || name === 'uncounted')).toEqual([]);
    expect((await track(consumer, { value: 25, hold: id, eventId: `${id}:done` })).body).toEqual(body);
    expect(failureOf(await track(consumer, { value: 25, eventId: `${id}:done` }))).toMatchObject({
      code: 'duplicate',
    });
    expect(await remaining(consumer)).toBe(75);
  });

  test('belongs to one organization, and fails with not_found for other organizations', async () => {
    const consumer = await hardConsumer();
    const id = await hold(consumer, 30, { holdId: 'shared-name' });
    const stranger = await t.otherTenant();
    for (const path of [`/usage/holds/${id}/settle`, '/usage/holds/shared-name/release']) {
      const response = await fetch(`${t.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'x-api-key': stranger.sandboxKey, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(response.status).toBe(404);
    }
    expect(await remaining(consumer)).toBe(70);
  });

  test.each([
    ['an estimate of 0', { estimate: { value: 0 } }, 'estimate'],
    ['an estimate without a quantity', { estimate: {} }, 'estimate'],
    ['a lifetime of 0', { expiresIn: 0 }, 'expiresIn'],
    ['a lifetime above a day', { expiresIn: 86_401 }, 'expiresIn'],
    ['a smallest quantity above the estimate', { atLeast: 200, estimate: { value: 150 } }, 'atLeast'],
    ['an unknown budget', { budget: 'team:none' }, 'budget'],
  ])('rejects %s, and changes nothing', async (_name, body, param) => {
    const consumer = await hardConsumer();
    const before = await stored(consumer);
    expect(failureOf(await open(consumer, 10, body))).toMatchObject({ code: 'validation_error', param });
    expect(await stored(consumer)).toEqual(before);
  });

  test('rejects features that count distinct values', async () => {
    const consumer = await createConsumer(shop, { meter: { aggregation: 'unique', property: 'user' } });
    const properties = [{ property: 'user', value: 'a' }];
    expect(failureOf(await open(consumer, 1, { properties }))).toMatchObject({
      code: 'validation_error',
      param: 'featureCode',
    });
  });

  test('is extended, and never shortened', async () => {
    const consumer = await hardConsumer();
    const { body } = await open(consumer, 30, { expiresIn: 600 });
    const id = String(body['id']);
    const same = await post(`/usage/holds/${id}/extend`, { expiresIn: 60 });
    expect(same.body['expiresAt']).toBe(body['expiresAt']);
    const more = await post(`/usage/holds/${id}/extend`, { expiresIn: 86_400, add: { value: 20 } });
    expect(more.body).toMatchObject({ quantity: '50', remaining: '50' });
    expect(await remaining(consumer)).toBe(50);
    expect(failureOf(await post(`/usage/holds/${id}/extend`, { add: { value: 51 } }))).toMatchObject({
      code: 'included_limit_reached',
    });
    expect((await post(`/usage/holds/${id}/extend`)).status).toBe(400);
    await release(id);
    expect(failureOf(await post(`/usage/holds/${id}/extend`, { expiresIn: 60 }))).toMatchObject({
      code: 'duplicate',
      details: { reason: 'hold_released' },
    });
  });
});

describe('a rejected request for a hold', () => {
  test('names an unknown model, and reserves nothing', async () => {
    const consumer = await createConsumer(shop, {
      plan: { consumptionModel: 'balance', blockOnExhaustion: true },
      price: { includedBalance: 4_200_000 },
      terms: { pricingMode: 'ai_model', margin: 0 },
    });
    const before = await stored(consumer);
    const estimate = { model: 'acme/none', inputTokens: 10, outputTokens: 5 };
    expect(failureOf(await post('/usage/holds', { ...of(consumer), estimate }))).toMatchObject({
      code: 'model_not_found',
    });
    expect(await stored(consumer)).toEqual(before);
  });

  test('extends no hold beyond 7 days, and no expired hold', async () => {
    const consumer = await hardConsumer();
    const clock = async () => Date.parse((await shop.rest<{ now: string }>('GET', '/test-clock')).body.now);
    const moveBy = async (ms: number) =>
      advance(t, { frozenTime: new Date((await clock()) + ms).toISOString() });
    const id = await hold(consumer, 10, { expiresIn: 86_400 });
    for (let day = 1; day <= 6; day += 1) {
      await moveBy(86_399_000);
      expect((await post(`/usage/holds/${id}/extend`, { expiresIn: 86_400 })).status).toBe(200);
    }
    const { body } = await shop.rest<Json>('GET', `/usage/holds/${id}`);
    const longest = Date.parse(String(body['createdAt'])) + 7 * 86_400_000;
    await moveBy(Date.parse(String(body['expiresAt'])) - (await clock()) - 1_000);
    const before = await stored(consumer);
    const expiresIn = Math.floor((longest - (await clock())) / 1_000);
    const tooLong = { expiresIn: expiresIn + 1, add: { value: 1 } };
    expect(failureOf(await post(`/usage/holds/${id}/extend`, tooLong))).toMatchObject({
      code: 'validation_error',
      param: 'expiresIn',
    });
    expect(await stored(consumer)).toEqual(before);
    expect((await post(`/usage/holds/${id}/extend`, { expiresIn })).status).toBe(200);
    await moveBy(expiresIn * 1_000);
    expect(failureOf(await post(`/usage/holds/${id}/extend`, { expiresIn: 1 }))).toMatchObject({
      code: 'validation_error',
      details: { reason: 'hold_expired' },
    });
    expect((await shop.rest('GET', `/usage/holds/${id}`)).body).toMatchObject({ status: 'expired' });
    expect(await remaining(consumer)).toBe(100);
  });
});

describe('limits at every level', () => {
  const limited = async (scope: Json, measure: Json): Promise<void> => {
    const { status } = await post('/limits', {
      action: 'block',
      window: { kind: 'day', timeZone: 'UTC' },
      scope,
      ...measure,
    });
    expect(status).toBe(201);
  };

  const held = async ({ customerId }: Consumer, budget: string) => {
    const { body } = await shop.rest(
      'GET',
      `/customers/${customerId}/limits?budget=${encodeURIComponent(budget)}`,
    );
    return (body['data'] as readonly Json[]).map((one) => [one['used'], one['held'] ?? '0']);
  };

  test('count holds of budgets, and free them completely', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 100_000 } });
    const { customerId } = consumer;
    await post(`/customers/${customerId}/budgets`, { key: 'team:eu' });
    await post(`/customers/${customerId}/budgets`, { key: 'key:abc', parentKey: 'team:eu' });
    const units = (amount: number) => ({
      measure: 'units',
      amount,
      filter: { features: [consumer.feature.code] },
    });
    await limited({ customer: customerId, budget: 'key:abc' }, units(300));
    await limited({ customer: customerId, budget: 'team:eu' }, units(800));
    await limited({ customer: customerId }, units(2_000));
    const first = await hold(consumer, 200, { budget: 'key:abc' });
    expect(await held(consumer, 'key:abc')).toEqual([
      ['0', '200'],
      ['0', '200'],
      ['0', '200'],
    ]);
    const rejected = failureOf(await open(consumer, 101, { budget: 'key:abc' }));
    expect(rejected).toMatchObject({ code: 'included_limit_reached', details: { reason: 'limit_reached' } });
    expect(rejected.details?.['limits']).toMatchObject([
      { node: { key: 'key:abc' }, held: '200', remaining: '100' },
    ]);
    expect((await track(consumer, { value: 601, budget: 'team:eu' })).status).toBe(400);
    expect((await track(consumer, { value: 600, budget: 'team:eu' })).status).toBe(200);
    await settle(first, { value: 150, final: false });
    expect(await held(consumer, 'key:abc')).toEqual([
      ['150', '50'],
      ['750', '50'],
      ['750', '50'],
    ]);
    await settle(first, { value: 20 });
    expect(await held(consumer, 'key:abc')).toEqual([
      ['170', '0'],
      ['770', '0'],
      ['770', '0'],
    ]);
  });

  test('accept parallel calls only as far as their holds fit', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 100_000 } });
    await limited({ customer: consumer.customerId }, { measure: 'calls', amount: 5 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => open(consumer, 1)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  });
});

describe('POST /usage/batch', () => {
  test('processes items in order, with holds that earlier items open', async () => {
    const consumer = await hardConsumer();
    const holdId = `batch-${consumer.customerId}`;
    const { status, body } = await post('/usage/batch', {
      items: [
        { hold: { ...of(consumer), estimate: { value: 80 }, holdId } },
        { event: { ...of(consumer), value: 30 } },
        { settle: { hold: holdId, value: 60, eventId: `${holdId}:1` } },
        { event: { ...of(consumer), value: 30 } },
        { hold: { ...of(consumer), estimate: { value: 10 }, holdId: `${holdId}-2` } },
        { release: { hold: `${holdId}-2` } },
        { settle: { hold: 'hld_unknown', value: 1 } },
        { event: { ...of(consumer) }, release: { hold: holdId } },
        { hold: { ...of(consumer), estimate: { value: 10 }, expiresIn: 0 } },
      ],
    });
    expect(status).toBe(200);
    expect(body['results']).toMatchObject([
      { index: 0, hold: { status: 'open', remaining: '80' } },
      { index: 1, code: 'included_limit_reached' },
      { index: 2, event: { value: 60, eventId: `${holdId}:1` } },
      { index: 3, event: { value: 30 } },
      { index: 4, hold: { status: 'open' } },
      { index: 5, hold: { status: 'released' } },
      { index: 6, code: 'not_found' },
      { index: 7, code: 'validation_error' },
      { index: 8, code: 'validation_error', error: expect.stringContaining('expiresIn') },
    ]);
    expect(await remaining(consumer)).toBe(10);
  });
});

describe('the expiry of holds', () => {
  const now = async (): Promise<number> =>
    Date.parse((await shop.rest<{ now: string }>('GET', '/test-clock')).body.now);
  const moveBy = async (ms: number): Promise<void> => {
    await advance(t, { frozenTime: new Date((await now()) + ms).toISOString() });
  };

  test('frees units, sends an event, and charges a late settlement as excess (LIM-E13)', async () => {
    const consumer = await hardConsumer();
    expect((await track(consumer, { value: 60 })).status).toBe(200);
    const id = await hold(consumer, 40, { expiresIn: 900 });
    expect(await remaining(consumer)).toBe(0);
    await moveBy(899_000);
    expect(await remaining(consumer)).toBe(0);
    await moveBy(1_000);
    expect((await shop.rest('GET', `/usage/holds/${id}`)).body).toMatchObject({ status: 'expired' });
    expect(await remaining(consumer)).toBe(40);
    expect((await track(consumer, { value: 25 })).status).toBe(200);
    expect((await settle(id, { value: 38 })).body).toMatchObject({
      value: 38,
      isLate: true,
      uncounted: { quantity: '23' },
    });
    expect(await remaining(consumer)).toBe(0);
    expect((await eventsOf(consumer, 'hold.%')).map(({ kind }) => kind)).toEqual([
      'hold.expired',
      'hold.settled_late',
    ]);
    const tooLate = await hold(await hardConsumer(), 10, { expiresIn: 60 });
    await moveBy(60_000 + 72 * 3_600_000);
    expect((await settle(tooLate, { value: 1, final: false })).status).toBe(200);
    await moveBy(1_000);
    expect(failureOf(await settle(tooLate, { value: 2 }))).toMatchObject({
      code: 'validation_error',
      details: { reason: 'hold_too_late' },
    });
  });

  test('happens in clock runs of a year for holds of many customers', async () => {
    const consumers = await Promise.all([
      hardConsumer(),
      createCreditsConsumer(shop, 640, 7),
      hardConsumer(),
    ]);
    const ids = await Promise.all(consumers.map((consumer) => hold(consumer, 10, { expiresIn: 86_400 })));
    await advance(t, { advanceDays: 365 });
    for (const id of ids)
      expect((await shop.rest('GET', `/usage/holds/${id}`)).body).toMatchObject({ status: 'expired' });
    const rows = await t.app.database.query(
      `SELECT 1 FROM "UsageCounter" WHERE "environmentId" = $1 AND held IS NOT NULL
       UNION ALL SELECT 1 FROM "ConsumptionAccount" a, jsonb_each(a.pools) p WHERE a."environmentId" = $1 AND p.value ? 'held'`,
      [t.sandboxId],
    );
    expect(rows).toEqual([]);
  });
});
