import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  consumptionOf,
  createConsumer,
  createCreditsConsumer,
  of,
  setRate,
} from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { advanceDays, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

// Dimensions that are added inside an open usage window, whose events are then counted again (PRM-123).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = Readonly<Record<string, unknown>>;
type Cell = { readonly values: Body; readonly total: bigint };

const byModel = { aggregation: 'sum', dimensions: [{ property: 'model' }] };
const cheap = {
  cells: [
    { when: { model: ['L'] }, rate: { amount: '0.0120' } },
    { when: { model: ['S'] }, rate: { amount: '0.0015' } },
  ],
};
const dear = {
  cells: [
    { when: { model: ['L'] }, rate: { amount: '0.0120' } },
    { when: { model: ['S'] }, rate: { amount: '0.0030' } },
  ],
};

/** Creates a consumer with a price of 0.0030 per unit and no included units. */
const createUnits = () =>
  createConsumer(shop, {
    price: { price: 2_000 },
    terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 30 } },
  });

const event = (consumer: Consumer, model: string | null, value: number): Body => ({
  ...of(consumer),
  value,
  properties: model === null ? [] : [{ property: 'model', value: model }],
});

async function track(consumer: Consumer, model: string | null, value: number): Promise<string> {
  const response = await shop.rest('POST', '/usage/events', event(consumer, model, value));
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return String(response.body['id']);
}

const setMeter = (consumer: Consumer, body: Body, headers: Readonly<Record<string, string>> = {}) =>
  shop.rest('PUT', `/features/${consumer.feature.code}/meter`, body, { headers });

const recount = async (consumer: Consumer, meter: Body = byModel): Promise<void> => {
  const { status, body } = await setMeter(consumer, { ...meter, recount: true });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ meter: { recounts: true } });
};

/** Returns the totals of the consumer by dimension values. */
async function cellsOf({ subscriptionId }: Consumer): Promise<readonly string[]> {
  const cells = await t.app.database.query<Cell>(
    'SELECT "values", total FROM "UsageCell" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY "values"::text',
    [shop.environmentId, subscriptionId],
  );
  return cells.map(({ values, total }) => `${Object.values(values).join('/')} ${total}`);
}

/** Returns the data of the consumer's events about recounts. */
const recountsOf = ({ subscriptionId }: Consumer): Promise<{ readonly data: Body }[]> =>
  t.app.database.query<{ readonly data: Body }>(
    `SELECT data FROM "Event" WHERE "environmentId" = $1 AND "subscriptionId" = $2 AND kind = 'meter.recounted'`,
    [shop.environmentId, subscriptionId],
  );

/** Returns the sum of the overage lines of the latest invoice. */
async function overageOf({ subscriptionId }: Consumer): Promise<number> {
  const { body } = await shop.rest('GET', `/invoices?subscriptionId=${subscriptionId}&limit=1`);
  const [latest] = body['data'] as readonly { readonly id: string }[];
  const invoice = await shop.rest('GET', `/invoices/${latest?.id}`);
  return (invoice.body['lineItems'] as readonly { readonly lineType: string; readonly amount: number }[])
    .filter(({ lineType }) => lineType === 'feature_overage')
    .reduce((sum, { amount }) => sum + amount, 0);
}

describe('cells that are added inside a usage window', () => {
  test.each([
    ['cheaper cells lower the price of the window', cheap, 7_530],
    ['dearer cells do not raise the price of the window', dear, 10_020],
  ])('need no recount if the meter already has the dimension: %s (PRM-5)', async (_name, rate, amount) => {
    const consumer = await createConsumer(shop, {
      price: { price: 2_000 },
      terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 30 } },
      meter: byModel,
    });
    await track(consumer, 'L', 2_000);
    await track(consumer, 'S', 30_000);
    await advanceDays(shop, 12);
    await setRate(shop, consumer.planId, consumer.feature.id, rate);
    await track(consumer, 'L', 400);
    await track(consumer, 'S', 1_000);
    await advanceDays(shop, 19);
    expect(await overageOf(consumer)).toBe(amount);
    await expectLedgerBalanced(t);
  });

  test('lower the further deductions of a pool, and return nothing that was deducted earlier (PRM-5)', async () => {
    const consumer = await createConsumer(shop, {
      plan: { consumptionModel: 'credits' },
      price: { includedCredits: 1_000 },
      terms: { creditsPerUnit: 5 },
      meter: byModel,
    });
    await track(consumer, 'S', 100);
    expect((await consumptionOf(shop, consumer)).credits).toBe(500n);
    await setRate(shop, consumer.planId, consumer.feature.id, {
      cells: [{ when: { model: ['S'] }, rate: { amount: '2' } }],
      default: { amount: '9' },
    });
    await track(consumer, 'S', 10);
    expect((await consumptionOf(shop, consumer)).credits).toBe(480n);
    await expectLedgerBalanced(t);
  });
});

describe('dimensions that are added inside a usage window', () => {
  test.each([
    ['cheaper cells lower the price of the window', true, cheap, 7_530],
    ['dearer cells do not raise the price of the window', true, dear, 10_020],
    ['without a recount, the window keeps its price', false, cheap, 10_020],
  ])('%s (PRM-E46)', async (_name, isRecounted, rate, amount) => {
    const consumer = await createUnits();
    await track(consumer, 'L', 2_000);
    await track(consumer, 'S', 30_000);
    await advanceDays(shop, 12);
    if (isRecounted) await recount(consumer);
    else expect((await setMeter(consumer, byModel)).status).toBe(200);
    await setRate(shop, consumer.planId, consumer.feature.id, rate);
    await track(consumer, 'L', 400);
    await track(consumer, 'S', 1_000);
    expect(await cellsOf(consumer)).toEqual(isRecounted ? ['L 2400', 'S 31000'] : []);
    await advanceDays(shop, 19);
    expect(await overageOf(consumer)).toBe(amount);
    await expectLedgerBalanced(t);
  });

  test('include the kept events, without corrected events and set totals', async () => {
    const consumer = await createUnits();
    await track(consumer, 'L', 700);
    expect((await shop.rest('PUT', '/usage', { ...of(consumer), value: 100 })).status).toBe(200);
    const voided = await track(consumer, 'L', 50);
    const replaced = await track(consumer, 'S', 40);
    const last = await track(consumer, 'S', 9);
    await track(consumer, null, 1);
    await shop.rest('POST', `/usage/events/${voided}/void`, {});
    await shop.rest('POST', `/usage/events/${replaced}/replace`, { value: 45 });
    await recount(consumer);
    // The set total of 100 has no values. The event without the property has an empty value.
    expect(await cellsOf(consumer)).toEqual([' 1', 'S 54']);
    await shop.rest('POST', `/usage/events/${last}/void`, {});
    expect(await cellsOf(consumer)).toEqual([' 1', 'S 45']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 146n });
  });

  test('keep an event before a set total without an effect when it is corrected', async () => {
    const consumer = await createUnits();
    const first = await track(consumer, 'L', 700);
    await shop.rest('PUT', '/usage', { ...of(consumer), value: 100 });
    await track(consumer, 'L', 50);
    await recount(consumer);
    expect(await cellsOf(consumer)).toEqual(['L 50']);
    expect((await shop.rest('POST', `/usage/events/${first}/void`, {})).status).toBe(200);
    expect(await cellsOf(consumer)).toEqual(['L 50']);
  });

  test('send one event per window, and divide by more dimensions later', async () => {
    const consumer = await createUnits();
    await track(consumer, 'L', 3);
    await recount(consumer);
    await recount(consumer);
    const [event, ...others] = await recountsOf(consumer);
    expect(others).toEqual([]);
    expect(event?.data).toMatchObject({
      subscriptionId: consumer.subscriptionId,
      featureCode: consumer.feature.code,
      dimensions: ['model'],
    });
    const both = { aggregation: 'sum', dimensions: [{ property: 'region' }, ...byModel.dimensions] };
    await recount(consumer, both);
    expect(await cellsOf(consumer)).toEqual(['L/ 3']);
    expect(await recountsOf(consumer)).toHaveLength(2);
  });

  test('apply to the first usage of a window without usage', async () => {
    const consumer = await createUnits();
    await recount(consumer);
    await track(consumer, 'S', 5);
    expect(await cellsOf(consumer)).toEqual(['S 5']);
    expect(await recountsOf(consumer)).toEqual([]);
  });

  test('return nothing to a pool, and price later usage by the cheapest version', async () => {
    const consumer = await createCreditsConsumer(shop, 1_000, 3);
    await track(consumer, 'S', 100);
    await recount(consumer);
    const cells = [
      { when: { model: ['S'] }, rate: { amount: '1' } },
      { when: { model: ['L'] }, rate: { amount: '5' } },
    ];
    await setRate(shop, consumer.planId, consumer.feature.id, { cells });
    const left = async () => {
      const { body } = await shop.rest('GET', `/subscriptions/${consumer.subscriptionId}`);
      return (body['credits'] as Body)['remaining'];
    };
    expect(await left()).toBe(700);
    await track(consumer, 'S', 10);
    expect(await left()).toBe(690);
  });

  test('are previewed by a dry run', async () => {
    const consumer = await createUnits();
    await track(consumer, 'L', 3);
    const { status, body } = await setMeter(
      consumer,
      { ...byModel, recount: true },
      { 'x-quittance-dry-run': '1' },
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect((body['dryRun'] as Body)['events']).toMatchObject([
      { kind: 'meter.recounted', data: { subscriptionId: consumer.subscriptionId, dimensions: ['model'] } },
    ]);
    expect(await cellsOf(consumer)).toEqual([]);
    expect((await shop.rest('GET', `/features/${consumer.feature.code}`)).body).not.toHaveProperty('meter');
  });

  test.each([
    ['another aggregation', { aggregation: 'count', dimensions: byModel.dimensions }],
    ['no new dimension', { aggregation: 'max' }],
  ])('cannot be counted again with %s', async (_name, meter) => {
    const consumer = await createUnits();
    await track(consumer, 'L', 3);
    const { status, body } = await setMeter(consumer, { ...meter, recount: true });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: {
        code: 'validation_error',
        param: 'recount',
        details: { reason: 'bad_meter', problems: [{ field: 'recount' }] },
      },
    });
    expect((await shop.rest('GET', `/features/${consumer.feature.code}`)).body).not.toHaveProperty('meter');
    expect(await cellsOf(consumer)).toEqual([]);
  });

  test('are counted by the worker if a window has many events, while usage is recorded', async () => {
    const consumer = await createUnits();
    const send = (count: number, model: string) =>
      shop.rest('POST', '/usage/events/batch', {
        events: Array.from({ length: count }, () => event(consumer, model, 2)),
      });
    for (let batch = 0; batch < 11; batch++) expect((await send(100, 'L')).status).toBe(200);
    await recount(consumer);
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(20, 'S')));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await eventually(async () => (await cellsOf(consumer)).join() === 'L 2200,S 320')).toBe(true);
    const isEnded = async () =>
      (await t.app.database.query('SELECT id FROM "MeterRecount" WHERE id = $1', [consumer.feature.id]))
        .length === 0;
    expect(await eventually(isEnded)).toBe(true);
    expect(await recountsOf(consumer)).toHaveLength(1);
  });
});
