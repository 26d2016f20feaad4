import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { createFeature, firstShop, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Preview of a meter with the latest events of a feature (PRM-10, PRM-12).

let t: TestApp;
let shop: Shop;
let consumer: Consumer;
const ids: string[] = [];
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  consumer = await createConsumer(shop);
  for (const [value, region] of [
    [61, 'eu'],
    [600, 'us'],
    [59, 'eu'],
  ]) {
    const properties = [{ property: 'region', value: region }];
    const { body } = await shop.rest('POST', '/usage/events', { ...of(consumer), value, properties });
    ids.push(String(body['id']));
  }
});
afterAll(() => t.close());

const preview = (code: string, meter: object, on: Shop = shop) =>
  on.rest('POST', `/features/${code}/meter/preview`, meter);

const meter = { aggregation: 'sum', decimals: 1, step: '60', dimensions: [{ property: 'region' }] };

describe('the preview of a meter', () => {
  test('contains the latest events, newest first, and stores nothing', async () => {
    const answer = await preview(consumer.feature.code, meter);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        total: '780.0',
        totals: [
          { values: { region: 'us' }, total: '600.0' },
          { values: { region: 'eu' }, total: '180.0' },
        ],
        events: [
          { event: { id: ids[2], value: 59 }, counted: '60.0', values: { region: 'eu' } },
          { event: { id: ids[1], value: 600 }, counted: '600.0', values: { region: 'us' } },
          { event: { id: ids[0], value: 61 }, counted: '120.0', values: { region: 'eu' } },
        ],
        object: 'feature_meter_preview',
      },
    });
    expect((await shop.rest('GET', `/features/${consumer.feature.code}`)).body).not.toHaveProperty('meter');
  });

  test('shows why an event cannot be counted', async () => {
    const { body } = await preview(consumer.feature.code, { aggregation: 'sum', property: 'size' });
    expect(body).toMatchObject({
      total: '0',
      events: [{}, {}, { problem: expect.stringContaining('size') as string }],
    });
    expect(body).not.toHaveProperty('totals');
    expect((body['events'] as object[])[0]).toHaveProperty('counted', null);
  });

  test('contains no corrected event', async () => {
    const other = await createConsumer(shop);
    const [first, second] = [
      await shop.rest('POST', '/usage/events', { ...of(other), value: 5 }),
      await shop.rest('POST', '/usage/events', { ...of(other), value: 7 }),
    ];
    await shop.rest('POST', `/usage/events/${String(first.body['id'])}/void`, {});
    expect((await preview(other.feature.code, { aggregation: 'max' })).body).toMatchObject({
      total: '7',
      events: [{ event: { id: second.body['id'] }, counted: '7' }],
    });
  });

  test('excludes events of other organizations, and rejects invalid meters and features', async () => {
    const foreign = await otherShop(t);
    expect(await preview(consumer.feature.code, meter, foreign)).toMatchObject({
      status: 404,
      body: { error: { code: 'feature_not_found' } },
    });
    expect(await preview(consumer.feature.code, { aggregation: 'percentile' })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: { reason: 'bad_meter' } } },
    });
    const seats = await createFeature(shop, 'seats');
    expect(await preview(seats.code, meter)).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'bad_meter', problems: [{ field: 'code' }] } } },
    });
  });
});
