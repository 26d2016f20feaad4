import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setMeter, setRate } from '../../../support/consumers.ts';
import {
  advanceDays,
  attachFeature,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  firstShop,
  latestInvoice,
  type MadeFeature,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { statementsOf } from '../../../support/statements.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = Readonly<Record<string, unknown>>;

const metered = { includedAmount: 0, overage: { enabled: true } };

type Counted = {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly planId: string;
  readonly calls: MadeFeature;
  readonly premium: MadeFeature;
};

type Options = {
  readonly plan?: Body;
  readonly price?: Body;
  readonly calls?: Body;
  readonly premium?: Body;
  readonly premiumMeter?: Body;
  readonly rate?: string;
};

/** Creates a customer with two features: calls at 0.01, and premium calls at 0.50 that count the calls of the tier `gold`. */
async function createCounted({
  plan = {},
  price = {},
  calls: callTerms = metered,
  premium: premiumTerms = metered,
  premiumMeter = {},
  rate = '0.50',
}: Options = {}): Promise<Counted> {
  const calls = await createFeature(shop, 'usage');
  const premium = await createFeature(shop, 'usage');
  await setMeter(shop, premium.code, {
    aggregation: 'sum',
    source: calls.code,
    filters: [{ property: 'tier', in: ['gold'] }],
    ...premiumMeter,
  });
  const { id: planId } = await createPlan(shop, plan);
  await attachFeature(shop, planId, calls.id, callTerms);
  await attachFeature(shop, planId, premium.id, premiumTerms);
  await setRate(shop, planId, calls.id, { amount: '0.01' });
  await setRate(shop, planId, premium.id, { amount: rate });
  await createPrice(shop, planId, price);
  const { id: customerId } = await createCustomer(shop);
  const subscription = await subscribeTo(shop, customerId, planId);
  if (subscription.token !== null) await pay(shop, subscription.token);
  return { customerId, subscriptionId: subscription.id, planId, calls, premium };
}

const gold = [{ property: 'tier', value: 'gold' }];

const track = ({ customerId, calls }: Counted, body: Body = {}) =>
  shop.rest('POST', '/usage/events', { customerId, featureCode: calls.code, ...body });

const totalOf = async ({ customerId }: Counted, { code }: MadeFeature, body: Body = {}) =>
  (await shop.rest('POST', '/usage/check', { customerId, featureCode: code, ...body })).body['current'];

const totals = async (of: Counted) => [await totalOf(of, of.calls), await totalOf(of, of.premium)];

/** Returns the stored events of a customer: feature, value, and whether they count another event. */
const eventsOf = async ({ customerId }: Counted) => {
  const rows = await t.app.database.query<{ code: string; value: bigint; isSourced: boolean }>(
    `SELECT f.code, e.value, e."sourceEventId" IS NOT NULL AS "isSourced" FROM "UsageEvent" e
     JOIN "Feature" f ON f."environmentId" = e."environmentId" AND f.id = e."featureId"
     WHERE e."environmentId" = $1 AND e."customerId" = $2 ORDER BY e.seq`,
    [shop.environmentId, customerId],
  );
  return rows.map(({ code, value, isSourced }) => [code, Number(value), isSourced]);
};

type Line = { readonly description: string; readonly amount: number };

/** Advances the clock past the renewal and returns the amounts of the overage lines of the renewal's invoice. */
async function renewed({ subscriptionId }: Counted): Promise<readonly number[]> {
  await advanceDays(shop, 31);
  const path = `/invoices/${await latestInvoice(shop, subscriptionId)}`;
  const { body } = await shop.rest<{ lineItems: readonly (Line & { lineType: string })[] }>('GET', path);
  return body.lineItems.filter(({ lineType }) => lineType === 'feature_overage').map(({ amount }) => amount);
}

describe('a meter with a source (PRM-13)', () => {
  test('counts the events of another feature that meet its filters, and both features are billed', async () => {
    const of = await createCounted();
    expect((await track(of, { value: 100 })).status).toBe(200);
    expect((await track(of, { value: 30, properties: gold })).body).toMatchObject({
      featureCode: of.calls.code,
      value: 30,
    });
    expect(await totals(of)).toEqual([130, 30]);
    expect(await eventsOf(of)).toEqual([
      [of.calls.code, 100, false],
      [of.calls.code, 30, false],
      [of.premium.code, 30, true],
    ]);
    // 130 × 0.01 and 30 × 0.50.
    expect(await renewed(of)).toEqual([130, 1_500]);
  });

  test('counts a repeated event once, alone and in batches', async () => {
    const of = await createCounted();
    const { customerId, calls } = of;
    const event = {
      customerId,
      featureCode: calls.code,
      value: 5,
      properties: gold,
      eventId: `once-${customerId}`,
    };
    const first = await track(of, event);
    expect((await track(of, event)).body).toEqual(first.body);
    const { body } = await shop.rest('POST', '/usage/events/batch', {
      events: [
        event,
        { ...event, eventId: undefined, value: 7 },
        { ...event, eventId: undefined, value: 1, properties: [] },
      ],
    });
    expect(body).toMatchObject({ recorded: 3 });
    expect(await totals(of)).toEqual([13, 12]);
  });

  test('names the source event in GraphQL and REST', async () => {
    const of = await createCounted();
    const { body } = await track(of, { value: 2, properties: gold });
    const text = `query ($ids: [ID!]) { usageEvents(filter: { customerIds: $ids }) { nodes { value sourceEventId feature { code } } } }`;
    expect(await t.graphql(text, { ids: [of.customerId] })).toEqual({
      usageEvents: {
        nodes: [
          { value: 2, sourceEventId: body['id'], feature: { code: of.premium.code } },
          { value: 2, sourceEventId: null, feature: { code: of.calls.code } },
        ],
      },
    });
    expect((await shop.rest('GET', `/features/${of.premium.code}`)).body).toMatchObject({
      meter: { source: of.calls.code },
    });
  });

  test('sends usage.recorded only for the named feature', async () => {
    const of = await createCounted();
    await track(of, { value: 2, properties: gold });
    const kinds = await t.app.database.query<{ data: { featureCode: string } }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind = 'usage.recorded'`,
      [shop.environmentId, of.customerId],
    );
    expect(kinds.map(({ data }) => data.featureCode)).toEqual([of.calls.code]);
  });

  test('rejects events that name the feature', async () => {
    const of = await createCounted();
    const own = { customerId: of.customerId, featureCode: of.premium.code, value: 1 };
    expect(await shop.rest('POST', '/usage/events', own)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param: 'featureCode', details: { reason: 'has_source' } } },
    });
    expect(
      (await shop.rest('POST', '/usage/holds', { ...own, value: undefined, estimate: { value: 1 } })).status,
    ).toBe(400);
    expect(await eventsOf(of)).toEqual([]);
  });

  test('is rejected as a whole if one feature rejects it', async () => {
    const of = await createCounted({ premium: { includedAmount: 10 } });
    await track(of, { value: 8, properties: gold });
    const rejected = {
      error: { code: 'included_limit_reached', details: { featureCode: of.premium.code, remaining: 2 } },
    };
    expect(await track(of, { value: 3, properties: gold })).toMatchObject({ body: rejected });
    const check = { customerId: of.customerId, featureCode: of.calls.code, quantity: 3, properties: gold };
    expect((await shop.rest('POST', '/usage/check', check)).body).toMatchObject({
      allowed: false,
      reason: 'included_limit_reached',
    });
    expect((await shop.rest('POST', '/usage/check', { ...check, quantity: 2 })).body).toMatchObject({
      allowed: true,
    });
    expect(await totals(of)).toEqual([8, 8]);
    expect(await eventsOf(of)).toHaveLength(2);
    await track(of, { value: 2, properties: gold });
    expect(await totals(of)).toEqual([10, 10]);
  });

  test('takes the price of both features from one balance, or nothing', async () => {
    const of = await createCounted({
      plan: { consumptionModel: 'balance', blockOnExhaustion: true },
      price: { includedBalance: 52_000 },
      calls: { pricingMode: 'fixed', overage: { unitPrice: 1 } },
      premium: { pricingMode: 'fixed', overage: { unitPrice: 1 } },
    });
    // 10 × (0.01 + 0.50) = 5.10 of 5.20.
    await track(of, { value: 10, properties: gold });
    const balance = async () =>
      (await shop.rest('POST', '/usage/check', { customerId: of.customerId, featureCode: of.calls.code }))
        .body['currentBalance'];
    expect(await balance()).toBe(1_000);
    // The 0.01 of the call fits, and 0.50 doesn't.
    expect((await track(of, { value: 1, properties: gold })).body).toMatchObject({
      error: { code: 'insufficient_balance', details: { featureCode: of.premium.code } },
    });
    expect(await balance()).toBe(1_000);
    expect((await track(of, { value: 10 })).status).toBe(200);
    expect(await balance()).toBe(0);
  });

  test('needs no further statement if no feature has the source', async () => {
    const counted = await createCounted();
    const plain = await createCounted({ premiumMeter: { source: null, filters: [] } });
    const read = async (of: Counted) => {
      const { statements } = await statementsOf(
        t,
        `query ($customerId: ID!, $featureCode: String!) {
          usageCheck(input: { customerId: $customerId, featureCode: $featureCode, quantity: 1 }) { allowed }
        }`,
        { customerId: of.customerId, featureCode: of.calls.code },
      );
      return statements.length;
    };
    await read(counted);
    await read(plain);
    const without = await read(plain);
    expect(await read(counted)).toBe(without + 1);
  });
});

describe('a correction of a source event (PRM-126)', () => {
  const correct = (id: unknown, action: 'void' | 'replace', body: Body = {}) =>
    shop.rest('POST', `/usage/events/${String(id)}/${action}`, body);

  test('voids and replaces the event for all features', async () => {
    const of = await createCounted();
    const { body: first } = await track(of, { value: 10, properties: gold });
    const { body: second } = await track(of, { value: 5, properties: gold });
    const { body: third } = await track(of, { value: 3 });
    expect((await correct(first['id'], 'void')).status).toBe(200);
    expect(await totals(of)).toEqual([8, 5]);
    const replaced = await correct(second['id'], 'replace', { value: 7 });
    expect(replaced.status).toBe(200);
    expect(await totals(of)).toEqual([10, 7]);
    // The replacement is the first version of the event that counts for the premium feature.
    expect((await correct(third['id'], 'replace', { properties: gold })).status).toBe(200);
    expect(await totals(of)).toEqual([10, 10]);
    const again = (replaced.body['replacement'] as Body)['id'];
    expect((await correct(again, 'replace', { properties: [] })).status).toBe(200);
    expect(await totals(of)).toEqual([10, 3]);
    expect(await renewed(of)).toEqual([10, 150]);
  });

  test('is rejected for the event that counts the source event', async () => {
    const of = await createCounted();
    await track(of, { value: 10, properties: gold });
    const [counting] = await t.app.database.query<{ id: string }>(
      `SELECT id FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2 AND "sourceEventId" IS NOT NULL`,
      [shop.environmentId, of.customerId],
    );
    expect(await correct(counting?.id, 'void')).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: { reason: 'has_source' } } },
    });
    expect(await totals(of)).toEqual([10, 10]);
  });

  test('credits both features if the window was billed', async () => {
    const of = await createCounted();
    const { body } = await track(of, { value: 10, properties: gold });
    expect(await renewed(of)).toEqual([10, 500]);
    expect((await correct(body['id'], 'void')).status).toBe(200);
    await advanceDays(shop, 31);
    const path = `/invoices/${await latestInvoice(shop, of.subscriptionId)}`;
    const invoice = await shop.rest<{ lineItems: readonly (Line & { lineType: string })[] }>('GET', path);
    const credits = invoice.body.lineItems.filter(({ lineType }) => lineType === 'credit');
    expect(credits.map(({ amount }) => amount)).toEqual([-10, -500]);
  });
});

describe('a hold of a source feature', () => {
  test('records the settled usage for all features', async () => {
    const of = await createCounted({ premium: { includedAmount: 10 } });
    const hold = {
      customerId: of.customerId,
      featureCode: of.calls.code,
      estimate: { value: 6 },
      properties: gold,
    };
    expect(
      (await shop.rest('POST', '/usage/holds', { ...hold, estimate: { value: 11 } })).body,
    ).toMatchObject({
      error: { code: 'included_limit_reached', details: { featureCode: of.premium.code } },
    });
    const { body } = await shop.rest('POST', '/usage/holds', hold);
    const settled = await track(of, { hold: body['id'], value: 12 });
    expect(settled.status).toBe(200);
    expect(await totals(of)).toEqual([12, 12]);
  });
});

describe('limits of a source feature', () => {
  const limit = async ({ customerId }: Counted, body: Body): Promise<void> => {
    const scope = { customer: customerId };
    expect((await shop.rest('POST', '/limits', { scope, action: 'block', ...body })).status).toBe(201);
  };
  const usedBy = async ({ customerId }: Counted) => {
    const { body } = await shop.rest<{ data: readonly { used: string }[] }>(
      'GET',
      `/customers/${customerId}/limits`,
    );
    return body.data.map(({ used }) => Number(used));
  };

  test('determine together with the limits of counting features the largest quantity of a check', async () => {
    const of = await createCounted({ premium: { includedAmount: 10 } });
    const check = async (body: Body) => {
      const { customerId, calls } = of;
      const path = '/usage/check';
      return (await shop.rest('POST', path, { customerId, featureCode: calls.code, ...body })).body;
    };
    await limit(of, {
      measure: 'units',
      window: { kind: 'day' },
      amount: 100,
      filter: { features: [of.calls.code] },
    });
    expect(await check({ quantity: 1 })).toMatchObject({ allowed: true, maxQuantity: 100 });
    expect(await check({ quantity: 1, properties: gold })).toMatchObject({ allowed: true, maxQuantity: 10 });
    await track(of, { value: 4, properties: gold });
    expect(await check({ quantity: 7, properties: gold })).toMatchObject({
      allowed: false,
      reason: 'included_limit_reached',
      maxQuantity: 6,
    });
    expect((await track(of, { value: 6, properties: gold })).status).toBe(200);
    expect(await check({ quantity: 1, properties: gold })).toMatchObject({ allowed: false, maxQuantity: 0 });
    expect(await totals(of)).toEqual([10, 10]);
  });

  test('can apply only to a counting feature, and determine the largest quantity', async () => {
    const of = await createCounted();
    await limit(of, {
      measure: 'units',
      window: { kind: 'day' },
      amount: 4,
      filter: { features: [of.premium.code] },
    });
    const check = { customerId: of.customerId, featureCode: of.calls.code, quantity: 5 };
    expect((await shop.rest('POST', '/usage/check', { ...check, properties: gold })).body).toMatchObject({
      allowed: false,
      maxQuantity: 4,
    });
    expect((await shop.rest('POST', '/usage/check', check)).body).not.toHaveProperty('maxQuantity');
  });

  test('count a call once without features, and the price of all features', async () => {
    const of = await createCounted();
    const day = { kind: 'day' };
    await limit(of, { measure: 'calls', window: day, amount: 3 });
    await limit(of, { measure: 'calls', window: day, amount: 9, filter: { features: [of.premium.code] } });
    await limit(of, { measure: 'spend', currency: 'usd', window: day, amount: 1_000 });
    // 4 × (0.01 + 0.50) = 2.04.
    const { body } = await track(of, { value: 4, properties: gold });
    expect(await usedBy(of)).toEqual([1, 1, 2.04]);
    // 16 × 0.51 = 8.16 and 2.04 exceed 10.00 only together.
    expect((await track(of, { value: 16, properties: gold })).body).toMatchObject({
      error: { code: 'included_limit_reached', details: { reason: 'limit_reached' } },
    });
    expect(await usedBy(of)).toEqual([1, 1, 2.04]);
    expect((await shop.rest('POST', `/usage/events/${String(body['id'])}/void`)).status).toBe(200);
    expect((await usedBy(of)).slice(0, 2)).toEqual([0, 0]);
  });

  test('include past usage once', async () => {
    const of = await createCounted();
    await track(of, { value: 4, properties: gold });
    await limit(of, { measure: 'calls', window: { kind: 'day' }, amount: 30 });
    const past = await usedBy(of);
    expect(past).toEqual([1]);
  });

  test('change nothing if a feature rejects the usage because of a limit on the feature', async () => {
    const of = await createCounted();
    const features = [of.premium.code];
    await limit(of, { measure: 'units', window: { kind: 'day' }, amount: 5, filter: { features } });
    await limit(of, { measure: 'calls', window: { kind: 'day' }, amount: 30 });
    expect((await track(of, { value: 6, properties: gold })).body).toMatchObject({
      error: {
        code: 'included_limit_reached',
        details: { reason: 'limit_reached', featureCode: of.premium.code },
      },
    });
    expect(await usedBy(of)).toEqual([0, 0]);
    expect(await totals(of)).toEqual([0, 0]);
    expect((await track(of, { value: 6 })).status).toBe(200);
    expect(await usedBy(of)).toEqual([0, 1]);
  });
});

describe('the source of a meter', () => {
  const meter = (code: string, body: Body) =>
    shop.rest('PUT', `/features/${code}/meter`, { aggregation: 'sum', ...body });
  const problems = (field: string, text: string) => ({
    status: 400,
    body: {
      error: {
        code: 'validation_error',
        details: {
          reason: 'bad_meter',
          problems: [{ field, message: expect.stringContaining(text) as string }],
        },
      },
    },
  });

  test('must be another usage feature without a source', async () => {
    const [a, b, c, seats] = [
      await createFeature(shop, 'usage'),
      await createFeature(shop, 'usage'),
      await createFeature(shop, 'usage'),
      await createFeature(shop, 'seats'),
    ];
    expect(await meter(a.code, { source: 'missing' })).toMatchObject(problems('source', "doesn't exist"));
    expect(await meter(a.code, { source: a.code })).toMatchObject(problems('source', 'another feature'));
    expect(await meter(a.code, { source: seats.code })).toMatchObject(problems('source', 'usage feature'));
    expect((await meter(b.code, { source: a.id })).body).toMatchObject({ meter: { source: a.code } });
    expect(await meter(c.code, { source: b.code })).toMatchObject(problems('source', 'also has a source'));
    expect(await meter(a.code, { source: c.code })).toMatchObject(problems('source', b.code));
    expect((await shop.rest('GET', `/features/${a.code}`)).body).not.toHaveProperty('meter');
    expect(await shop.rest('DELETE', `/features/${a.code}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'feature_in_use' } },
    });
    expect((await meter(b.code, {})).status).toBe(200);
    expect((await shop.rest('DELETE', `/features/${a.code}`)).status).toBeLessThan(300);
  });

  test('needs no more decimals than the meter, and is counted by up to 20 features', async () => {
    const a = await createFeature(shop, 'usage');
    await meter(a.code, { decimals: 3 });
    const b = await createFeature(shop, 'usage');
    expect(await meter(b.code, { source: a.code, decimals: 2 })).toMatchObject(
      problems('decimals', 'at least 3'),
    );
    expect((await meter(b.code, { source: a.code, decimals: 3 })).status).toBe(200);
    expect(await meter(a.code, { decimals: 4 })).toMatchObject(problems('decimals', b.code));
    for (let count = 1; count < 20; count++)
      expect(
        (await meter((await createFeature(shop, 'usage')).code, { source: a.code, aggregation: 'count' }))
          .status,
      ).toBe(200);
    const last = await createFeature(shop, 'usage');
    expect(await meter(last.code, { source: a.code, aggregation: 'count' })).toMatchObject(
      problems('source', '20 features'),
    );
  });
});
