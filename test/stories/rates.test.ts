import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, type ConsumerOptions, createConsumer, of, setRate } from '../support/consumers.ts';
import {
  activateAddon,
  attachFeature,
  clockSettled,
  createAddon,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { expectLedgerBalanced } from '../support/stories.ts';

// Rates with tiers, packages, and prices below a cent, from the plan to the invoice. Each story has a separate sandbox and clock.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

type Rate = Readonly<Record<string, unknown>>;

type Line = {
  readonly lineType: string;
  readonly description: string;
  readonly label?: string;
  readonly quantity: number;
  readonly unitAmount: number;
  readonly amount: number;
};

/** Rate with a first tier of 1,000 units at 0.02, a second tier up to 10,000 units at 0.015, and 0.008 above that (PRM-E1). */
const ladder = (model: string): Rate => ({
  model,
  tiers: [
    { upTo: '1000', amount: '0.0200' },
    { upTo: '10000', amount: '0.0150' },
    { upTo: null, amount: '0.0080' },
  ],
});

const sold = { includedAmount: 0, overage: { enabled: true, unitPrice: 0 } };

/** Creates a sandbox at the given time, with a consumer whose feature has this rate. */
async function story(at: string, rate: Rate, options: ConsumerOptions = { terms: sold }) {
  const shop = await otherShop(t, 'Rates');
  const api: TestApp = {
    ...t,
    rest: shop.rest,
    graphql: (query, variables, more = {}) => t.graphql(query, variables, { key: shop.key, ...more }),
  };
  const until = async (frozenTime: string): Promise<void> => {
    expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
    expect(await clockSettled(shop)).toBe('completed');
  };
  await until(at);
  const consumer = await createConsumer(shop, { ...options, rate });
  const { planId, feature } = consumer;
  const change = (next: Rate): Promise<void> => setRate(shop, planId, feature.id, next);
  return { shop, api, until, consumer, change, ...operationsOf(shop, consumer) };
}

function operationsOf(shop: Shop, consumer: Consumer) {
  const use = async (value: number): Promise<unknown> => {
    const { body } = await shop.rest<{
      consumption?: { deducted: number; remaining: number };
      error?: { code: string };
    }>('POST', '/usage/events', { ...of(consumer), value });
    return body.error?.code ?? body.consumption ?? 'recorded';
  };
  /** Returns the latest invoice's line items, excluding the plan's base price. */
  const lines = async () => {
    const { subscription } = await shop.t.graphql<{
      subscription: { invoices: { nodes: { total: number; lineItems: Line[] }[] } };
    }>(
      `query ($id: ID!) { subscription(id: $id) { invoices(first: 1) { nodes {
         total lineItems { lineType description quantity unitAmount amount } } } } }`,
      { id: consumer.subscriptionId },
      { key: shop.key },
    );
    const [invoice] = subscription.invoices.nodes;
    expect(invoice?.lineItems.reduce((sum, { amount }) => sum + amount, 0)).toBe(invoice?.total);
    return (invoice?.lineItems ?? [])
      .filter(({ lineType }) => lineType !== 'plan_base')
      .map(({ description, quantity, unitAmount, amount }) => [
        description.slice(description.indexOf(': ') + 2),
        quantity,
        unitAmount,
        amount,
      ]);
  };
  return { use, lines };
}

describe('a metered feature', () => {
  test('is billed for the total that was set last (PRM-E34)', async () => {
    const { shop, api, until, consumer, use, lines } = await story(
      '2027-01-01T00:00:00Z',
      ladder('graduated'),
    );
    await use(740);
    expect((await shop.rest('PUT', '/usage', { ...of(consumer), value: 500 })).status).toBe(200);
    await until('2027-02-01T00:00:00Z');
    expect(await lines()).toEqual([['500 (1 to 1000)', 500, 2, 1_000]]);
    await expectLedgerBalanced(api);
  });

  test('is billed with one line per tier, as previewed (PRM-E1, PRM-105)', async () => {
    const { shop, api, until, consumer, use, lines } = await story(
      '2027-01-01T00:00:00Z',
      ladder('graduated'),
    );
    await use(999);
    await use(11_501);
    const { subscriptionPreview } = await shop.t.graphql<{
      subscriptionPreview: { nextChargeWithout: { lineItems: Line[] } };
    }>(
      `query ($id: ID!) { subscriptionPreview(command: { cancel: { id: $id } }) {
         nextChargeWithout { lineItems { lineType label amount } } } }`,
      { id: consumer.subscriptionId },
      { key: shop.key },
    );
    expect(
      subscriptionPreview.nextChargeWithout.lineItems.flatMap(({ lineType, label, amount }) =>
        lineType === 'feature_overage' ? [[label?.replace(/^.*: /, ''), amount]] : [],
      ),
    ).toEqual([
      ['1,000 (1 to 1,000)', 2_000],
      ['9,000 (1,001 to 10,000)', 13_500],
      ['2,500 (10,001 and above)', 2_000],
    ]);
    await until('2027-02-01T00:00:00Z');
    expect(await lines()).toEqual([
      ['1000 (1 to 1000)', 1_000, 2, 2_000],
      ['9000 (1001 to 10000)', 9_000, 1.5, 13_500],
      ['2500 (10001 and above)', 2_500, 0.8, 2_000],
    ]);
    await expectLedgerBalanced(api);
  });

  test('can cost less than 0.0001 per unit, and its charge is rounded once per period (PRM-E16)', async () => {
    const { until, use, lines } = await story('2027-01-01T00:00:00Z', { per: 1_000_000, amount: '0.20' });
    for (let count = 0; count < 5; count++) await use(46_913);
    await use(1_000_002);
    await until('2027-02-01T00:00:00Z');
    expect(await lines()).toEqual([
      [expect.stringMatching(/^1234567 \(1 and above\)$/), 1_234_567, 0.00002, 25],
    ]);
  });

  test('can be billed in packages, with a minimum and a maximum', async () => {
    const { until, use, lines, change } = await story('2027-01-01T00:00:00Z', {
      model: 'package',
      per: 500,
      amount: '4.00',
    });
    await use(501);
    await until('2027-02-01T00:00:00Z');
    expect(await lines()).toEqual([['1000 in packages of 500', 1, 800, 800]]);
    await change({ amount: '0.10', minimum: '10.00', maximum: '50.00' });
    await until('2027-03-01T00:00:00Z');
    expect(await lines()).toEqual([]);
    await use(1);
    await until('2027-04-01T00:00:00Z');
    expect(await lines()).toEqual([['minimum price', 1, 1_000, 1_000]]);
    await use(1_000);
    await until('2027-05-01T00:00:00Z');
    expect(await lines()).toEqual([['maximum price', 1, 5_000, 5_000]]);
  });

  test('is billed at the cheaper of two rates if the rate changes during the period (PRM-5, PRM-E37)', async () => {
    const { until, use, lines, change } = await story('2027-01-01T00:00:00Z', ladder('graduated'));
    await until('2027-01-09T00:00:00Z');
    await change({ amount: '0.0160' });
    await use(4_000);
    await until('2027-02-01T00:00:00Z');
    // 4,000 units cost 64.00 at the new rate and 65.00 at the old rate.
    expect(await lines()).toEqual([['4000 (1 and above)', 4_000, 1.6, 6_400]]);
    await change(ladder('graduated'));
    await use(12_500);
    await until('2027-03-01T00:00:00Z');
    expect((await lines()).map(([, , , amount]) => amount)).toEqual([2_000, 13_500, 2_000]);
  });

  test('is billed in another currency at the derived rate (PRM-110)', async () => {
    const shop = await otherShop(t, 'Rates');
    await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-01T00:00:00Z' });
    expect(await clockSettled(shop)).toBe('completed');
    const rate = { per: 1_000_000, amount: '0.20' };
    const consumer = await createConsumer(shop, { terms: sold, rate });
    await shop.t.graphql(
      'mutation ($input: PlanCurrencySetInput!) { planCurrencySet(input: $input) { currency } }',
      { input: { planId: consumer.planId, currency: 'brl', exchangeRate: 5.43, prices: [] } },
      { key: shop.key },
    );
    expect((await shop.rest('GET', `/plans/${consumer.planId}`)).body).toMatchObject({
      features: [{ regionalPrices: [{ currency: 'brl', overageUnitPrice: 0, autoSynced: true }] }],
    });
  });
});

describe('seats', () => {
  test('are charged in advance by tier, and added seats cost the increase in price (PRM-E3)', async () => {
    const { shop, until, consumer, lines } = await story(
      '2027-04-01T00:00:00Z',
      {
        model: 'graduated',
        tiers: [
          { upTo: '5', amount: '12.00' },
          { upTo: null, amount: '9.00' },
        ],
      },
      { type: 'seats', terms: sold },
    );
    const add = async (count: number): Promise<void> => {
      const { status } = await shop.rest('POST', '/seats', { ...of(consumer), count });
      expect(status).toBe(200);
    };
    await add(4);
    await until('2027-05-01T00:00:00Z');
    expect(await lines()).toEqual([
      ['4 more from 2027-04-01, for 30 days', 1, 4_800, 4_800],
      ['4 (1 to 5)', 4, 1_200, 4_800],
    ]);
    await until('2027-05-14T00:00:00Z');
    await add(5);
    await until('2027-06-01T00:00:00Z');
    // (96.00 − 48.00) × 18 ÷ 31 days.
    expect(await lines()).toEqual([
      ['5 more from 2027-05-14, for 18 days', 1, 2_787, 2_787],
      ['5 (1 to 5)', 5, 1_200, 6_000],
      ['4 (6 and above)', 4, 900, 3_600],
    ]);
  });
});

describe('a balance', () => {
  test('is reduced by the increase in the rounded price, and must cover the exact price (PRM-101, PRM-103)', async () => {
    const { use } = await story('2027-01-01T00:00:00Z', ladder('graduated'), {
      plan: { consumptionModel: 'balance', blockOnExhaustion: true },
      price: { includedBalance: 205_000 },
      terms: { pricingMode: 'fixed' },
    });
    expect(await use(990)).toMatchObject({ deducted: 198_000, remaining: 7_000 });
    // 10 units at 0.02, and 20 at 0.015 (PRM-E2).
    expect(await use(30)).toMatchObject({ deducted: 5_000, remaining: 2_000 });
    expect(await use(14)).toBe('insufficient_balance');
    expect(await use(13)).toMatchObject({ deducted: 1_950, remaining: 50 });
  });

  test('is reduced by the same amount for many small events as for one large event (PRM-E16)', async () => {
    const { use } = await story(
      '2027-01-01T00:00:00Z',
      { per: 1_000, amount: '0.0576' },
      {
        plan: { consumptionModel: 'balance', blockOnExhaustion: true },
        price: { includedBalance: 3 },
        terms: { pricingMode: 'fixed' },
      },
    );
    // One unit costs 0.576 ten-thousandths. A sixth unit would bring the total to 3.456 (PRM-E21b).
    const events: unknown[] = [];
    for (let count = 0; count < 6; count++) events.push(await use(1));
    expect(
      events.map((event) => (typeof event === 'object' ? (event as { deducted: number }).deducted : event)),
    ).toEqual([1, 0, 1, 0, 1, 'insufficient_balance']);
  });
});

describe('credits', () => {
  test('pay for small events in total what they cost together (PRM-101, PRM-103, PRM-E47)', async () => {
    const { shop, consumer, use } = await story(
      '2027-01-01T00:00:00Z',
      { per: 1_000, amount: '1' },
      {
        plan: { consumptionModel: 'credits' },
        price: { includedCredits: 2 },
        terms: { creditsPerUnit: 7 },
      },
    );
    const check = () => shop.rest('POST', '/usage/check', { ...of(consumer), quantity: 411 });
    expect(await check()).toMatchObject({
      body: { allowed: true, creditsPerUnit: 1, estimatedCredits: 0, totalCredits: 2 },
    });
    expect(await use(411)).toMatchObject({ deducted: 0, remaining: 2 });
    expect(await check()).toMatchObject({ body: { allowed: true, estimatedCredits: 1 } });
    expect(await use(411)).toMatchObject({ deducted: 1, remaining: 1 });
    expect(await use(411)).toMatchObject({ deducted: 0, remaining: 1 });
    // 1,233 units have taken one credit. 767 more cost exactly two credits, and another one would cost a third credit.
    expect(await use(768)).toBe('insufficient_credits');
    expect(await use(767)).toMatchObject({ deducted: 1, remaining: 0 });
    expect(await use(1)).toBe('insufficient_credits');
  });

  test('pay tiers, and further events after a change pay the increase of the cheaper price (PRM-5)', async () => {
    const { change, use } = await story(
      '2027-01-01T00:00:00Z',
      {
        model: 'graduated',
        tiers: [
          { upTo: '100', amount: '2' },
          { upTo: null, amount: '1', flat: '10' },
        ],
      },
      {
        plan: { consumptionModel: 'credits' },
        price: { includedCredits: 1_000 },
        terms: { creditsPerUnit: 7 },
      },
    );
    expect(await use(99)).toMatchObject({ deducted: 198, remaining: 802 });
    // One unit at 2, the amount of the second tier, and 9 units at 1.
    expect(await use(10)).toMatchObject({ deducted: 2 + 10 + 9, remaining: 781 });
    await change({ amount: '3' });
    expect(await use(10)).toMatchObject({ deducted: 10 });
  });
});

describe('an add-on', () => {
  const addonFor = async (shop: Shop, planModel: string, terms: object, rate: Rate) => {
    const consumer = await createConsumer(shop, {
      plan: { consumptionModel: planModel },
      ...(planModel === 'credits' && { price: { includedCredits: 20 }, terms: { creditsPerUnit: 1 } }),
    });
    const { id: featureId, code: featureCode } = await createFeature(shop, 'usage');
    const addon = await createAddon(shop, { featureId, consumptionModel: planModel, ...terms });
    const path = `/addons/${addon.id}/rate`;
    expect(await shop.rest('PUT', path, { rate })).toMatchObject({ status: 200 });
    await activateAddon(shop, consumer.subscriptionId, addon.id);
    return {
      consumer,
      use: (value: number) => useFeature(shop, { ...of(consumer), featureCode, value }),
      path,
    };
  };

  async function useFeature(shop: Shop, event: object): Promise<unknown> {
    const { body } = await shop.rest<{ consumption?: object; error?: { code: string } }>(
      'POST',
      '/usage/events',
      event,
    );
    return body.error?.code ?? body.consumption ?? 'recorded';
  }

  const shopAt = async (at: string) => {
    const shop = await otherShop(t, 'Rates');
    const until = async (frozenTime: string): Promise<void> => {
      expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
      expect(await clockSettled(shop)).toBe('completed');
    };
    await until(at);
    return { shop, until };
  };

  test('is billed with one line per tier above its own included units (CAT-42, PRM-105)', async () => {
    const { shop, until } = await shopAt('2027-01-01T00:00:00Z');
    const { consumer, use } = await addonFor(
      shop,
      'metered',
      { includedUnits: 500, overageRate: 0 },
      ladder('graduated'),
    );
    await use(2_000);
    await until('2027-02-01T00:00:00Z');
    const { lines } = operationsOf(shop, consumer);
    expect(await lines()).toEqual(
      expect.arrayContaining([
        ['1000 (1 to 1000)', 1_000, 2, 2_000],
        ['500 (1001 to 10000)', 500, 1.5, 750],
      ]),
    );
  });

  test('costs the cheaper of two rates if the rate changes during the period (CAT-43, PRM-5)', async () => {
    const { shop, until } = await shopAt('2027-01-01T00:00:00Z');
    const { consumer, use, path } = await addonFor(
      shop,
      'metered',
      { includedUnits: 0, overageRate: 0 },
      { amount: '0.05' },
    );
    await until('2027-01-10T00:00:00Z');
    await shop.rest('PUT', path, { rate: ladder('volume') });
    await use(2_000);
    await until('2027-02-01T00:00:00Z');
    const { lines } = operationsOf(shop, consumer);
    expect(await lines()).toEqual(
      expect.arrayContaining([[expect.stringMatching(/^2000/), 2_000, 1.5, 3_000]]),
    );
  });

  test('deducts credits by its rate (CAT-42, PRM-E47)', async () => {
    const { shop } = await shopAt('2027-01-01T00:00:00Z');
    const { use } = await addonFor(shop, 'credits', { creditCost: 3 }, { per: 1_000, amount: '1' });
    const events = [await use(411), await use(411), await use(411)];
    expect(events).toMatchObject([{ deducted: 0 }, { deducted: 1 }, { deducted: 0 }]);
  });
});

describe('a rate with overrides', () => {
  test('is billed at the rate of the market, then of the currency, then at the derived rate (PRM-110)', async () => {
    const shop = await otherShop(t, 'Rates');
    const until = async (frozenTime: string): Promise<void> => {
      expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
      expect(await clockSettled(shop)).toBe('completed');
    };
    await until('2027-01-01T00:00:00Z');
    const market = await shop.rest<{ id: string }>('POST', '/markets', {
      name: 'Andes',
      countryCodes: ['PE'],
    });
    const overrides = [
      { currency: 'brl', amount: '0.10' },
      { currency: 'usd', marketId: market.body.id, amount: '0.01' },
    ];
    const feature = await createFeature(shop, 'usage');
    const { id: planId } = await createPlan(shop, {});
    await attachFeature(shop, planId, feature.id, sold);
    await setRate(shop, planId, feature.id, { amount: '0.02', overrides });
    await createPrice(shop, planId, {});
    for (const [currency, exchangeRate] of [
      ['brl', 5.43],
      ['eur', 0.9],
    ])
      await shop.rest('PUT', `/plans/${planId}/regional`, { currency, exchangeRate });
    const subscribers = ['PE', 'BR', 'DE', 'US'].map(async (country) => {
      const { id: customerId } = await createCustomer(shop, country);
      const subscription = await subscribeTo(shop, customerId, planId);
      await pay(shop, subscription.token ?? '');
      await shop.rest('POST', '/usage/events', { customerId, featureCode: feature.code, value: 1_000 });
      return { customerId, subscriptionId: subscription.id, planId, feature };
    });
    const consumers = await Promise.all(subscribers);
    await until('2027-02-01T00:00:00Z');
    const amounts = await Promise.all(
      consumers.map(async (consumer) =>
        (await operationsOf(shop, consumer).lines()).map(([, , , amount]) => amount),
      ),
    );
    expect(amounts).toEqual([[1_000], [10_000], [1_800], [2_000]]);
  });
});

describe('a rate card with overrides', () => {
  test('prices a feature and an add-on by the market, then by the currency, then by the derived rates (PRM-6, PRM-110)', async () => {
    const shop = await otherShop(t, 'Cards');
    const until = async (frozenTime: string): Promise<void> => {
      expect((await shop.rest('POST', '/test-clock', { frozenTime })).status).toBe(202);
      expect(await clockSettled(shop)).toBe('completed');
    };
    await until('2027-01-01T00:00:00Z');
    const market = await shop.rest<{ id: string }>('POST', '/markets', {
      name: 'Andes',
      countryCodes: ['PE'],
    });
    const prices = (large: string, other: string) => ({
      cells: [{ when: { model: ['L'] }, rate: { amount: large } }],
      default: { amount: other },
    });
    const card = await shop.rest<{ id: string }>('POST', '/rate-cards', {
      code: 'models',
      name: 'Models',
      ...prices('0.02', '0.01'),
      overrides: [
        { currency: 'brl', ...prices('0.10', '0.05') },
        { currency: 'usd', marketId: market.body.id, ...prices('0.01', '0.005') },
      ],
    });
    expect(card.status, JSON.stringify(card.body)).toBe(201);
    const meter = { aggregation: 'sum', dimensions: [{ property: 'model' }] };
    const { id: planId } = await createPlan(shop, {});
    const [own, extra] = [await createFeature(shop, 'usage'), await createFeature(shop, 'usage')];
    for (const { code } of [own, extra])
      expect((await shop.rest('PUT', `/features/${code}/meter`, meter)).status).toBe(200);
    await attachFeature(shop, planId, own.id, sold);
    const rateCardId = card.body.id;
    const featurePath = `/plans/${planId}/features/${own.id}/rate`;
    expect((await shop.rest('PUT', featurePath, { rateCardId })).body).toMatchObject({
      rateCard: { rateCardId, overrides: [{ currency: 'brl', marketId: null }, { currency: 'usd' }] },
    });
    const terms = { featureId: extra.id, consumptionModel: 'metered', basePrice: 0 };
    const addon = await createAddon(shop, { ...terms, includedUnits: 0, overageRate: 0 });
    expect((await shop.rest('PUT', `/addons/${addon.id}/rate`, { rateCardId })).body).toMatchObject({
      rate: null,
      rateCard: { rateCardId, cells: [{ when: { model: ['L'] } }], overrides: [{}, {}] },
    });
    await createPrice(shop, planId, {});
    for (const [currency, exchangeRate] of [
      ['brl', 5.43],
      ['eur', 0.9],
    ])
      await shop.rest('PUT', `/plans/${planId}/regional`, { currency, exchangeRate });
    const consumers = [];
    for (const country of ['PE', 'BR', 'DE', 'US']) {
      const { id: customerId } = await createCustomer(shop, country);
      const subscription = await subscribeTo(shop, customerId, planId);
      await pay(shop, subscription.token ?? '');
      await activateAddon(shop, subscription.id, addon.id);
      const events = [own, extra].flatMap(({ code }) =>
        ['L', 'S'].map((model) => ({
          customerId,
          featureCode: code,
          value: 1_000,
          properties: [{ property: 'model', value: model }],
        })),
      );
      expect((await shop.rest('POST', '/usage/events/batch', { events })).body).toMatchObject({
        recorded: 4,
      });
      consumers.push({ customerId, subscriptionId: subscription.id, planId, feature: own });
    }
    expect((await shop.rest('DELETE', `/markets/${market.body.id}`)).body).toMatchObject({
      error: { code: 'market_in_use' },
    });
    await until('2027-02-01T00:00:00Z');
    for (const [index, amounts] of [
      [1_000, 500],
      [10_000, 5_000],
      [1_800, 900],
      [2_000, 1_000],
    ].entries()) {
      const consumer = consumers[index];
      if (consumer === undefined) throw new Error('A consumer is missing.');
      const charged = (await operationsOf(shop, consumer).lines()).map(([, , , amount]) => amount);
      expect(charged).toEqual([...amounts, ...amounts]);
    }
  });
});

describe('a rate of fractional units', () => {
  const fractional = {
    meter: { aggregation: 'sum', decimals: 5 },
    terms: sold,
  };

  test.each([
    ['1000.5', 'graduated', ladder('graduated'), 2_001],
    ['1000.5', 'volume', ladder('volume'), 1_501],
    [
      '5.5',
      'graduated',
      {
        model: 'graduated',
        tiers: [
          { upTo: '0.5', amount: '0.40' },
          { upTo: null, amount: '0.10' },
        ],
      },
      70,
    ],
    [
      '5.5',
      'volume',
      {
        model: 'volume',
        tiers: [
          { upTo: '5', amount: '1' },
          { upTo: '10', amount: '0.90' },
          { upTo: null, amount: '0.5' },
        ],
      },
      495,
    ],
  ] as const)(
    'is billed for %s units by the model %s, as checked (PRM-E17)',
    async (quantity, _model, rate, amount) => {
      const { shop, consumer, until, lines } = await story('2027-01-01T00:00:00Z', rate, fractional);
      const body = { ...of(consumer), quantity };
      expect(await shop.rest('POST', '/usage/check', { ...body, quantity: Number(quantity) })).toMatchObject({
        status: 200,
        body: { allowed: true, quantity: Math.round(Number(quantity)) },
      });
      expect(await shop.rest('POST', '/usage/check', { ...body, quantity: 0.000001 })).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', details: { reason: 'bad_quantity' } } },
      });
      expect((await shop.rest('POST', '/usage/events', body)).status).toBe(200);
      await until('2027-02-01T00:00:00Z');
      expect((await lines()).reduce((sum, line) => sum + Number(line[3]), 0)).toBe(amount);
    },
  );

  test('has lines whose tiers start at the next counted unit, and whole bounds for whole units', async () => {
    const tiers = [
      { upTo: '0.5', amount: '0.40' },
      { upTo: null, amount: '0.10' },
    ];
    const { shop, consumer, until, lines } = await story(
      '2027-01-01T00:00:00Z',
      { model: 'graduated', tiers },
      fractional,
    );
    await shop.rest('POST', '/usage/events', { ...of(consumer), quantity: '5.5' });
    await until('2027-02-01T00:00:00Z');
    expect((await lines()).map(([text, , , amount]) => [text, amount])).toEqual([
      ['0.5 (0.00001 to 0.5)', 20],
      ['5 (0.50001 and above)', 50],
    ]);
    const whole = await createConsumer(shop, { terms: sold });
    const path = `/plans/${whole.planId}/features/${whole.feature.id}/rate`;
    expect(await shop.rest('PUT', path, { rate: { model: 'graduated', tiers } })).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'bad_rate', problems: [{ field: 'rate.tiers.0.upTo' }] } } },
    });
    expect((await shop.rest('POST', '/usage/check', { ...of(whole), quantity: 1.5 })).status).toBe(400);
    expect((await shop.rest('POST', '/usage/check', { ...of(whole), quantity: 0 })).body).toMatchObject({
      error: { code: 'validation_error', param: 'quantity' },
    });
  });
});
