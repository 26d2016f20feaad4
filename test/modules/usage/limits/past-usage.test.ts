import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, createCreditsConsumer } from '../../../support/consumers.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Json, LimitRequests } from '../../../support/limit-requests.ts';

let t: TestApp;
let limits: LimitRequests;
beforeAll(async () => {
  t = await startApp();
  limits = new LimitRequests(t);
});
afterAll(() => t.close());

const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } };

const create = (consumer: Consumer, body: Json, budget?: string) =>
  limits.limit({ scope: { customer: consumer.customerId, budget }, amount: 1_000, ...body });

const used = async (consumer: Consumer) => (await limits.states(consumer)).map((state) => state['used']);

/** Moves the recorded time of a customer's events back. */
const moveBack = ({ customerId }: Consumer, minutes: number) =>
  t.app.database.query(
    `UPDATE "UsageEvent" SET "createdAt" = "createdAt" - $3::int * interval '1 minute' WHERE "environmentId" = $1 AND "customerId" = $2`,
    [t.sandboxId, customerId, minutes],
  );

describe('new limits', () => {
  test('include usage of their open window for each measure', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    const filter = { features: [consumer.feature.code] };
    await limits.track(consumer, { value: 40, properties: [{ property: 'model', value: 'large' }] });
    const voided = await limits.track(consumer, { value: 7 });
    await limits.track(consumer, { value: 10 });
    await limits.shop.rest('POST', `/usage/events/${String(voided['id'])}/void`);
    const anchor = new Date(t.app.wall.now().getTime() - 60_000).toISOString();
    const window = { kind: 'day' };
    const created = await create(consumer, { measure: 'units', filter, window });
    expect(created['includesPastUsage']).toBe(true);
    await create(consumer, { measure: 'calls', window: { kind: 'month' } });
    await create(consumer, { measure: 'spend', currency: 'usd', window: { kind: 'rolling', minutes: 60 } });
    await create(consumer, {
      measure: 'value',
      currency: 'usd',
      window: { kind: 'fixed', minutes: 60, anchor },
    });
    const large = { dimensions: [{ property: 'model', values: ['large'] }] };
    await create(consumer, { measure: 'calls', window: { kind: 'week' }, filter: large });
    const session = await create(consumer, { measure: 'calls', window: { kind: 'session', minutes: 60 } });
    expect('includesPastUsage' in session).toBe(false);
    expect(await used(consumer)).toEqual(['50', '2', '0.5', '0.5', '1', '0']);
    await limits.track(consumer, { value: 1 });
    expect(await used(consumer)).toEqual(['51', '3', '0.51', '0.51', '1', '1']);
    expect(await limits.events(consumer)).toEqual([]);
  });

  test('reject usage that past usage leaves no room for, and send no past threshold', async () => {
    const consumer = await createCreditsConsumer(limits.shop, 640, 1);
    await limits.track(consumer, { value: 90 });
    await create(consumer, {
      measure: 'drawn',
      asset: 'credits',
      amount: 100,
      window: { kind: 'day' },
      thresholds: [{ amount: 50 }, { amount: 95 }],
    });
    expect(await limits.rejected(consumer, { value: 11 })).toMatchObject({ details: { remaining: 10 } });
    await limits.track(consumer, { value: 5 });
    expect((await limits.events(consumer, 'limit.threshold%')).map(({ data }) => data['crossed'])).toEqual([
      ['95'],
    ]);
  });

  test('include usage of a budget and the budgets below it', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    const budgets = `/customers/${consumer.customerId}/budgets`;
    await limits.shop.rest('POST', budgets, { key: 'team:eu' });
    await limits.shop.rest('POST', budgets, { key: 'key:abc', parentKey: 'team:eu' });
    await limits.track(consumer);
    await limits.track(consumer, { budget: 'team:eu' });
    await limits.track(consumer, { budget: 'key:abc' });
    await create(consumer, { measure: 'calls', window: { kind: 'day' } }, 'team:eu');
    const { body } = await limits.shop.rest(
      'GET',
      `/customers/${consumer.customerId}/limits?budget=team%3Aeu`,
    );
    expect(body['data']).toMatchObject([{ used: '2' }]);
  });

  test('ignore usage of earlier windows', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    await limits.track(consumer, { value: 5 });
    await moveBack(consumer, 62);
    await limits.track(consumer, { value: 3 });
    await moveBack(consumer, 1);
    const filter = { features: [consumer.feature.code] };
    await create(consumer, { measure: 'units', filter, window: { kind: 'rolling', minutes: 60 } });
    await create(consumer, { measure: 'units', filter, window: { kind: 'rolling', minutes: 90 } });
    expect(await used(consumer)).toEqual(['3', '8']);
  });

  test('share a value that another limit already counts', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    await limits.track(consumer);
    await create(consumer, { measure: 'calls', window: { kind: 'day' } });
    await limits.track(consumer);
    await create(consumer, { measure: 'calls', window: { kind: 'day' }, amount: 50 });
    expect(await used(consumer)).toEqual(['2', '2']);
  });

  test('begin with their creation after 100,000 events', async () => {
    const consumer = await createConsumer(limits.shop, { terms });
    await limits.track(consumer);
    await t.app.database.query(
      `INSERT INTO "UsageEvent" SELECT (jsonb_populate_record(e, jsonb_build_object('id', 'evt_many' || n, 'seq', e.seq + n))).*
       FROM "UsageEvent" e, generate_series(1, 100000) n WHERE e."environmentId" = $1 AND e."customerId" = $2`,
      [t.sandboxId, consumer.customerId],
    );
    const created = await create(consumer, { measure: 'calls', window: { kind: 'day' } });
    expect('includesPastUsage' in created).toBe(false);
    expect(await used(consumer)).toEqual(['0']);
  });
});
