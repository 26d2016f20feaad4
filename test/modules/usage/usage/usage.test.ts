import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import { advanceDays, createCustomer, firstShop, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Failure = {
  readonly error: { readonly code: string; readonly param?: string; readonly details?: unknown };
};
const track = (body: object) => shop.rest('POST', '/usage/events', body);
const code = async (body: object) => ((await track(body)).body as unknown as Failure).error.code;
const current = async (consumer: object) => (await shop.rest('POST', '/usage/check', consumer)).body;

/** Returns the types of a customer's events after the given event, in order. */
const kinds = async (customerId: string): Promise<string[]> => {
  const rows = await t.app.database.query<{ kind: string }>(
    `SELECT kind FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind ~ '^(usage|quota|credits|balance)' ORDER BY position`,
    [t.sandboxId, customerId],
  );
  return rows.map(({ kind }) => kind);
};

describe('usageTrack', () => {
  test('counts units of a metered plan up to a hard limit, and rejects further units without recording them (CON-10, CON-11)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    expect(
      await track({ ...of(consumer), value: 9, properties: [{ property: 'région 🌍', value: 'שלום' }] }),
    ).toMatchObject({
      status: 200,
      body: {
        featureCode: consumer.feature.code,
        value: 9,
        customerId: consumer.customerId,
        eventId: null,
        properties: [{ property: 'région 🌍', value: 'שלום' }],
        object: 'usage_event',
        livemode: false,
      },
    });
    const rejected = await track({ ...of(consumer), value: 2 });
    expect(rejected).toMatchObject({
      status: 400,
      body: {
        error: {
          type: 'billing_error',
          code: 'included_limit_reached',
          details: { current: 9, included: 10, remaining: 1 },
        },
      },
    });
    expect(await code({ ...of(consumer), value: 2 })).toBe('included_limit_reached');
    expect(await current(of(consumer))).toMatchObject({
      allowed: true,
      current: 9,
      remaining: 1,
      included: 10,
      overageEnabled: false,
    });
    expect(await kinds(consumer.customerId)).toEqual([
      'usage.recorded',
      'quota.threshold_reached',
      'quota.exceeded',
    ]);
  });

  test('deducts plan credits first, and returns the remaining credits (CON-12, CON-18, CON-23, CON-E3)', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 7);
    const { body } = await track({ ...of(consumer), value: 91 });
    expect(body).toMatchObject({
      consumption: { model: 'credits', deducted: 637, remaining: 3, blocked: true },
    });
    expect(await code(of(consumer))).toBe('insufficient_credits');
    expect(await current(of(consumer))).toMatchObject({
      allowed: false,
      reason: 'insufficient_credits',
      planCredits: 3,
      totalCredits: 3,
      estimatedCredits: 7,
    });
    expect(await kinds(consumer.customerId)).toEqual(['usage.recorded', 'credits.low']);
  });

  test('deducts from a balance, which can either block usage or become negative (CON-11)', async () => {
    const blocking = await createBalanceConsumer(shop, 1_000);
    expect((await track({ ...of(blocking), value: 20 })).body).toMatchObject({
      consumption: { model: 'balance', deducted: 1_000, remaining: 0, blocked: true },
    });
    expect(await code(of(blocking))).toBe('insufficient_balance');
    const open = await createBalanceConsumer(shop, 1_000, false);
    expect((await track({ ...of(open), value: 21 })).body).toMatchObject({
      consumption: { model: 'balance', deducted: 1_050, remaining: -50, blocked: false },
    });
    expect(await kinds(open.customerId)).toEqual(['usage.recorded', 'balance.depleted']);
  });

  test('returns the recorded event for a repeated event ID, and rejects a different event with that ID (CON-8)', async () => {
    const [consumer, other] = [await createCreditsConsumer(shop), await createCreditsConsumer(shop)];
    const event = { ...of(consumer), eventId: 'order-4711', value: 2 };
    const first = await track(event);
    const again = await track({ ...event, timestamp: new Date().toISOString() });
    expect(again.body).toEqual(first.body);
    expect(await code({ ...event, value: 3 })).toBe('duplicate');
    expect(await code({ ...of(other), eventId: 'order-4711', value: 2 })).toBe('duplicate');
    expect(await current(of(consumer))).toMatchObject({ totalCredits: 640 - 14 });
    expect(await current(of(other))).toMatchObject({ totalCredits: 640 });
  });

  test('rejects times more than five minutes in the future or before the subscription started (CON-9)', async () => {
    const consumer = await createConsumer(shop);
    const now = Date.now();
    const at = (ms: number) => ({ ...of(consumer), timestamp: new Date(now + ms).toISOString() });
    expect(await code(at(6 * 60_000))).toBe('validation_error');
    expect(await code(at(-60_000 * 60 * 24))).toBe('validation_error');
    expect((await track(at(4 * 60_000))).status).toBe(200);
    expect(await current(of(consumer))).toMatchObject({ current: 1 });
  });

  test('rejects contradictory payloads and invalid numbers (CON-4, CON-5)', async () => {
    const consumer = await createConsumer(shop);
    const ai = { model: 'gpt', inputTokens: 1, outputTokens: 1 };
    const bad = [
      { ...ai, value: 1 },
      { model: 'gpt' },
      { model: 'gpt', inputTokens: 1 },
      { inputTokens: 1 },
      { value: 0 },
      { value: -1 },
      { value: 1.5 },
      { value: 2 ** 53 },
    ];
    for (const body of bad) expect(await code({ ...of(consumer), ...body })).toBe('validation_error');
    expect(await code({ ...of(consumer), ...ai })).toBe('pricing_mode_mismatch');
    const many = {
      ...of(await createConsumer(shop, { terms: { unlimited: true } })),
      value: Number.MAX_SAFE_INTEGER,
    };
    expect((await track(many)).status).toBe(200);
    expect(await code(many)).toBe('validation_error');
    expect(await current(of(consumer))).toMatchObject({ current: 0 });
  });
});

describe('the rejection of a usage event', () => {
  test('reports the first failed check in a fixed order (CON-6)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const seats = await createConsumer(shop, { type: 'seats' });
    const off = await createConsumer(shop, { terms: { enabled: false, includedAmount: 10 } });
    const { id: nobody } = await createCustomer(shop);
    const early = { timestamp: '2020-01-01T00:00:00Z' };
    const tokens = { model: 'gpt', inputTokens: 1, outputTokens: 1 };
    const { eventId } = { eventId: `order ${consumer.customerId}` };
    await track({ ...of(consumer), eventId });
    const faults: readonly [string, object][] = [
      ['customer_not_found', { customerId: 'none', featureCode: 'none', ...tokens }],
      ['no_active_subscription', { customerId: nobody, featureCode: 'none', ...tokens }],
      ['feature_not_found', { ...of(consumer), featureCode: 'none', ...tokens }],
      ['validation_error', { ...of(seats), ...tokens }],
      ['feature_not_in_plan', { ...of(consumer), featureCode: off.feature.code, ...tokens }],
      ['feature_disabled', { ...of(off), ...tokens }],
      ['pricing_mode_mismatch', { ...of(consumer), ...tokens, eventId }],
      ['duplicate', { ...of(consumer), value: 11, eventId, ...early }],
      ['validation_error', { ...of(consumer), value: 11, ...early }],
      ['included_limit_reached', { ...of(consumer), value: 11 }],
    ];
    for (const [expected, body] of faults) expect([expected, await code(body)]).toEqual([expected, expected]);
    expect(await current(of(consumer))).toMatchObject({ current: 1 });
  });

  test('can occur after a successful access check, because a check reserves nothing (CON-54, CON-56)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    expect(await current({ ...of(consumer), quantity: 10 })).toMatchObject({ allowed: true, current: 0 });
    expect((await track({ ...of(consumer), value: 10 })).status).toBe(200);
    expect(await code({ ...of(consumer), value: 10 })).toBe('included_limit_reached');
  });
});

describe('usageTrackBatch', () => {
  test('records its events in order, each one fully or not at all, and returns one result per event', async () => {
    const consumer = await createCreditsConsumer(shop, 27, 7);
    const event = of(consumer);
    const events = [
      { ...event, eventId: 'batch-1' },
      { ...event, value: 0 },
      { ...event, value: 2 },
      { ...event, eventId: 'batch-1' },
      { ...event, featureCode: 'none' },
      { ...event, eventId: 'batch-1', value: 2 },
      event,
    ];
    const { status, body } = await shop.rest<{
      results: { index: number; code?: string; event?: { id: string } }[];
      recorded: number;
    }>('POST', '/usage/events/batch', { events });
    expect(status).toBe(200);
    expect(body.results.map(({ index, code }) => [index, code ?? 'recorded'])).toEqual([
      [0, 'recorded'],
      [1, 'validation_error'],
      [2, 'recorded'],
      [3, 'recorded'],
      [4, 'feature_not_found'],
      [5, 'duplicate'],
      [6, 'insufficient_credits'],
    ]);
    expect(body.results[3]?.event?.id).toBe(body.results[0]?.event?.id);
    expect(await current(event)).toMatchObject({ totalCredits: 6 });
  });

  test('accepts at most 1,000 events', async () => {
    const event = of(await createConsumer(shop));
    const events = Array.from({ length: 1_001 }, () => event);
    expect((await shop.rest('POST', '/usage/events/batch', { events })).status).toBe(400);
    expect((await shop.rest('POST', '/usage/events/batch', { events: events.slice(1) })).body).toMatchObject({
      recorded: 1_000,
    });
    expect(await current(event)).toMatchObject({ current: 1_000, allowed: false });
  });
});

describe('usageSet', () => {
  test('records the difference to the current total, including 0, and keeps the events (CON-14)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    await track({ ...of(consumer), value: 7 });
    const set = (value: number) => shop.rest('PUT', '/usage', { ...of(consumer), value, reason: 'Recount' });
    expect((await set(3)).body).toMatchObject({
      previousValue: 7,
      value: 3,
      adjustment: -4,
      reason: 'Recount',
      object: 'usage_adjustment',
    });
    expect((await set(3)).body).toMatchObject({ previousValue: 3, value: 3, adjustment: 0 });
    expect((await set(11)).status).toBe(400);
    // The first rejection in a usage window emits an event, and the second doesn't (CON-57).
    expect((await set(11)).status).toBe(400);
    expect(await kinds(consumer.customerId)).toEqual(['usage.recorded', 'quota.exceeded']);
    expect(await current(of(consumer))).toMatchObject({ current: 3, remaining: 7 });
    const credits = await createCreditsConsumer(shop);
    expect((await shop.rest('PUT', '/usage', { ...of(credits), value: 1 })).body).toMatchObject({
      error: { code: 'validation_error', param: 'featureCode' },
    });
  });
});

describe("a subscription's credit balance", () => {
  const account = async (id: string) => {
    const [row] = await t.app.database.query<{ plan: bigint; other: bigint }>(
      `SELECT coalesce(sum(remaining) FILTER (WHERE source = 'plan'), 0)::bigint AS plan,
         coalesce(sum(remaining) FILTER (WHERE source <> 'plan'), 0)::bigint AS other
       FROM "Lot" WHERE "environmentId" = $1 AND "subscriptionId" = $2`,
      [t.sandboxId, id],
    );
    return [Number(row?.plan), Number(row?.other)];
  };

  test("can't be used after a cancellation, and is granted again upon reactivation (CON-29)", async () => {
    const consumer = await createCreditsConsumer(shop, 100, 7);
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/balance/adjust`, { amount: 50 });
    await track({ ...of(consumer), value: 10 });
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
    expect(await code(of(consumer))).toBe('no_active_subscription');
    expect(await account(consumer.subscriptionId)).toEqual([30, 50]);
    expect((await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/reactivate`)).status).toBe(
      200,
    );
    expect(await account(consumer.subscriptionId)).toEqual([100, 50]);
    expect(await current(of(consumer))).toMatchObject({
      planCredits: 100,
      purchasedCredits: 50,
      totalCredits: 150,
    });
  });

  test('is granted once per usage window, regardless of how the clock advances (CON-59)', async () => {
    const own = await otherShop(t);
    const consumer = await createCreditsConsumer(own, 100, 7);
    for (const days of [20, 20, 0.5, 25]) expect(await advanceDays(own, days)).toBe('completed');
    const entries = await t.app.database.query<{ type: string; amount: bigint }>(
      `SELECT type::text AS type, amount FROM "ConsumptionEntry" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY seq`,
      [own.environmentId, consumer.subscriptionId],
    );
    expect(entries.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
      'grant 100',
      'expiry -100',
      'reset 100',
      'expiry -100',
      'reset 100',
    ]);
  });
});
