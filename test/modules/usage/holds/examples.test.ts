import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  createAiConsumer,
  createConsumer,
  createCreditsConsumer,
  listModel,
  of,
} from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// The examples of the chapter about limits: holds with tiers, caps, pools, and partial settlements.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const post = async (path: string, body: Json) =>
  (await shop.rest('POST', path, body)) as { status: number; body: Json };

/** Opens a hold. Returns its ID, or the error code. */
async function hold(consumer: Consumer, estimate: Json, options: Json = {}): Promise<string> {
  const { status, body } = await post('/usage/holds', { ...of(consumer), estimate, ...options });
  return status === 201 ? String(body['id']) : (body['error'] as { code: string }).code;
}

async function settle(id: string, body: Json): Promise<Json> {
  const { status, body: event } = await post(`/usage/holds/${id}/settle`, body);
  expect(status, JSON.stringify(event)).toBe(200);
  return event;
}

const release = (id: string) => post(`/usage/holds/${id}/release`, {});

const use = async (consumer: Consumer, value: number): Promise<number> =>
  (await post('/usage/events', { ...of(consumer), value })).status;

async function limit(consumer: Consumer, body: Json): Promise<void> {
  const { status, body: created } = await post('/limits', {
    action: 'block',
    window: { kind: 'usage_window' },
    scope: { customer: consumer.customerId },
    ...body,
  });
  expect(status, JSON.stringify(created)).toBe(201);
}

/** Returns the used, held, and remaining amount of the customer's only limit. */
async function state({ customerId }: Consumer): Promise<readonly unknown[]> {
  const { body } = await shop.rest('GET', `/customers/${customerId}/limits`);
  const [first] = body['data'] as readonly Json[];
  return [first?.['used'], first?.['held'] ?? '0', first?.['remaining']];
}

const spendCap = (amount: number) => ({ measure: 'spend', currency: 'usd', amount });

const overage = (rate: Json): Promise<Consumer> =>
  createConsumer(shop, { terms: { includedAmount: 0, overage: { enabled: true } }, rate });

const perCent = { model: 'per_unit', amount: '0.01' };

describe('a hold on tokens', () => {
  test('reserves its price, and fewer output tokens if the estimate does not fit (LIM-E9)', async () => {
    const model = await listModel(shop);
    const consumer = await createConsumer(shop, {
      plan: { consumptionModel: 'balance', blockOnExhaustion: true },
      price: { includedBalance: 4_200_000 },
      terms: { pricingMode: 'ai_model', margin: 0 },
    });
    await limit(consumer, { measure: 'value', currency: 'usd', amount: 1_000, window: { kind: 'lifetime' } });
    const tokens = (inputTokens: number, outputTokens: number) => ({ model, inputTokens, outputTokens });
    const used = await post('/usage/events', { ...of(consumer), ...tokens(4_586_046, 0) });
    expect(used.status).toBe(200);
    const [before] = await state(consumer);
    // 9.86 is used, except for the price of half a token.
    expect(Number(before)).toBeCloseTo(9.86, 4);
    const first = await hold(consumer, tokens(18_400, 4_000));
    expect(first).toMatch(/^hld_/);
    expect((await state(consumer))[1]).toBe('0.07396');
    expect(await hold(consumer, tokens(18_400, 4_000))).toBe('insufficient_balance');
    const cut = await post('/usage/holds', {
      ...of(consumer),
      estimate: tokens(18_400, 4_000),
      atLeast: 500,
    });
    expect(cut.body).toMatchObject({ outputTokens: 3_079, status: 'open' });
    expect((await release(String(cut.body['id']))).status).toBe(200);
    const event = await settle(first, tokens(18_400, 2_750));
    expect(event).toMatchObject({ hold: first });
    const [after, held] = await state(consumer);
    expect(Number(after) - Number(before)).toBeCloseTo(0.06321, 6);
    expect(held).toBe('0');
  });
});

describe('usage above the hold', () => {
  test.each([
    { onExcess: 'fit', used: '5', uncounted: { quantity: '12', amount: '0.12' }, overruns: 0 },
    { onExcess: 'accept', used: '5.12', uncounted: undefined, overruns: 1 },
    { onExcess: 'drop', used: '4.9', uncounted: { quantity: '22', amount: '0.22' }, overruns: 0 },
  ])('is charged as $onExcess says (LIM-E10)', async ({ onExcess, used, uncounted, overruns }) => {
    const consumer = await overage(perCent);
    await limit(consumer, spendCap(500));
    expect(await use(consumer, 460)).toBe(200);
    const id = await hold(consumer, { value: 30 }, { onExcess });
    const event = await settle(id, { value: 52 });
    expect(event).toMatchObject({ value: 52 });
    expect(event['uncounted']).toEqual(uncounted);
    expect(await state(consumer)).toEqual([used, '0', used === '4.9' ? '0.1' : '0']);
    const sent = await t.app.database.query<{ kind: string; data: Json }>(
      `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind IN ('limit.overrun', 'usage.uncounted')`,
      [t.sandboxId, consumer.customerId],
    );
    expect(sent.filter(({ kind }) => kind === 'limit.overrun').map(({ data }) => data['excess'])).toEqual(
      overruns === 1 ? ['0.12'] : [],
    );
    expect(sent.filter(({ kind }) => kind === 'usage.uncounted')).toHaveLength(
      uncounted === undefined ? 0 : 1,
    );
    const { body } = await shop.rest<{ data: Json[] }>(
      'GET',
      `/limit-crossings?customerId=${consumer.customerId}`,
    );
    const [latest, ...others] = body.data;
    expect([...others, latest].filter((row) => row?.['kind'] === 'overrun')).toHaveLength(overruns);
    if (overruns === 1)
      expect(latest).toMatchObject({
        kind: 'overrun',
        cause: null,
        threshold: '5',
        value: '5.12',
        excess: '0.12',
        customer: { id: consumer.customerId },
      });
    for (const row of others) expect(row).not.toHaveProperty('excess');
  });
});

describe('holds on tiers', () => {
  test('reserve the highest price of all open holds together (LIM-E11)', async () => {
    const consumer = await overage({
      model: 'graduated',
      tiers: [
        { upTo: 100, amount: '0.10' },
        { upTo: null, amount: '0.02' },
      ],
    });
    await limit(consumer, spendCap(1_200));
    const a = await hold(consumer, { value: 100 });
    expect(await state(consumer)).toEqual(['0', '10', '2']);
    const b = await hold(consumer, { value: 50 });
    expect(await state(consumer)).toEqual(['0', '11', '1']);
    expect(await hold(consumer, { value: 60 })).toBe('included_limit_reached');
    await release(a);
    expect(await state(consumer)).toEqual(['0', '5', '7']);
    await settle(b, { value: 50 });
    expect(await state(consumer)).toEqual(['5', '0', '7']);
    const c = await hold(consumer, { value: 60 });
    expect(c).toMatch(/^hld_/);
    expect(await state(consumer)).toEqual(['5', '5.2', '1.8']);
  });

  test('reserve the peak of a volume price (LIM-E12)', async () => {
    const consumer = await overage({
      model: 'volume',
      tiers: [
        { upTo: 10_000, amount: '0.015' },
        { upTo: null, amount: '0.008' },
      ],
    });
    await limit(consumer, spendCap(100_000));
    expect(await use(consumer, 8_000)).toBe(200);
    await hold(consumer, { value: 4_000 });
    expect(await state(consumer)).toEqual(['120', '30', '850']);
  });
});

describe('partial settlements', () => {
  test('move the settled part of the hold (LIM-E14)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10_000 } });
    await limit(consumer, { measure: 'units', amount: 5_000, filter: { features: [consumer.feature.code] } });
    const id = await hold(consumer, { value: 2_000 });
    const first = await settle(id, { value: 700, final: false });
    expect(await state(consumer)).toEqual(['700', '1300', '3000']);
    const second = await settle(id, { value: 700, final: false, eventId: `${id}-2` });
    expect(await state(consumer)).toEqual(['1400', '600', '3000']);
    expect(await settle(id, { value: 700, final: false, eventId: `${id}-2` })).toEqual(second);
    expect(first['id']).not.toBe(second['id']);
    await settle(id, { value: 350 });
    expect(await state(consumer)).toEqual(['1750', '0', '3250']);
    const { body } = await shop.rest('GET', `/usage/holds/${id}`);
    expect(body).toMatchObject({ status: 'settled', quantity: '2000', settled: '1750', remaining: '0' });
  });
});

describe('holds on credits', () => {
  test('reserve credits, which other usage cannot draw on (LIM-E16)', async () => {
    const consumer = await createCreditsConsumer(shop, 1_200, 1);
    const a = await hold(consumer, { value: 550 });
    const credits = async () =>
      (await shop.rest('GET', `/subscriptions/${consumer.subscriptionId}`)).body['credits'] as Json;
    expect(await credits()).toMatchObject({ remaining: 650 });
    expect(await use(consumer, 400)).toBe(200);
    expect(await credits()).toMatchObject({ remaining: 250 });
    expect(await hold(consumer, { value: 260 })).toBe('insufficient_credits');
    expect(await use(consumer, 251)).toBe(400);
    await settle(a, { value: 430 });
    expect(await credits()).toMatchObject({ remaining: 370 });
    const check = await post('/usage/check', { ...of(consumer), quantity: 371 });
    expect(check.body).toMatchObject({ allowed: false });
  });

  test('settle on a balance with the exact price of tokens, and leave nothing held', async () => {
    const model = await listModel(shop);
    const consumer = await createAiConsumer(shop);
    const id = await hold(consumer, { model, inputTokens: 10_000, outputTokens: 2_000 });
    const event = await settle(id, { model, inputTokens: 10_000, outputTokens: 1_000 });
    const alone = await createAiConsumer(shop);
    const { body } = await post('/usage/events', {
      ...of(alone),
      model,
      inputTokens: 10_000,
      outputTokens: 1_000,
    });
    expect(event['consumption']).toEqual(body['consumption']);
    const rows = await t.app.database.query<{ pools: unknown; held: unknown }>(
      `SELECT a.pools, c.held FROM "ConsumptionAccount" a JOIN "UsageCounter" c ON c."environmentId" = a."environmentId" AND c."subscriptionId" = a.id
       WHERE a."environmentId" = $1 AND a.id = ANY($2) ORDER BY a.seq`,
      [t.sandboxId, [consumer.subscriptionId, alone.subscriptionId]],
    );
    expect(rows[0]).toEqual(rows[1]);
  });
});
