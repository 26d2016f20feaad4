import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setMeter, setRate } from '../support/consumers.ts';
import {
  attachFeature,
  clockSettled,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  latestInvoice,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';

// Features whose meter holds a level, from the first event to the invoices of several windows (PRM-14).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

type Body = Readonly<Record<string, unknown>>;

/** Creates a sandbox with a subscriber of a plan for 49.00 whose feature has the meter and costs 0.35 for each unit. */
async function story(meter: Body, terms: Body = { overage: { enabled: true } }) {
  const shop = await otherShop(t, 'Levels');
  const until = async (frozenTime: string): Promise<void> => {
    expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
    expect(await clockSettled(shop)).toBe('completed');
  };
  await until('2027-04-05T09:00:00Z');
  const feature = await createFeature(shop, 'usage');
  await setMeter(shop, feature.code, { persists: true, ...meter });
  const { id: planId } = await createPlan(shop, {});
  await createPrice(shop, planId, { price: 4_900 });
  await attachFeature(shop, planId, feature.id, terms);
  await setRate(shop, planId, feature.id, { amount: '0.35' });
  const { id: customerId } = await createCustomer(shop);
  const subscribe = async () => {
    const { id, token } = await subscribeTo(shop, customerId, planId);
    if (token !== null) await pay(shop, token);
    return id;
  };
  const subscriptionId = await subscribe();
  const send = (kind: string | undefined, quantity: string | number, body: Body = {}) =>
    shop.rest('POST', '/usage/events', { customerId, featureCode: feature.code, kind, quantity, ...body });
  return { shop, until, send, subscribe, subscriptionId, customerId, feature, planId };
}

async function overage(shop: Shop, subscriptionId: string) {
  const path = `/invoices/${await latestInvoice(shop, subscriptionId)}`;
  const { body } = await shop.rest<{ lineItems: readonly { lineType: string; amount: number }[] }>(
    'GET',
    path,
  );
  return body.lineItems.filter(({ lineType }) => lineType === 'feature_overage').map(({ amount }) => amount);
}

describe('a time-weighted level', () => {
  test('is billed in each window, also without events', async () => {
    const { until, send, shop, subscriptionId } = await story({ aggregation: 'time_weighted' });
    expect((await send(undefined, '10')).body).toMatchObject({ kind: 'add', level: '10.000000' });
    await until('2027-04-15T09:00:00Z');
    expect((await send('add', 40)).body).toMatchObject({ kind: 'add', level: '50.000000' });
    await until('2027-04-30T09:00:00Z');
    expect((await send('remove', 30)).body).toMatchObject({ kind: 'remove', level: '20.000000' });
    await until('2027-05-05T10:00:00Z');
    // The window begins and ends at midnight: (0 × 9 + 10 × 240 + 50 × 360 + 20 × 111) ÷ 720 hours = 31.416667 at 0.35.
    expect(await overage(shop, subscriptionId)).toEqual([1_100]);
    await until('2027-06-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([700]);
    await until('2027-07-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([700]);
    expect((await send('set', '0')).body).toMatchObject({ kind: 'set', level: '0.000000' });
    await until('2027-09-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([]);
  });

  test('survives the subscription, and is billed in the next subscription without an event (PRM-14)', async () => {
    const { until, send, shop, subscribe, subscriptionId, customerId, feature } = await story({
      aggregation: 'time_weighted',
      decimals: 0,
    });
    await send('set', 20);
    await shop.rest('POST', `/subscriptions/${subscriptionId}/cancel`, { immediate: true });
    await until('2027-04-08T09:00:00Z');
    const next = await subscribe();
    await until('2027-04-20T09:00:00Z');
    const path = `/feature-access/${feature.code}?customerId=${customerId}`;
    expect((await shop.rest('GET', path)).body).toMatchObject({ consumption: { unitsUsed: 20 } });
    await until('2027-05-08T10:00:00Z');
    expect(await overage(shop, next)).toEqual([700]);
    await until('2027-06-08T10:00:00Z');
    expect(await overage(shop, next)).toEqual([700]);
  });

  test('survives the subscription and is continued by the next event', async () => {
    const { until, send, shop, subscribe, subscriptionId } = await story({
      aggregation: 'time_weighted',
      decimals: 0,
    });
    await send('set', 20);
    await shop.rest('POST', `/subscriptions/${subscriptionId}/cancel`, { immediate: true });
    const next = await subscribe();
    expect((await send('add', 10)).body).toMatchObject({ level: '30' });
    await until('2027-05-05T10:00:00Z');
    expect(await overage(shop, next)).toEqual([1_050]);
  });
});

describe('the maximum of a level', () => {
  test('begins with the level of the previous window', async () => {
    const { until, send, shop, subscriptionId } = await story({ aggregation: 'max' });
    await send('add', 12);
    await send('remove', 5);
    await until('2027-05-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([420]);
    await send('remove', 6);
    await until('2027-06-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([245]);
    await until('2027-07-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([35]);
  });
});

describe('a bucketed level', () => {
  test('holds the last level in buckets without events', async () => {
    const { until, send, shop, subscriptionId } = await story({
      aggregation: 'average',
      bucket: { every: 'day', aggregation: 'latest' },
      decimals: 0,
    });
    await send('set', 31);
    await until('2027-04-20T09:00:00Z');
    await send('set', 62);
    await until('2027-05-05T10:00:00Z');
    // 31 UTC days: 15 days of 31 and 16 days of 62 have the average 47.
    expect(await overage(shop, subscriptionId)).toEqual([1_645]);
  });
});

const pathOf = ({ body }: { readonly body: Body }, action: string): string =>
  `/usage/events/${String(body['id'])}/${action}`;

describe('a correction of a level', () => {
  test('changes the open window and the level from the time of the event (PRM-127)', async () => {
    const { until, send, shop, subscriptionId } = await story({
      aggregation: 'time_weighted',
      decimals: 0,
    });
    await send('add', 10);
    await until('2027-04-15T09:00:00Z');
    const second = await send('add', 400);
    await until('2027-04-30T09:00:00Z');
    await send('remove', 30);
    const replaced = await shop.rest<Body>('POST', pathOf(second, 'replace'), { quantity: '40' });
    expect(replaced).toMatchObject({ status: 200, body: { kind: 'replace' } });
    expect((await send('add', 0)).body).toMatchObject({ level: '20' });
    expect(await shop.rest('POST', pathOf(second, 'void'))).toMatchObject({
      status: 409,
      body: { error: { code: 'duplicate' } },
    });
    await until('2027-05-05T10:00:00Z');
    // The window is the same as without the mistake: 31.416667 GB, rounded to 31.
    expect(await overage(shop, subscriptionId)).toEqual([1_085]);
  });

  test('changes the highest level, and keeps a level that a later event set (PRM-127)', async () => {
    const { until, send, shop, subscriptionId } = await story({ aggregation: 'max' });
    const first = await send('add', 12);
    await send('set', 5);
    await send('add', 2);
    expect(await shop.rest('POST', pathOf(first, 'void'), { reason: 'Test' })).toMatchObject({ status: 200 });
    expect((await send('remove', 1)).body).toMatchObject({ level: '6' });
    await until('2027-05-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([245]);
    await until('2027-06-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([210]);
  });

  test('changes the kind of an event', async () => {
    const { send, shop } = await story({ aggregation: 'max' });
    await send('set', 8);
    const wrong = await send('add', 3);
    expect(await shop.rest('POST', pathOf(wrong, 'replace'), { kind: 'remove' })).toMatchObject({
      status: 200,
    });
    expect((await send('add', 1)).body).toMatchObject({ level: '6' });
  });

  test('is rejected if a later event would make the level negative, and changes nothing', async () => {
    const { send, shop, until, subscriptionId } = await story({ aggregation: 'max' });
    const first = await send('add', 3);
    await send('remove', 2);
    for (const [action, body] of [
      ['void', {}],
      ['replace', { quantity: '1' }],
      ['replace', { kind: 'remove' }],
    ] as const)
      expect(await shop.rest('POST', pathOf(first, action), body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', details: { reason: 'bad_quantity' } } },
      });
    expect((await send('add', 0)).body).toMatchObject({ level: '1' });
    await until('2027-05-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([105]);
  });

  test('prices all ended windows again that began with the level (PRM-128)', async () => {
    const { until, send, shop, subscriptionId } = await story({ aggregation: 'max' });
    const first = await send('add', 12);
    await until('2027-06-05T10:00:00Z');
    expect(await overage(shop, subscriptionId)).toEqual([420]);
    await send('remove', 1);
    // Two windows of 12 at 0.35 become two windows of 10.
    expect(await shop.rest('POST', pathOf(first, 'replace'), { quantity: '10' })).toMatchObject({
      status: 200,
      body: { amount: -140 },
    });
    expect((await send('add', 0)).body).toMatchObject({ level: '9' });
    await until('2027-07-05T10:00:00Z');
    // The third window began with the level of 10.
    expect(await overage(shop, subscriptionId)).toEqual([350]);
    const path = `/invoices/${await latestInvoice(shop, subscriptionId)}`;
    const { body } = await shop.rest<{ lineItems: readonly { lineType: string; amount: number }[] }>(
      'GET',
      path,
    );
    expect(body.lineItems.filter(({ lineType }) => lineType === 'credit')).toMatchObject([{ amount: -140 }]);
  });
});

describe('an event of a level', () => {
  test('is rejected below 0, and changes nothing', async () => {
    const { send } = await story({ aggregation: 'max' });
    const first = await send('add', 3, { eventId: 'level-1' });
    expect(await send('remove', 4)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: { reason: 'bad_quantity' } } },
    });
    expect((await send('add', 3, { eventId: 'level-1' })).body).toEqual(first.body);
    expect((await send('set', 3, { eventId: 'level-1' })).body).toMatchObject({
      error: { code: 'duplicate' },
    });
    expect((await send('remove', 3)).body).toMatchObject({ level: '0' });
  });

  test('requires a meter that holds a level', async () => {
    const { send } = await story({ aggregation: 'sum', persists: false });
    expect(await send('set', 3)).toMatchObject({ status: 400, body: { error: { param: 'kind' } } });
    expect((await send(undefined, 3)).body).not.toHaveProperty('kind');
  });
});
