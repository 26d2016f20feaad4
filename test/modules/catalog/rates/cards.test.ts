import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, consumptionOf, createConsumer, of, setRate } from '../../../support/consumers.ts';
import { advanceDays, createAddon, createFeature, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = Readonly<Record<string, unknown>>;

const cells = [
  { when: { model: ['L'] }, rate: { amount: '0.0120' } },
  { when: { model: ['S'] }, rate: { amount: '0.0015' } },
];
const meter = { aggregation: 'sum', dimensions: [{ property: 'model' }, { property: 'region' }] };

const properties = (model: string, region = 'eu') => [
  { property: 'model', value: model },
  { property: 'region', value: region },
];

const track = (consumer: Consumer, value: number, model: string, region?: string) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), value, properties: properties(model, region) });

const totals = async (consumer: Consumer, query: string) => {
  const { customerId, featureCode } = of(consumer);
  return shop.rest('GET', `/usage/totals?customerId=${customerId}&featureCode=${featureCode}&${query}`);
};

/** Returns the lines of the customer's latest invoice that charge for usage. */
async function overageLines(consumer: Consumer): Promise<readonly Body[]> {
  const { body } = await shop.rest('GET', `/invoices?customerId=${consumer.customerId}`);
  const [invoice] = body['data'] as readonly Body[];
  const { body: full } = await shop.rest('GET', `/invoices/${invoice?.['id']}`);
  return (full['lineItems'] as readonly Body[]).filter(({ lineType }) => lineType === 'feature_overage');
}

const metered = (rate: Body, includedAmount = 0) =>
  createConsumer(shop, { terms: { includedAmount, overage: { enabled: true } }, meter, rate });

describe('a metered feature with a card', () => {
  test.each([
    [0, [2_880, 4_650]],
    [5_000, [4_260]],
  ])('is invoiced by cell with %i included units (PRM-E4)', async (included, amounts) => {
    const consumer = await metered({ cells }, included);
    for (const [value, model] of [
      [1_000, 'L'],
      [31_000, 'S'],
      [1_400, 'L'],
    ] as const)
      expect((await track(consumer, value, model)).status).toBe(200);
    await advanceDays(shop, 32);
    const lines = await overageLines(consumer);
    expect(lines.map(({ amount }) => amount)).toEqual(amounts);
    expect(lines.at(-1)?.['description']).toMatch(/\(S\): \d+ \(1 and above\)$/);
  });

  test('rejects usage without a price and changes nothing', async () => {
    const consumer = await metered({ cells });
    const rejected = await track(consumer, 5, 'M');
    expect(rejected.status).toBe(400);
    expect(rejected.body).toMatchObject({
      error: { code: 'validation_error', details: { reason: 'no_price_for_dimensions' } },
    });
    expect((await consumptionOf(shop, consumer)).total).toBe(0n);
    expect((await totals(consumer, 'groupBy=model')).body['data']).toEqual([]);
  });

  test('returns totals by dimension', async () => {
    const consumer = await metered({ cells, default: { amount: '0.001' } });
    await track(consumer, 5, 'L', 'eu');
    await track(consumer, 7, 'L', 'us');
    await track(consumer, 3, 'S', 'us');
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 1 });
    expect((await totals(consumer, 'groupBy=model')).body['data']).toEqual([
      { model: 'L', total: 12 },
      { model: 'S', total: 3 },
      { model: '', total: 1 },
    ]);
    expect((await totals(consumer, 'groupBy=region&groupBy=model')).body['data']).toEqual([
      { region: 'us', model: 'L', total: 7 },
      { region: 'eu', model: 'L', total: 5 },
      { region: 'us', model: 'S', total: 3 },
      { region: '', model: '', total: 1 },
    ]);
    expect((await totals(consumer, 'groupBy=color')).body).toMatchObject({
      error: { code: 'validation_error', details: { reason: 'unknown_dimension' } },
    });
  });

  test('moves corrected usage out of its cell', async () => {
    const consumer = await metered({ cells });
    const [first, second] = [await track(consumer, 1_000, 'L'), await track(consumer, 2_000, 'S')];
    await shop.rest('POST', `/usage/events/${first.body['id']}/void`, {});
    await shop.rest('POST', `/usage/events/${second.body['id']}/replace`, { properties: properties('L') });
    expect((await totals(consumer, 'groupBy=model')).body['data']).toEqual([{ model: 'L', total: 2_000 }]);
    await advanceDays(shop, 32);
    expect((await overageLines(consumer)).map(({ amount }) => amount)).toEqual([2_400]);
  });

  test('treats a repeated event ID with other dimension values as a duplicate', async () => {
    const consumer = await metered({ cells });
    const send = (model: string) =>
      shop.rest('POST', '/usage/events', {
        ...of(consumer),
        value: 1,
        eventId: `dimension-${consumer.customerId}`,
        properties: properties(model),
      });
    expect((await send('L')).status).toBe(200);
    expect((await send('L')).status).toBe(200);
    expect((await send('S')).body).toMatchObject({ error: { code: 'duplicate' } });
    expect((await consumptionOf(shop, consumer)).total).toBe(1n);
  });
});

describe('a balance plan with a card', () => {
  const balanced = () =>
    createConsumer(shop, {
      plan: { consumptionModel: 'balance', blockOnExhaustion: true },
      price: { includedBalance: 420_000 },
      terms: {},
      meter,
      rate: { cells, default: { amount: '0.0001' } },
    });

  test('deducts the price of the event by its cell, in any order', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      const consumer = await balanced();
      const events = [
        [100, 'L'],
        [1_000, 'S'],
        [3, 'M'],
      ] as const;
      for (const index of order) {
        const [value, model] = events[index] ?? [1, 'L'];
        expect((await track(consumer, value, model)).status).toBe(200);
      }
      expect((await consumptionOf(shop, consumer)).balance).toBe(420_000n - 12_000n - 15_000n - 3n);
    }
  });

  test('checks usage by its dimension values', async () => {
    const consumer = await balanced();
    const check = (model: string) =>
      shop.rest('POST', '/usage/check', { ...of(consumer), quantity: 4_000, properties: properties(model) });
    expect((await check('L')).body).toMatchObject({ allowed: false, estimatedAmount: 480_000 });
    expect((await check('S')).body).toMatchObject({ allowed: true, estimatedAmount: 60_000 });
  });

  test('returns the price of a voided event', async () => {
    const consumer = await balanced();
    const event = await track(consumer, 100, 'L');
    await track(consumer, 1_000, 'S');
    await shop.rest('POST', `/usage/events/${event.body['id']}/void`, {});
    expect((await consumptionOf(shop, consumer)).balance).toBe(405_000n);
  });
});

describe('a saved rate card', () => {
  const create = (code: string, body: Body = { cells }) =>
    shop.rest('POST', '/rate-cards', { code, name: 'AI models', ...body });

  test('is created, read, listed, changed, and deleted', async () => {
    const { status, body } = await create('first_card');
    expect(status).toBe(201);
    expect(body).toMatchObject({ code: 'first_card', version: 1, object: 'rate_card', default: null });
    expect((await shop.rest('GET', '/rate-cards/first_card')).body).toEqual(body);
    expect((await shop.rest('GET', '/rate-cards')).body['data']).toContainEqual(body);
    expect((await create('first_card')).body).toMatchObject({ error: { code: 'duplicate', param: 'code' } });
    const changed = await shop.rest('PATCH', `/rate-cards/${body['id']}`, { default: { amount: '1' } });
    expect(changed.body).toMatchObject({ version: 2, cells: body['cells'], default: { per: 1 } });
    expect((await shop.rest('PATCH', `/rate-cards/${body['id']}`, { name: 'Models' })).body).toMatchObject({
      version: 2,
      name: 'Models',
    });
    expect((await shop.rest('DELETE', `/rate-cards/${body['id']}`)).status).toBe(200);
    expect((await shop.rest('GET', `/rate-cards/${body['id']}`)).body).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  test('gives its rates to the features that refer to it, until it is no longer used', async () => {
    const card = await create('used_card');
    const consumer = await metered({ amount: '0.0200' });
    const path = `/plans/${consumer.planId}/features/${consumer.feature.id}/rate`;
    const set = await shop.rest('PUT', path, { rateCardId: card.body['id'] });
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    expect(set.body).toMatchObject({
      rate: null,
      rateCard: { rateCardId: card.body['id'], cells: [{}, {}] },
    });
    expect((await shop.rest('DELETE', `/rate-cards/${card.body['id']}`)).body).toMatchObject({
      error: { code: 'price_in_use' },
    });
    await track(consumer, 1_000, 'L');
    const cheaper = [{ when: { model: ['L'] }, rate: { amount: '0.0100' } }, cells[1]];
    await shop.rest('PATCH', `/rate-cards/${card.body['id']}`, { cells: cheaper });
    await advanceDays(shop, 32);
    expect((await overageLines(consumer)).map(({ amount }) => amount)).toEqual([1_000]);
    await setRate(shop, consumer.planId, consumer.feature.id, { amount: '0.01' });
    expect((await shop.rest('DELETE', `/rate-cards/${card.body['id']}`)).status).toBe(200);
  });

  test.each([
    [{ cells: [...cells, cells[0]] }, 'ambiguous_cells'],
    [{ cells: [{ when: { model: 'L' }, rate: { amount: '1' } }] }, 'bad_rate'],
    [{}, 'bad_rate'],
  ])('is rejected with %j', async (body, reason) => {
    expect((await create('invalid_card', body)).body).toMatchObject({
      error: { code: 'validation_error', details: { reason } },
    });
    expect((await shop.rest('GET', '/rate-cards/invalid_card')).status).toBe(404);
  });

  test.each([
    [
      'other conditions',
      [{ currency: 'brl', cells: [cells[0]] }],
      { code: 'validation_error', param: 'overrides.0.cells', details: { reason: 'bad_rate' } },
    ],
    [
      'one rate for all usage',
      [{ currency: 'brl', amount: '1' }],
      { code: 'validation_error', param: 'overrides.0.cells', details: { reason: 'bad_rate' } },
    ],
    [
      'US dollars without a market',
      [{ currency: 'usd', cells }],
      { code: 'validation_error', param: 'overrides.0.currency', details: { reason: 'bad_rate' } },
    ],
    [
      'an unknown market',
      [{ currency: 'usd', marketId: 'pmg_none', cells }],
      { code: 'market_not_found', param: 'overrides.0.marketId' },
    ],
  ])('rejects an override with %s and changes nothing', async (_title, overrides, error) => {
    expect((await create('card_with_overrides', { cells, overrides })).body).toMatchObject({ error });
    expect((await shop.rest('GET', '/rate-cards/card_with_overrides')).status).toBe(404);
    const card = await create(
      `kept_${overrides[0]?.currency}_${error.param.replaceAll('.', '_').toLowerCase()}`,
    );
    expect((await shop.rest('PATCH', `/rate-cards/${card.body['id']}`, { overrides })).body).toMatchObject({
      error,
    });
    expect((await shop.rest('GET', `/rate-cards/${card.body['id']}`)).body).toEqual(card.body);
    await shop.rest('DELETE', `/rate-cards/${card.body['id']}`);
  });

  test('keeps its overrides if they are omitted, and gives changed overrides to a feature and an add-on', async () => {
    const inReais = (amount: string) => [
      { currency: 'brl', cells: cells.map(({ when }) => ({ when, rate: { amount } })) },
    ];
    const card = await create('regional_card', { cells, overrides: inReais('0.5') });
    const consumer = await metered({ amount: '0.0200' });
    const path = `/plans/${consumer.planId}/features/${consumer.feature.id}`;
    await shop.rest('PUT', `${path}/rate`, { rateCardId: card.body['id'] });
    const addon = await createAddon(shop, {
      featureId: consumer.feature.id,
      consumptionModel: 'metered',
      includedUnits: 0,
      overageRate: 1,
    });
    const set = await shop.rest('PUT', `/addons/${addon.id}/rate`, { rateCardId: 'regional_card' });
    expect(set.body).toMatchObject({ rateCard: { rateCardId: card.body['id'] } });
    const amountOf = (rate: unknown) => [{ cells: [{ rate: { tiers: [{ amount: rate }] } }, {}] }];
    const named = await shop.rest('PATCH', `/rate-cards/${card.body['id']}`, { name: 'Regional' });
    expect(named.body).toMatchObject({ version: 1, overrides: amountOf('0.5') });
    const changed = await shop.rest('PATCH', `/rate-cards/${card.body['id']}`, { overrides: inReais('0.4') });
    expect(changed.body).toMatchObject({ version: 2, overrides: amountOf('0.4') });
    expect((await shop.rest('PATCH', path, { enabled: true })).body).toMatchObject({
      rateCard: { overrides: amountOf('0.4') },
    });
    expect((await shop.rest('GET', `/addons/${addon.id}`)).body).toMatchObject({
      rateCard: { overrides: amountOf('0.4') },
    });
    expect((await shop.rest('DELETE', `/rate-cards/${card.body['id']}`)).body).toMatchObject({
      error: { code: 'price_in_use' },
    });
    // A unit price replaces the rates by dimension together with their overrides.
    const plain = await shop.rest('PATCH', `/addons/${addon.id}`, { overageRate: 5 });
    expect(plain.body).toMatchObject({ overageRate: 5 });
    expect(plain.body).not.toHaveProperty('rateCard');
  });

  test("can't have overrides as the price of an add-on in credits, or lack a dimension, and changes nothing", async () => {
    const overrides = [{ currency: 'brl', cells }];
    const card = await create('credits_card', { cells, overrides });
    const feature = await createFeature(shop, 'usage');
    const addon = await createAddon(shop, {
      featureId: feature.id,
      consumptionModel: 'credits',
      creditCost: 2,
    });
    const before = (await shop.rest('GET', `/addons/${addon.id}`)).body;
    const set = (body: Body) => shop.rest('PUT', `/addons/${addon.id}/rate`, body);
    expect((await set({ rateCardId: card.body['id'] })).body).toMatchObject({
      error: { code: 'validation_error', details: { reason: 'unknown_dimension' } },
    });
    await shop.rest('PUT', `/features/${feature.code}/meter`, meter);
    expect((await set({ rateCardId: card.body['id'] })).body).toMatchObject({
      error: { param: 'rateCardId.overrides', details: { reason: 'bad_rate' } },
    });
    expect((await set({ rate: { cells }, rateCardId: card.body['id'] })).body).toMatchObject({
      error: { param: 'rate', details: { reason: 'bad_rate' } },
    });
    expect((await set({})).body).toMatchObject({ error: { param: 'rate' } });
    expect((await set({ rateCardId: 'rcd_none' })).body).toMatchObject({
      error: { code: 'not_found', param: 'rateCardId' },
    });
    expect((await set({ rate: { cells, overrides } })).body).toMatchObject({
      error: { param: 'rate.overrides', details: { reason: 'bad_rate' } },
    });
    expect((await shop.rest('GET', `/addons/${addon.id}`)).body).toEqual(before);
  });

  test('is rejected for a feature whose meter lacks a dimension', async () => {
    const consumer = await createConsumer(shop);
    const path = `/plans/${consumer.planId}/features/${consumer.feature.id}/rate`;
    expect((await shop.rest('PUT', path, { rate: { cells } })).body).toMatchObject({
      error: {
        code: 'validation_error',
        details: { reason: 'unknown_dimension', problems: [{ field: 'rate.cells.0.when.model' }, {}] },
      },
    });
    const divided = await metered({ cells });
    const meterPath = `/features/${divided.feature.code}/meter`;
    expect((await shop.rest('PUT', meterPath, { aggregation: 'sum' })).body).toMatchObject({
      error: { code: 'validation_error', details: { reason: 'unknown_dimension' } },
    });
  });

  test('is the basis of a preview', async () => {
    const card = await create('preview_card', { cells, default: { amount: '0.5' } });
    const preview = await shop.rest('POST', '/rates/preview', {
      rateCardId: card.body['id'],
      quantities: ['10'],
      usage: [
        { values: { model: 'L' }, quantity: '2400' },
        { values: { model: 'S' }, quantity: '31000' },
      ],
    });
    expect(preview.body['data']).toMatchObject([
      { quantity: '10', exact: '5', rounded: 500 },
      { quantity: '33400', exact: '75.3', rounded: 7_530, lines: [{ cell: 'L' }, { cell: 'S' }] },
    ]);
  });
});

test('a banded dimension turns a number into a range', async () => {
  const consumer = await createConsumer(shop, {
    terms: { includedAmount: 0, overage: { enabled: true } },
    meter: { aggregation: 'sum', dimensions: [{ property: 'size', bands: ['100', '200'] }] },
    rate: {
      cells: [
        { when: { size: ['100'] }, rate: { amount: '1' } },
        { when: { size: ['>200'] }, rate: { amount: '3' } },
      ],
      default: { amount: '2' },
    },
  });
  const send = (size: string) =>
    shop.rest('POST', '/usage/events', {
      ...of(consumer),
      value: 1,
      properties: [{ property: 'size', value: size }],
    });
  for (const size of ['0', '100', '100.5', '200', '201']) expect((await send(size)).status).toBe(200);
  expect((await send('big')).body).toMatchObject({
    error: { code: 'validation_error', details: { reason: 'bad_quantity' } },
  });
  expect((await totals(consumer, 'groupBy=size')).body['data']).toEqual([
    { size: '100', total: 2 },
    { size: '200', total: 2 },
    { size: '>200', total: 1 },
  ]);
  await advanceDays(shop, 32);
  expect((await overageLines(consumer)).map(({ amount }) => amount)).toEqual([200, 300, 400]);
});
