import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAiConsumer, createBalanceConsumer, setMeter } from '../../../support/consumers.ts';
import {
  attachFeature,
  createFeature,
  createPlan,
  firstShop,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const set = (code: string, meter: object) => shop.rest('PUT', `/features/${code}/meter`, meter);

describe('the meter of a feature', () => {
  test('is omitted from responses until it is set, by code or ID (PRM-10)', async () => {
    const feature = await createFeature(shop, 'usage');
    expect((await shop.rest('GET', `/features/${feature.code}`)).body).not.toHaveProperty('meter');
    const meter = {
      aggregation: 'max',
      decimals: 3,
      step: '0.250',
      minimumPerEvent: 1,
      filters: [{ property: 'region', notIn: ['test'] }],
    };
    const answer = await set(feature.id, meter);
    const shown = { ...meter, minimumPerEvent: '1', validFrom: expect.any(String) as string };
    expect(answer).toMatchObject({ status: 200, body: { id: feature.id, meter: shown } });
    expect((await shop.rest('GET', `/features/${feature.code}`)).body['meter']).toEqual(shown);
    const found = await t.graphql<{ feature: object }>(
      'query ($code: String!) { feature(code: $code) { meter { property step filters { in notIn } } } }',
      { code: feature.code },
    );
    expect(found.feature).toEqual({
      meter: { property: null, step: '0.250', filters: [{ in: null, notIn: ['test'] }] },
    });
  });

  test('does not get a new version if nothing changes', async () => {
    const { code } = await createFeature(shop, 'usage');
    await setMeter(shop, code, { aggregation: 'count' });
    await setMeter(shop, code, { aggregation: 'count' });
    const [row] = await t.app.database.query<{ count: number }>(
      'SELECT jsonb_array_length(meters) AS count FROM "Feature" WHERE "environmentId" = $1 AND code = $2',
      [shop.environmentId, code],
    );
    expect(Number(row?.count)).toBe(1);
  });

  test('is rejected with all problems if it is invalid', async () => {
    const { code } = await createFeature(shop, 'usage');
    expect(await set(code, { aggregation: 'unique', step: '2' })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'validation_error',
          param: 'property',
          details: { reason: 'bad_meter', problems: [{ field: 'property' }, { field: 'step' }] },
        },
      },
    });
    const seats = await createFeature(shop, 'seats');
    expect(await set(seats.code, { aggregation: 'max' })).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'bad_meter' } } },
    });
    expect((await set('no_such_feature', { aggregation: 'max' })).status).toBe(404);
    const other = await createFeature(await otherShop(t), 'usage');
    expect((await set(other.id, { aggregation: 'max' })).status).toBe(404);
  });

  test('cannot be `latest` if usage is deducted from a balance (PRM-11)', async () => {
    const { feature } = await createBalanceConsumer(shop);
    const notKnown = { error: { code: 'validation_error', details: { reason: 'not_known_at_once' } } };
    expect((await set(feature.code, { aggregation: 'latest' })).body).toMatchObject(notKnown);
    const other = await createFeature(shop, 'usage');
    await setMeter(shop, other.code, { aggregation: 'latest' });
    const { id: planId } = await createPlan(shop, { consumptionModel: 'balance' });
    const terms = { featureId: other.id, pricingMode: 'fixed', overage: { unitPrice: 50 } };
    expect((await shop.rest('POST', `/plans/${planId}/features`, terms)).body).toMatchObject(notKnown);
  });

  test('cannot need the end of the window if usage is rejected at a limit (PRM-11)', async () => {
    const feature = await createFeature(shop, 'usage');
    const { id: planId } = await createPlan(shop);
    await attachFeature(shop, planId, feature.id, { includedAmount: 5 });
    const meter = { aggregation: 'percentile', percentile: 95 };
    const notKnown = { error: { code: 'validation_error', details: { reason: 'not_known_at_once' } } };
    expect((await set(feature.code, meter)).body).toMatchObject(notKnown);
    const overage = (enabled: boolean) =>
      shop.rest('PATCH', `/plans/${planId}/features/${feature.id}`, { overage: { enabled, unitPrice: 50 } });
    expect((await overage(true)).status).toBe(200);
    expect((await set(feature.code, meter)).body).toMatchObject({ meter: { percentile: 95 } });
    expect((await overage(false)).body).toMatchObject(notKnown);
    expect((await set(feature.code, { aggregation: 'average' })).body).toMatchObject({
      error: { param: 'bucket', details: { reason: 'bad_meter' } },
    });
  });

  test('cannot be set if AI models determine the price', async () => {
    const { feature } = await createAiConsumer(shop);
    expect((await set(feature.code, { aggregation: 'count' })).body).toMatchObject({
      error: { details: { reason: 'bad_meter' } },
    });
    const plain = await createFeature(shop, 'usage');
    const { id: planId } = await createPlan(shop);
    await attachFeature(shop, planId, plain.id, {});
    expect((await set(plain.code, { aggregation: 'count' })).status).toBe(200);
  });
});
