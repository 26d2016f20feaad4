import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, createCreditsConsumer, of } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

/** Creates a customer whose usage costs 1.00 per unit. */
const create = (includedAmount = 0) =>
  createConsumer(limits.shop, { terms: { includedAmount, overage: { enabled: true, unitPrice: 10_000 } } });

const post = async (path: string, body: Json = {}): Promise<Json> => {
  const answer = await limits.shop.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

const hold = (consumer: Consumer, value: number, body: Json = {}) =>
  post('/usage/holds', { ...of(consumer), estimate: { value }, ...body });

const units = ({ customerId, feature }: Consumer, window: Json, amount: number, body: Json = {}) =>
  limits.limit({
    scope: { customer: customerId },
    measure: 'units',
    filter: { features: [feature.code] },
    window,
    amount,
    ...body,
  });

/** Returns the time at which a quantity fits, by the check and by the rejection, which must be equal. */
async function fitsAt(consumer: Consumer, value: number): Promise<unknown> {
  const check = (await limits.check(consumer, { quantity: value }))['limits'] as readonly Json[];
  const { details } = await limits.rejected(consumer, { value });
  const [rejected] = details['limits'] as readonly Json[];
  expect(rejected?.['fitsAt']).toBe(check[0]?.['fitsAt']);
  return rejected?.['fitsAt'];
}

/** Returns the end of the usage window of a customer. */
async function windowEnd({ customerId }: Consumer): Promise<string> {
  const [row] = await t.app.database.query<{ windowEnd: Date }>(
    `SELECT "windowEnd" FROM "Subscription" WHERE "environmentId" = $1 AND "customerId" = $2`,
    [t.sandboxId, customerId],
  );
  return row?.windowEnd.toISOString() ?? '';
}

const spendCap = ({ customerId }: Consumer) =>
  limits.limit({ scope: { customer: customerId }, measure: 'spend', currency: 'usd', amount: 1_000 });

describe('fitsAt', () => {
  test('is null if usage exceeds a spend cap in an empty window', async () => {
    const consumer = await create();
    await spendCap(consumer);
    expect(await fitsAt(consumer, 11)).toBeNull();
    await limits.track(consumer, { value: 3 });
    expect(await fitsAt(consumer, 11)).toBeNull();
    expect(await fitsAt(consumer, 8)).toBe(await windowEnd(consumer));
  });

  test('is the end of the usage window if the included units of the next window cover the usage', async () => {
    const consumer = await create(20);
    await spendCap(consumer);
    await limits.track(consumer, { value: 25 });
    expect(await fitsAt(consumer, 30)).toBe(await windowEnd(consumer));
    expect(await fitsAt(consumer, 31)).toBeNull();
  });

  test.each(['usage_window', 'lifetime', 'month'])('is the end of a hold: %s', async (kind) => {
    const consumer = await create();
    await units(consumer, { kind }, 10);
    const short = await hold(consumer, 2, { expiresIn: 60 });
    const long = await hold(consumer, 6, { expiresIn: 120 });
    expect(await fitsAt(consumer, 4)).toBe(short['expiresAt']);
    expect(await fitsAt(consumer, 5)).toBe(long['expiresAt']);
  });

  test('is the end of a hold, also for a spend cap and a rolling window', async () => {
    const consumer = await create();
    await spendCap(consumer);
    const open = await hold(consumer, 8, { expiresIn: 60 });
    expect(await fitsAt(consumer, 5)).toBe(open['expiresAt']);
    await units(consumer, { kind: 'rolling', minutes: 60 }, 5);
    expect(await fitsAt(consumer, 2)).toBe(open['expiresAt']);
  });

  test('is the end of the limit', async () => {
    const consumer = await create();
    const validUntil = new Date(Math.floor(t.app.wall.now().getTime() / 1_000) * 1_000 + 7_200_000);
    await units(consumer, { kind: 'lifetime' }, 10, { validUntil: validUntil.toISOString() });
    await limits.track(consumer, { value: 8 });
    expect(await fitsAt(consumer, 5)).toBe(validUntil.toISOString());
  });
});

describe('thresholds of limits that block', () => {
  test.each([
    ['window', ['6']],
    ['recross', ['6', '5']],
  ])('are crossed by a hold, and after its release again if they rearm with %s', async (rearm, values) => {
    const consumer = await create();
    await units(consumer, { kind: 'day' }, 10, { thresholds: [{ bps: 5_000, rearm }] });
    const { id } = await hold(consumer, 6);
    await post(`/usage/holds/${String(id)}/release`);
    await limits.track(consumer, { value: 5 });
    const events = await limits.events(consumer, 'limit.threshold_reached');
    expect(events.map(({ data }) => data['value'])).toEqual(values);
  });
});

describe('credits', () => {
  test('are shown without held amounts in the order in which usage draws on the lots', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 100, 1);
    const shown = async () => {
      const { credits } = (await limits.shop.rest('GET', `/subscriptions/${consumer.subscriptionId}`))
        .body as { credits?: Json };
      const { planCredits, purchasedCredits, totalCredits } = await limits.check(consumer);
      return { ...credits, planCredits, purchasedCredits, totalCredits };
    };
    const first = await hold(consumer, 30);
    expect(await shown()).toEqual({
      remaining: 70,
      included: 100,
      purchased: 0,
      planCredits: 70,
      purchasedCredits: 0,
      totalCredits: 70,
    });
    await post(`/usage/holds/${String(first['id'])}/release`);
    await post(`/customers/${consumer.customerId}/lots`, {
      amount: 50,
    });
    await hold(consumer, 120);
    expect(await shown()).toMatchObject({ planCredits: 0, purchasedCredits: 30, totalCredits: 30 });
  });
});

describe('throttled features', () => {
  test('state the delay when a hold is opened, extended, and settled', async () => {
    const consumer = await create();
    const { customerId } = consumer;
    const { id: limitId } = await limits.limit({
      scope: { customer: customerId },
      measure: 'calls',
      window: { kind: 'rolling', minutes: 60 },
      amount: 1,
      action: 'throttle',
    });
    await limits.track(consumer);
    const throttle = { limitId, delayMs: 60_000 };
    const open = await hold(consumer, 1);
    expect(open['throttle']).toEqual(throttle);
    const path = `/usage/holds/${String(open['id'])}`;
    expect((await post(`${path}/extend`, { add: { value: 1 } }))['throttle']).toEqual(throttle);
    expect('throttle' in (await limits.shop.rest('GET', path)).body).toBe(false);
    expect((await post(`${path}/settle`, { value: 2 }))['throttle']).toEqual(throttle);
  });
});

describe('requests about holds', () => {
  const changes = async ({ customerId }: Consumer) => {
    const rows = await t.app.database.query(
      `SELECT (SELECT count(*) FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2) AS events,
         (SELECT json_agg(h ORDER BY seq) FROM "UsageHold" h WHERE "environmentId" = $1 AND "customerId" = $2) AS holds`,
      [t.sandboxId, customerId],
    );
    return rows;
  };

  test.each([
    [
      'a smallest quantity above an estimate that fits',
      { atLeast: 9, estimate: { value: 8 } },
      'atLeast',
      /at most the estimate/,
    ],
    [
      'a smallest quantity with decimals',
      { atLeast: '0.5', estimate: { value: 8 } },
      'atLeast',
      /must be a whole number/,
    ],
    ['a lifetime as text', { expiresIn: '900', estimate: { value: 8 } }, 'expiresIn', /between 1 and 86400/],
  ])('reject %s', async (_name, body, param, message) => {
    const consumer = await create();
    const before = await changes(consumer);
    const error = await limits.failure('POST', '/usage/holds', { ...of(consumer), ...body });
    expect(error).toMatchObject({ code: 'validation_error', param });
    expect(JSON.stringify(error)).toMatch(message);
    expect(await changes(consumer)).toEqual(before);
  });

  test('reject an empty addition, an unknown hold, and `final` without a hold', async () => {
    const consumer = await create();
    const { id } = await hold(consumer, 8);
    const before = await changes(consumer);
    const path = `/usage/holds/${String(id)}/extend`;
    expect(await limits.failure('POST', path, { add: {} })).toMatchObject({
      code: 'validation_error',
      param: 'add',
    });
    expect(await limits.rejected(consumer, { hold: 'nope' })).toMatchObject({
      code: 'not_found',
      param: 'hold',
    });
    expect(await limits.rejected(consumer, { final: true })).toMatchObject({
      code: 'validation_error',
      param: 'final',
    });
    const events = [
      { ...of(consumer), final: false },
      { ...of(consumer), hold: 'nope' },
    ];
    expect((await post('/usage/events/batch', { events }))['results']).toMatchObject([
      { code: 'validation_error', error: 'final: requires `hold`.' },
      { code: 'not_found' },
    ]);
    const items = events.map((event) => ({ event }));
    expect((await post('/usage/batch', { items }))['results']).toMatchObject([
      { code: 'validation_error', error: expect.stringContaining('requires `hold`') },
      { code: 'not_found' },
    ]);
    expect(await changes(consumer)).toEqual(before);
  });

  test('state that amounts of limits are whole numbers, and not text', async () => {
    const { customerId } = await create();
    const body = { scope: { customer: customerId }, measure: 'calls', window: { kind: 'day' } };
    expect(await limits.failure('POST', '/limits', { ...body, amount: '100' })).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('must be a whole number (not text), or an object'),
    });
    expect(await limits.states({ customerId } as Consumer)).toEqual([]);
  });
});

test('raises of an unknown budget fail alike for a template and a limit of a budget', async () => {
  const { customerId } = await create();
  const terms = { measure: 'calls', window: { kind: 'day' }, amount: 5 };
  const template = await limits.limit({ scope: { each: 'key', in: { customer: customerId } }, ...terms });
  const own = await limits.limit({ scope: { customer: customerId, budget: 'team:none' }, ...terms });
  const missing = { code: 'not_found', param: 'node.budget' };
  for (const [id, budget] of [
    [template.id, 'key:none'],
    [template.id, 'team:none'],
    [own.id, 'team:none'],
  ] as const)
    expect(
      await limits.failure('POST', `/limits/${id}/raises`, {
        amount: 1,
        node: { customer: customerId, budget },
      }),
    ).toMatchObject(missing);
  expect(await limits.failure('POST', `/limits/${own.id}/raises`, { amount: 1 })).toMatchObject(missing);
});
