import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  consumptionOf,
  createAiConsumer,
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  listModel,
  of,
  setMeter,
} from '../../../support/consumers.ts';
import { advanceDays, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { randomOf } from '../../../support/random.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = Readonly<Record<string, unknown>>;

/** Records an event and returns its ID. */
async function track(consumer: Consumer, body: Body): Promise<string> {
  const response = await shop.rest('POST', '/usage/events', { ...of(consumer), ...body });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return String(response.body['id']);
}

const voidEvent = (id: string) => shop.rest('POST', `/usage/events/${id}/void`, {});
const replace = (id: string, body: Body) => shop.rest('POST', `/usage/events/${id}/replace`, body);
const totalOf = async (consumer: Consumer) => (await consumptionOf(shop, consumer)).total;

const sent = [
  { value: 3, user: 'a' },
  { value: 7, user: 'b' },
  { value: 5, user: 'a' },
  { value: 2, user: 'c' },
  { value: 7, user: 'b' },
];

describe('a voided event (PRM-E35)', () => {
  test.each([
    ['sum', [24n, 17n, 10n]],
    ['count', [5n, 4n, 3n]],
    ['max', [7n, 7n, 5n]],
    ['unique', [3n, 3n, 2n]],
    ['latest', [7n, 7n, 2n]],
  ] as const)('does not count for %s', async (aggregation, totals) => {
    const consumer = await createConsumer(shop, {
      meter: { aggregation, ...(aggregation === 'unique' ? { property: 'user' } : {}) },
    });
    const ids: string[] = [];
    for (const { value, user } of sent)
      ids.push(await track(consumer, { value, properties: [{ property: 'user', value: user }] }));
    const found = [await totalOf(consumer)];
    for (const index of [1, 4]) {
      expect(await voidEvent(ids[index] ?? '')).toMatchObject({ status: 200, body: { kind: 'void' } });
      found.push(await totalOf(consumer));
    }
    expect(found).toEqual(totals);
  });

  test('keeps the total that was set after it', async () => {
    const consumer = await createConsumer(shop);
    const [first] = [await track(consumer, { value: 5 })];
    await shop.rest('PUT', '/usage', { ...of(consumer), value: 100 });
    const later = await track(consumer, { value: 3 });
    expect((await voidEvent(first)).body).toMatchObject({ difference: 0 });
    expect((await voidEvent(later)).body).toMatchObject({ difference: -3 });
    expect(await totalOf(consumer)).toBe(100n);
  });

  test('does not count for a percentile', async () => {
    const meter = { aggregation: 'percentile', percentile: 100 };
    const consumer = await createConsumer(shop, {
      meter,
      terms: { overage: { enabled: true, unitPrice: 1 } },
    });
    await track(consumer, { value: 4 });
    await voidEvent(await track(consumer, { value: 9 }));
    expect((await shop.rest('POST', '/usage/check', of(consumer))).body).toMatchObject({ current: 4 });
  });

  test('returns the first correction to a repeated void, and rejects a later replacement', async () => {
    const consumer = await createConsumer(shop);
    const id = await track(consumer, { value: 5 });
    const first = await voidEvent(id);
    expect((await voidEvent(id)).body).toEqual(first.body);
    expect((await replace(id, { value: 3 })).body).toMatchObject({ error: { code: 'duplicate' } });
    expect(await totalOf(consumer)).toBe(0n);
    expect((await voidEvent('evt_none')).body).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('a replaced event', () => {
  test('is counted with its new quantity, also above a limit, and only once', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const id = await track(consumer, { value: 8 });
    const { body } = await replace(id, { value: 12, reason: 'Wrong unit.' });
    expect(body).toMatchObject({ kind: 'replace', difference: 4, reason: 'Wrong unit.', usageEventId: id });
    expect(await totalOf(consumer)).toBe(12n);
    expect((await replace(id, { value: 1 })).body).toMatchObject({ error: { code: 'duplicate' } });
    expect((await voidEvent(id)).body).toMatchObject({ error: { code: 'duplicate' } });
    const { id: next } = body['replacement'] as { readonly id: string };
    expect((await voidEvent(next)).body).toMatchObject({ difference: -12 });
    expect(await totalOf(consumer)).toBe(0n);
    const list = await shop.rest('GET', `/usage/corrections?customerId=${consumer.customerId}`);
    expect(list.body['data']).toMatchObject([{ usageEventId: next }, { usageEventId: id }]);
  });

  test('needs a model with a price if the feature is priced by model, and only then', async () => {
    const tokens = { inputTokens: 100, outputTokens: 10 };
    const consumer = await createConsumer(shop);
    const id = await track(consumer, { value: 5 });
    expect((await replace(id, { model: 'gpt', ...tokens })).body).toMatchObject({
      error: { code: 'pricing_mode_mismatch' },
    });
    expect(await totalOf(consumer)).toBe(5n);
    const model = await listModel(shop);
    const priced = await track(await createAiConsumer(shop), { model, ...tokens });
    expect((await replace(priced, { model: 'no/model', ...tokens })).body).toMatchObject({
      error: { code: 'model_not_found' },
    });
  });
});

describe('a correction on a pool (PRM-127)', () => {
  /** Returns the total, the balance, and the remaining amounts of the lots. */
  async function stateOf(consumer: Consumer) {
    const { total, balance } = await consumptionOf(shop, consumer);
    const lots = await shop.rest('GET', `/customers/${consumer.customerId}/lots`);
    const data = lots.body['data'] as readonly { readonly remaining: number }[];
    return { total, balance, lots: data.map(({ remaining }) => remaining) };
  }
  const credits = async (consumer: Consumer) => (await consumptionOf(shop, consumer)).credits;

  test('returns the price to the lots, and waives the part that exceeds the lots', async () => {
    const consumer = await createCreditsConsumer(shop, 100, 7);
    const id = await track(consumer, { value: 10 });
    expect(await credits(consumer)).toBe(30n);
    const { body } = await replace(id, { value: 20 });
    // 140 − 70 = 70, of which 30 are left.
    expect(body).toMatchObject({ deducted: 30, waived: 40 });
    expect(await credits(consumer)).toBe(0n);
    const { id: next } = body['replacement'] as { readonly id: string };
    expect((await voidEvent(next)).body).toMatchObject({ deducted: -100, waived: -40 });
    expect(await credits(consumer)).toBe(100n);
    expect((await consumptionOf(shop, consumer)).entries?.credits).toBe(100n);
  });

  test('takes the difference from a balance that can be negative', async () => {
    const consumer = await createBalanceConsumer(shop, 1_000, false);
    const { body } = await replace(await track(consumer, { value: 10 }), { value: 30 });
    expect(body).toMatchObject({ deducted: 1_000, waived: 0 });
    expect((await consumptionOf(shop, consumer)).balance).toBe(-500n);
  });

  test('leaves nothing behind if a recorded event is voided, or replaced by the same event', async () => {
    const random = randomOf(7);
    const consumer = await createConsumer(shop, {
      plan: { consumptionModel: 'balance', blockOnExhaustion: true },
      price: { includedBalance: 100_000 },
      terms: { pricingMode: 'fixed', overage: { unitPrice: 1 } },
      rate: {
        model: 'graduated',
        tiers: [
          { upTo: '50', amount: '0.0333' },
          { upTo: '120', amount: '0.02505' },
          { upTo: null, amount: '0.0101' },
        ],
      },
    });
    for (let round = 0; round < 12; round++) {
      const before = await stateOf(consumer);
      const id = await track(consumer, { value: 1 + random.below(40) });
      const recorded = await stateOf(consumer);
      const same = await replace(id, {});
      expect(same.body).toMatchObject({ difference: 0, deducted: 0, waived: 0 });
      expect(await stateOf(consumer)).toEqual(recorded);
      await voidEvent((same.body['replacement'] as { readonly id: string }).id);
      expect(await stateOf(consumer)).toEqual(before);
      await track(consumer, { value: 1 + random.below(40) });
    }
    const verify = '{ ledgerVerify { ok mismatches { account expected actual } } }';
    expect(await t.graphql(verify)).toEqual({ ledgerVerify: { ok: true, mismatches: [] } });
  });

  test('returns the exact price of tokens', async () => {
    const model = await listModel(shop);
    const consumer = await createAiConsumer(shop);
    const tokens = { model, inputTokens: 777, outputTokens: 33 };
    const ids = [await track(consumer, tokens), await track(consumer, tokens), await track(consumer, tokens)];
    for (const id of ids) await voidEvent(id);
    expect((await consumptionOf(shop, consumer)).balance).toBe(420_000n);
  });
});

test('a correction sends usage.corrected, and a repeated keyed request returns its response', async () => {
  const consumer = await createConsumer(shop);
  const id = await track(consumer, { value: 5 });
  const headers = { 'idempotency-key': `replace-${id}` };
  const keyed = () => shop.rest('POST', `/usage/events/${id}/replace`, { value: 3 }, { headers });
  const [first, again] = [await keyed(), await keyed()];
  expect(first.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(await totalOf(consumer)).toBe(3n);
  const events = await t.app.database.query(
    `SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = 'usage.corrected' AND data->>'usageEventId' = $2`,
    [shop.environmentId, id],
  );
  expect(events).toMatchObject([{ data: { kind: 'replace', difference: -2, usageEventId: id } }]);
});

test('a repeated event ID returns the stored event after the meter was changed (CON-8)', async () => {
  const meter = { aggregation: 'sum', step: '60' };
  const consumer = await createConsumer(shop, { meter });
  const event = { ...of(consumer), eventId: 'job-1', value: 61 };
  const first = await shop.rest('POST', '/usage/events', event);
  expect(first.body).toMatchObject({ value: 120 });
  await setMeter(shop, consumer.feature.code, { aggregation: 'sum', step: '100' });
  await advanceDays(shop, 31);
  expect((await shop.rest('POST', '/usage/events', event)).body).toMatchObject({ id: first.body['id'] });
  expect((await shop.rest('POST', '/usage/events', { ...event, value: 1 })).body).toMatchObject({
    error: { code: 'duplicate' },
  });
});
