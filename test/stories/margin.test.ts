import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveModelPrices } from '../../src/modules/catalog/ai-models/store.ts';
import { type Consumer, type ConsumerOptions, createConsumer, of, setRate } from '../support/consumers.ts';
import { clockSettled, otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { histories, type Random, randomOf } from '../support/random.ts';
import { closeStory } from '../support/recompute.ts';

// Exact price, cost, and margin of usage, from the events to the report (PRM-119). Each story has a separate sandbox and clock.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

type Body = Readonly<Record<string, unknown>>;

type Margin = {
  readonly group: { readonly key: string };
  readonly currency: string;
  readonly price: string;
  readonly cost: string | null;
  readonly margin: string | null;
  readonly isBelowCost: boolean;
};

async function story(options: ConsumerOptions, cost: Body | null = null) {
  const shop = await otherShop(t, 'Margins');
  const until = async (frozenTime: string): Promise<void> => {
    expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
    expect(await clockSettled(shop)).toBe('completed');
  };
  await until('2027-01-01T00:00:00Z');
  const consumer = await createConsumer(shop, options);
  if (cost !== null) await setCost(shop, consumer, cost);
  const use = async (body: Body): Promise<string | null> => {
    const response = await shop.rest('POST', '/usage/events', { ...of(consumer), ...body });
    return response.status === 200 ? String(response.body['id']) : null;
  };
  return { shop, consumer, until, use, report: reportOf(shop) };
}

async function setCost(shop: Shop, { planId, feature }: Consumer, rate: Body): Promise<void> {
  const response = await shop.rest('PUT', `/plans/${planId}/features/${feature.id}/cost`, { rate });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
}

const reportOf =
  (shop: Shop) =>
  async (groupBy = 'feature', from = '2027-01-01', to = '2027-12-31'): Promise<Margin[]> => {
    const path = `/metrics/margin?from=${from}&to=${to}&groupBy=${groupBy}`;
    const { status, body } = await shop.rest<{ data: Margin[] }>('GET', path);
    expect(status).toBe(200);
    return body.data;
  };

const amounts = ({ price, cost, margin }: Margin) => [price, cost, margin];

/** Calls the API until the sums in the report contain all events, and expects them to match their sources. */
async function expectVerified(shop: Shop): Promise<void> {
  const { metricsVerify } = await shop.t.graphql<{
    metricsVerify: { ok: boolean; sumMismatches: unknown[] };
  }>('{ metricsVerify { ok sumMismatches { subject expected actual } } }', {}, { key: shop.key });
  expect(metricsVerify).toEqual({ ok: true, sumMismatches: [] });
}

const metered = { terms: { includedAmount: 4_200, overage: { enabled: true, unitPrice: 85 } } };

describe('AI usage', () => {
  test('has the exact price and cost of its tokens (PRM-E21, PRM-E27)', async () => {
    const prices = { input: 150_000n, output: 600_000n };
    await saveModelPrices(
      t.app.database,
      {
        models: [{ id: 'acme/small', provider: 'acme', name: 'small', prices: [{ upTo: null, prices }] }],
        invalidIds: [],
        unknownPrices: 0,
      },
      t.app.wall.now(),
    );
    const { shop, consumer, report } = await story({
      plan: { consumptionModel: 'balance', blockOnExhaustion: true },
      price: { includedBalance: 420_000 },
      terms: { pricingMode: 'ai_model', margin: 2_000 },
    });
    const call = { ...of(consumer), model: 'acme/small', inputTokens: 300, outputTokens: 5 };
    for (let batch = 0; batch < 10; batch++) {
      const events = Array.from({ length: 100 }, () => call);
      expect((await shop.rest('POST', '/usage/events/batch', { events })).status).toBe(200);
    }
    for (const groupBy of ['feature', 'model', 'customer', 'plan', 'day', 'month']) {
      const rows = await report(groupBy);
      expect(rows.map(amounts)).toEqual([['0.0576', '0.048', '0.0096']]);
    }
    expect((await report('model')).map(({ group }) => group.key)).toEqual(['acme/small']);
  });
});

describe('metered usage', () => {
  test('has a provisional price, and the difference to the invoice at the end of the window (CON-E1)', async () => {
    const { use, until, report, shop } = await story(metered, { amount: '0.001' });
    await use({ value: 4_000 });
    await use({ value: 2_037 });
    // 1,837 units above the included units, and 6,037 units that cost 0.001.
    expect((await report()).map(amounts)).toEqual([['15.6145', '6.037', '9.5775']]);
    await until('2027-02-01T00:00:00Z');
    expect((await report()).map(amounts)).toEqual([['15.61', '6.037', '9.573']]);
    expect((await report('day')).map((row) => [row.group.key, row.price])).toEqual([
      ['2027-01-01', '15.6145'],
      ['2027-01-31', '-0.0045'],
    ]);
    const csv = await fetch(
      `${t.url}/api/v1/exports/stream?kind=metrics_margin&format=csv&from=2027-01-01&to=2027-12-31&groupBy=day`,
      { headers: { 'x-api-key': shop.key } },
    );
    expect((await csv.text()).split('\r\n')).toEqual([
      'group_key,group_name,currency,price,cost,margin,priceUsd,costUsd,marginUsd,isBelowCost,isComplete',
      '2027-01-01,2027-01-01,usd,15.6145,6.037,9.5775,15.6145,6.037,9.5775,false,true',
      '2027-01-31,2027-01-31,usd,-0.0045,0,-0.0045,-0.0045,0,-0.0045,true,true',
      '',
    ]);
    await until('2027-04-01T00:00:00Z');
    expect((await report()).map(amounts)).toEqual([['15.61', '6.037', '9.573']]);
    await expectVerified(shop);
  });

  test('is below its cost if the cost is higher than the price', async () => {
    const { use, report } = await story(metered, { amount: '0.01' });
    await use({ value: 4_200 });
    expect(await report()).toMatchObject([{ price: '0', cost: '42', margin: '-42', isBelowCost: true }]);
  });

  test('has the price and cost of the total that is set or corrected (CON-14, PRM-126)', async () => {
    const { shop, consumer, use, until, report } = await story(
      { terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } } },
      { amount: '0.004' },
    );
    const first = await use({ value: 100 });
    const second = await use({ value: 50 });
    expect((await report()).map(amounts)).toEqual([['1.5', '0.6', '0.9']]);
    await shop.rest('PUT', '/usage', { ...of(consumer), value: 500 });
    expect((await report()).map(amounts)).toEqual([['5', '2', '3']]);
    await shop.rest('PUT', '/usage', { ...of(consumer), value: 150 });
    expect((await shop.rest('POST', `/usage/events/${first}/void`, {})).status).toBe(200);
    expect((await shop.rest('POST', `/usage/events/${second}/replace`, { value: 20 })).status).toBe(200);
    await until('2027-02-01T00:00:00Z');
    // Both events were recorded before the total was set, so the corrections don't change it.
    expect((await report()).map(amounts)).toEqual([['1.7', '0.68', '1.02']]);
    await expectVerified(shop);
  });

  test('costs the final total if the total is known only at the end of the window (PRM-121)', async () => {
    const { use, until, report } = await story(
      {
        terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } },
        meter: { aggregation: 'percentile', percentile: 50 },
      },
      { amount: '0.004' },
    );
    for (const value of [10, 30, 20]) await use({ value });
    expect(await report()).toEqual([]);
    await until('2027-02-01T00:00:00Z');
    expect((await report()).map(amounts)).toEqual([['0.2', '0.08', '0.12']]);
  });
});

describe('credits', () => {
  test('have the paid price of the credits that the usage deducts (PRM-145)', async () => {
    const { shop, consumer, use, report } = await story(
      {
        plan: { consumptionModel: 'credits' },
        price: { includedCredits: 10 },
        terms: { creditsPerUnit: 1 },
      },
      { amount: '0.05' },
    );
    const pack = await shop.rest('POST', '/credit-packs', { name: 'Pack', credits: 100, price: 900 });
    expect(pack.status).toBe(201);
    const bought = await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/credits`, {
      creditPackId: pack.body['id'],
    });
    expect(bought.status, JSON.stringify(bought.body)).toBeLessThan(300);
    await use({ value: 30 });
    // 10 credits of the plan, and 20 credits at 0.09.
    expect((await report()).map(amounts)).toEqual([['1.8', '1.5', '0.3']]);
  });
});

type Model = 'metered' | 'balance';

const rates: readonly Body[] = [
  { amount: '0.0137' },
  { per: 3, amount: '0.02' },
  {
    model: 'graduated',
    tiers: [
      { upTo: '100', amount: '0.02' },
      { upTo: null, amount: '0.0075', flat: '0.5' },
    ],
  },
  { amount: '0.013', minimum: '1.00', maximum: '3.00' },
];

const terms = { metered: { includedAmount: 50, overage: { enabled: true, unitPrice: 0 } }, balance: {} };

/** Random usage, corrections, and changes of the rate for some months. Returns the number of ended windows. */
async function live(world: Awaited<ReturnType<typeof story>>, model: Model, random: Random): Promise<void> {
  const { shop, consumer, use, until } = world;
  const { planId, feature, subscriptionId } = consumer;
  const events: string[] = [];
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {
      const id = await use({ value: random.below(90) });
      if (id !== null) events.push(id);
    },
    () => setRate(shop, planId, feature.id, random.pick(rates)),
    () => setCost(shop, consumer, random.pick(rates)),
    async () => {
      if (events.length > 0) await shop.rest('POST', `/usage/events/${random.pick(events)}/void`, {});
    },
    async () => {
      if (events.length > 0)
        await shop.rest('POST', `/usage/events/${random.pick(events)}/replace`, { value: random.below(90) });
    },
    async () => {
      if (model === 'metered')
        await shop.rest('PUT', '/usage', { ...of(consumer), value: random.below(200) });
    },
  ];
  for (let month = 2; month < 5; month++) {
    for (let count = 0; count < 12; count++) await random.pick([steps[0], ...steps, steps[0]])?.();
    await until(`2027-0${month}-01T00:00:00Z`);
  }
  await use({ value: 40 });
  if (random.below(2) === 0)
    await shop.rest('POST', `/subscriptions/${subscriptionId}/cancel`, { immediate: true, reason: 'other' });
  else await until('2027-05-01T00:00:00Z');
}

describe('in random histories, the prices add up to the drawn or billed amounts', () => {
  const runs = Array.from({ length: histories(3) }, (_, seed) => seed);
  test.each(runs.flatMap((seed) => (['metered', 'balance'] as const).map((model) => [model, seed] as const)))(
    '%s %i',
    async (model, seed) => {
      const random = randomOf(seed * 7 + model.length);
      const options: ConsumerOptions = {
        plan: { consumptionModel: model },
        price: model === 'balance' ? { includedBalance: 20_000 } : {},
        terms: terms[model],
        rate: random.pick(rates),
      };
      const world = await story(options, random.pick(rates));
      await live(world, model, random);
      const { shop, report } = world;
      // Corrections of ended windows also change what was billed. Their credits can wait for a later invoice (PRM-128).
      const [billed] = await t.app.database.query<{
        lines: string;
        corrected: string;
        credits: number;
        drawn: string;
      }>(
        `SELECT (SELECT coalesce(sum(amount), 0)::text FROM "InvoiceLine" WHERE "environmentId" = $1 AND "lineType" = 'feature_overage'
             AND "correctionId" IS NULL) AS lines,
           (SELECT coalesce(sum("amountMinor"), 0)::text FROM "UsageCorrection" WHERE "environmentId" = $1) AS corrected,
           (SELECT count(*)::int FROM "UsageCorrection" WHERE "environmentId" = $1 AND "amountMinor" <> 0) AS credits,
           (SELECT coalesce(sum(-amount), 0)::text FROM "ConsumptionEntry" WHERE "environmentId" = $1 AND type IN ('consumption', 'return')) AS drawn`,
        [shop.environmentId],
      );
      const drawn = model === 'metered' ? Number(billed?.lines) * 100 : Number(billed?.drawn);
      const expected = (drawn + Number(billed?.corrected) * 100) / 10_000;
      for (const groupBy of ['feature', 'customer', 'model']) {
        const [row, ...others] = await report(groupBy);
        expect(others).toEqual([]);
        // A credit for a billed negative balance is rounded to cents, and the balance isn't.
        const rounding = model === 'metered' ? 0 : (billed?.credits ?? 0) * 0.005;
        expect(Math.abs(Number(row?.price) - expected)).toBeLessThanOrEqual(rounding + 1e-9);
        expect(Number(row?.margin)).toBeCloseTo(Number(row?.price) - Number(row?.cost), 12);
      }
      await expectVerified(shop);
    },
  );
});
