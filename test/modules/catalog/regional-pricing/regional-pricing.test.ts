import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  attachFeature,
  createCustomer,
  createFeature,
  createMarket,
  createPlan,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  firstShop,
  type MadePlan,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const upsert = `mutation ($input: PlanPriceRegionalUpsertInput!) {
  planPriceRegionalUpsert(input: $input) { priceId overrides { currency price includedBalance autoSynced } } }`;
const remove =
  'mutation ($input: PlanPriceRegionalDeleteInput!) { planPriceRegionalDelete(input: $input) { deleted } }';
const set = `mutation ($input: PlanCurrencySetInput!) {
  planCurrencySet(input: $input) { planId currency exchangeRate pricesConfigured featuresConfigured } }`;
const addPrice =
  'mutation ($input: PlanPriceAddInput!) { planPriceAdd(input: $input) { id price marketPrices { marketGroupId currency price } } }';
const updatePrice =
  'mutation ($input: PlanPriceUpdateInput!) { planPriceUpdate(input: $input) { id updatedAt marketPrices { marketGroupId price } } }';
const addToGroup =
  'mutation ($input: PlanGroupPlanAddInput!) { planGroupPlanAdd(input: $input) { success } }';

type Amount = { currency: string; price: number; includedBalance: number | null; autoSynced: boolean };
type Shown = {
  prices: {
    id: string;
    price: number;
    trialDays: number;
    inheritsFromPriceId: string | null;
    marketPrices: object[];
    regionalPrices: Amount[];
  }[];
  features: { code: string; regionalPrices: object[] }[];
  exchangeRates: object[];
};

let t: TestApp;
let shop: Shop;
const wall = new MovableClock('2026-03-01T08:00:00.000Z');

beforeAll(async () => {
  t = await startApp({ wall });
  shop = firstShop(t);
});
afterAll(() => t.close());

const shown = async (planId: string): Promise<Shown> =>
  (await shop.rest<Shown>('GET', `/plans/${planId}`)).body;
const regional = async (planId: string, index = 0): Promise<Amount[]> =>
  (await shown(planId)).prices[index]?.regionalPrices ?? [];
const edit = (planId: string, priceId: string, body: object) =>
  shop.rest('PATCH', `/plans/${planId}/prices/${priceId}`, body);
const derived = (currency: string, price: number, includedBalance: number | null = null): Amount => ({
  currency,
  price,
  includedBalance,
  autoSynced: true,
});
const manual = (currency: string, price: number, includedBalance: number | null = null): Amount => ({
  ...derived(currency, price, includedBalance),
  autoSynced: false,
});

/** Creates the plan "Harbor" from CAT-E1, with a rate of 180 per export above the included amount. */
async function harbor(): Promise<MadePlan & { priceId: string; featureId: string }> {
  const [plan, feature] = [
    await createPricedPlan(shop, { price: 6_150 }),
    await createFeature(shop, 'usage'),
  ];
  await attachFeature(shop, plan.id, feature.id, { overage: { enabled: true, unitPrice: 180 } });
  return { ...plan, featureId: feature.id };
}

describe('a plan currency', () => {
  it("derives all amounts that aren't set manually (CAT-E1)", async () => {
    const { id, priceId } = await harbor();
    const counts = {
      pricesConfigured: 1,
      featuresConfigured: 1,
      object: 'plan_regional_pricing',
      livemode: false,
    };
    expect(await setCurrency(shop, id, 'brl', 5.43)).toEqual({
      planId: id,
      currency: 'brl',
      exchangeRate: 5.43,
      ...counts,
    });
    await setCurrency(shop, id, 'clp', 931.7);
    expect(await regional(id)).toEqual([derived('brl', 33_395), derived('clp', 57_300)]);
    const { features, exchangeRates } = await shown(id);
    expect(features[0]?.regionalPrices).toEqual([
      { currency: 'brl', overageUnitPrice: 977, autoSynced: true },
      { currency: 'clp', overageUnitPrice: 167_706, autoSynced: true },
    ]);
    expect(exchangeRates).toEqual([
      { currency: 'brl', exchangeRate: 5.43 },
      { currency: 'clp', exchangeRate: 931.7 },
    ]);
    const rows = await t.app.database.query(
      'SELECT "validFrom", "validTo" FROM "PlanPriceOverride" WHERE "priceId" = $1',
      [priceId],
    );
    expect(rows).toEqual(Array(2).fill({ validFrom: new Date('0001-01-01T00:00:00Z'), validTo: null }));
  });

  it('updates derived amounts when USD amounts or the rate change, and keeps manual amounts (CAT-26)', async () => {
    const { id, priceId, featureId } = await harbor();
    await setCurrency(shop, id, 'brl', 5);
    await setCurrency(shop, id, 'eur', 0.5, {
      prices: [{ priceId, price: 4_000 }],
      features: [{ featureId, overageUnitPrice: 77 }],
    });
    await edit(id, priceId, { price: 7_001, includedBalance: 30_001 });
    await shop.rest('PATCH', `/plans/${id}/features/${featureId}`, { overage: { unitPrice: 301 } });
    expect(await regional(id)).toEqual([derived('brl', 35_005, 150_005), manual('eur', 4_000)]);
    expect((await shown(id)).features[0]?.regionalPrices).toEqual([
      { currency: 'brl', overageUnitPrice: 1_505, autoSynced: true },
      { currency: 'eur', overageUnitPrice: 77, autoSynced: false },
    ]);
    wall.set('2026-03-02T00:00:00.000Z');
    await setCurrency(shop, id, 'brl', 6);
    await setCurrency(shop, id, 'eur', 0.9);
    expect(await regional(id)).toEqual([derived('brl', 42_006, 180_006), manual('eur', 4_000)]);
    const versions = await t.app.database.query<{
      amountMinor: bigint;
      validFrom: Date;
      validTo: Date | null;
    }>(
      `SELECT "amountMinor", "validFrom", "validTo" FROM "PlanPriceOverride" WHERE "priceId" = $1 AND currency = 'brl' ORDER BY seq`,
      [priceId],
    );
    const [beginning, first, second] = [
      '0001-01-01T00:00:00Z',
      '2026-03-01T08:00:00Z',
      '2026-03-02T00:00:00Z',
    ].map((text) => new Date(text));
    expect(versions).toEqual([
      { amountMinor: 30_750n, validFrom: beginning, validTo: first },
      { amountMinor: 35_005n, validFrom: first, validTo: second },
      { amountMinor: 42_006n, validFrom: second, validTo: null },
    ]);
  });

  it('applies to prices and features added later, and discards manual unit prices when a feature is reattached', async () => {
    const { id, featureId } = await harbor();
    await setCurrency(shop, id, 'brl', 5, { features: [{ featureId, overageUnitPrice: 1 }] });
    await createPrice(shop, id, { billingInterval: 'yearly', price: 61_500 });
    expect(await regional(id, 1)).toEqual([derived('brl', 307_500)]);
    const seats = await createFeature(shop);
    await attachFeature(shop, id, seats.id);
    await shop.rest('PATCH', `/plans/${id}/features/${seats.id}`, { overage: { enabled: true } });
    await shop.rest('DELETE', `/plans/${id}/features/${featureId}`);
    await attachFeature(shop, id, featureId, { overage: { unitPrice: 200 } });
    const rates = (await shown(id)).features.map(({ regionalPrices }) => regionalPrices);
    expect(rates).toEqual([
      [{ currency: 'brl', overageUnitPrice: 0, autoSynced: true }],
      [{ currency: 'brl', overageUnitPrice: 1_000, autoSynced: true }],
    ]);
  });

  it('writes nothing if nothing changes', async () => {
    const { id } = await harbor();
    await setCurrency(shop, id, 'brl', 5.43);
    const rows = () =>
      t.app.database.query(
        'SELECT count(*)::int AS n FROM "PlanPriceOverride" UNION ALL SELECT count(*)::int FROM "PlanExchangeRate"',
      );
    const before = await rows();
    await setCurrency(shop, id, 'brl', 5.43);
    expect(await rows()).toEqual(before);
  });

  it('rejects invalid input with all problems in one response and stores nothing', async () => {
    const { id, priceId, featureId } = await harbor();
    const wrong = { planId: id, currency: 'usd', exchangeRate: 1.234_567_891 };
    const twice = {
      prices: [
        { priceId, price: 1 },
        { priceId, price: 2 },
      ],
    };
    expect(await rejection(t, set, { input: { ...wrong, ...twice } })).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'currency' }, { field: 'exchangeRate' }, { field: 'prices.1.priceId' }],
    });
    for (const exchangeRate of [0, -1, 1e9 + 1]) {
      expect(await rejection(t, set, { input: { planId: id, currency: 'eur', exchangeRate } })).toMatchObject(
        {
          param: 'exchangeRate',
        },
      );
    }
    const eur = { planId: id, currency: 'eur', exchangeRate: 0.9 };
    expect(
      await rejection(t, set, { input: { ...eur, prices: [{ priceId: 'pp_none', price: 1 }] } }),
    ).toMatchObject({
      code: 'price_not_found',
      param: 'prices.0.priceId',
    });
    const stray = await createFeature(shop, 'usage');
    expect(
      await rejection(t, set, {
        input: { ...eur, features: [{ featureId: stray.id, overageUnitPrice: 1 }] },
      }),
    ).toMatchObject({
      code: 'feature_not_found',
      param: 'features.0.featureId',
    });
    const flag = await createFeature(shop, 'boolean');
    await attachFeature(shop, id, flag.id);
    expect(
      await rejection(t, set, { input: { ...eur, features: [{ featureId: flag.id, overageUnitPrice: 1 }] } }),
    ).toMatchObject({
      code: 'validation_error',
      param: 'features.0.featureId',
    });
    expect(
      await rejection(t, set, { input: { ...eur, features: [{ featureId, overageUnitPrice: -1 }] } }),
    ).toMatchObject({
      param: 'features.0.overageUnitPrice',
    });
  });

  it('rejects amounts above the maximum (GLO-14a)', async () => {
    const most = 900_000_000_000_000;
    const { id, priceId } = await createPricedPlan(shop, { price: most });
    const large = {
      code: 'validation_error',
      status: 400,
      message: 'The amount derived for brl is too large.',
    };
    expect(
      await rejection(t, set, { input: { planId: id, currency: 'brl', exchangeRate: 1.01 } }),
    ).toMatchObject({
      ...large,
      param: 'exchangeRate',
    });
    await setCurrency(shop, id, 'brl', 1);
    expect(await regional(id)).toEqual([derived('brl', most)]);
    await edit(id, priceId, { price: 1 });
    await setCurrency(shop, id, 'brl', 2);
    expect(await rejection(t, updatePrice, { input: { planId: id, priceId, price: most } })).toMatchObject({
      ...large,
      param: 'price',
    });
  });
});

describe('a regional price', () => {
  it('is set manually for the given currencies without changing other currencies (CAT-23)', async () => {
    const { id, priceId } = await harbor();
    await setCurrency(shop, id, 'brl', 5);
    const { status, body } = await shop.rest('PUT', `/plans/${id}/prices/${priceId}/regional`, {
      overrides: [
        { currency: 'jpy', price: 9_000 },
        { currency: 'eur', price: 0, includedBalance: 5 },
      ],
    });
    const overrides = [
      { currency: 'brl', price: 30_750 },
      { currency: 'eur', price: 0, includedBalance: 5 },
      { currency: 'jpy', price: 9_000 },
    ];
    expect({ status, body }).toEqual({
      status: 200,
      body: { priceId, overrides, object: 'plan_regional_pricing', livemode: false },
    });
    await t.graphql(upsert, {
      input: {
        planId: id,
        priceId,
        overrides: [
          { currency: 'eur', price: 1 },
          { currency: 'brl', price: 2 },
        ],
      },
    });
    expect(await regional(id)).toEqual([manual('brl', 2), manual('eur', 1), manual('jpy', 9_000)]);
  });

  it('rejects USD, a repeated currency, an unsupported currency, and a negative amount', async () => {
    const { id, priceId } = await harbor();
    const problem = async (overrides: object[], to = priceId) =>
      rejection(t, upsert, { input: { planId: id, priceId: to, overrides } });
    expect(
      await problem([
        { currency: 'eur', price: 1 },
        { currency: 'usd', price: 1 },
        { currency: 'eur', price: 2 },
      ]),
    ).toMatchObject({
      details: [{ field: 'overrides.1.currency' }, { field: 'overrides.2.currency' }],
    });
    expect(await problem([{ currency: 'eur', price: -1 }])).toMatchObject({ param: 'overrides.0.price' });
    const { status, body } = await shop.rest('PUT', `/plans/${id}/prices/${priceId}/regional`, {
      overrides: [{ currency: 'xxx', price: 1 }],
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { param: 'overrides.0.currency' } },
    });
  });

  it('is removed in all currencies, unless a subscription is billed in one of them (CAT-24)', async () => {
    const { id, priceId } = await harbor();
    await setCurrency(shop, id, 'brl', 5);
    const { id: subscriptionId, token } = await subscribeTo(shop, (await createCustomer(shop, 'BR')).id, id);
    await pay(shop, token);
    expect(await rejection(t, remove, { input: { planId: id, priceId } })).toEqual({
      code: 'price_in_use',
      status: 409,
      message: 'Some subscriptions are billed at this price in brl. Change their plans or cancel them first.',
      param: 'priceId',
    });
    await shop.rest('POST', `/subscriptions/${subscriptionId}/cancel`, { immediate: true });
    const deleted = { deleted: true, object: 'plan_regional_pricing', livemode: false };
    expect((await shop.rest('DELETE', `/plans/${id}/prices/${priceId}/regional`)).body).toEqual(deleted);
    await edit(id, priceId, { price: 7_000 });
    expect(await regional(id)).toEqual([]);
    expect((await shop.rest('DELETE', `/plans/${id}/prices/${priceId}/regional`)).body).toEqual(deleted);
    await setCurrency(shop, id, 'brl', 5);
    expect(await regional(id)).toEqual([derived('brl', 35_000)]);
  });

  it('stays consistent after concurrent changes', async () => {
    const { id, priceId } = await harbor();
    await Promise.all([
      ...[1, 2, 3].map((price) =>
        t.graphql(upsert, { input: { planId: id, priceId, overrides: [{ currency: 'eur', price }] } }),
      ),
      setCurrency(shop, id, 'eur', 0.5),
      setCurrency(shop, id, 'brl', 5),
      edit(id, priceId, { price: 1_000 }),
    ]);
    const [brl, eur] = await regional(id);
    expect(brl).toEqual(derived('brl', 5_000));
    expect([manual('eur', 1), manual('eur', 2), manual('eur', 3)]).toContainEqual(eur);
  });
});

describe('a market price', () => {
  const nordic = (marketGroupId: string, price: number) => ({ marketGroupId, currency: 'eur', price });

  it('replaces the previous set of market prices, and a price variant overrides some amounts of its base (CAT-16, CAT-18, CAT-19)', async () => {
    const [one, two] = [await createMarket(shop), await createMarket(shop)];
    const plan = await createPricedPlan(shop, {
      price: 6_150,
      trialDays: 3,
      marketPrices: [nordic(one.id, 5_800), nordic(two.id, 5_900)],
    });
    const variant = { planId: plan.id, billingInterval: 'monthly', inheritsFromPriceId: plan.priceId };
    const early = await createPrice(shop, plan.id, {
      ...variant,
      planId: undefined,
      price: undefined,
      marketPrices: [nordic(one.id, 4_900)],
    });
    expect((await shown(plan.id)).prices).toMatchObject([
      {
        id: plan.priceId,
        price: 6_150,
        marketPrices: [nordic(one.id, 5_800), nordic(two.id, 5_900)],
        inheritsFromPriceId: null,
      },
      {
        id: early.id,
        price: 6_150,
        trialDays: 3,
        marketPrices: [nordic(one.id, 4_900)],
        inheritsFromPriceId: plan.priceId,
      },
    ]);
    await edit(plan.id, plan.priceId, { price: 7_000 });
    await setCurrency(shop, plan.id, 'brl', 5);
    expect((await shown(plan.id)).prices[1]).toMatchObject({
      price: 7_000,
      regionalPrices: [derived('brl', 35_000)],
    });
    const base = { planId: plan.id, priceId: plan.priceId };
    expect(
      await rejection(t, updatePrice, { input: { ...base, marketPrices: [nordic(two.id, 1)] } }),
    ).toMatchObject({
      code: 'price_in_use',
      param: 'marketPrices',
    });
    const lone = await createMarket(shop);
    for (const input of [
      { marketPrices: [nordic(lone.id, 1)] },
      { marketPrices: [] },
      { price: 1 },
      { trialDays: 1 },
    ]) {
      expect(
        await rejection(t, updatePrice, { input: { planId: plan.id, priceId: early.id, ...input } }),
      ).toMatchObject({
        code: 'validation_error',
      });
    }
    expect(
      await rejection(t, addPrice, { input: { ...variant, marketPrices: [nordic(lone.id, 1)] } }),
    ).toMatchObject({
      code: 'validation_error',
      param: 'marketPrices.0.marketGroupId',
    });
    expect(
      await rejection(t, upsert, { input: { planId: plan.id, priceId: early.id, overrides: [] } }),
    ).toMatchObject({
      code: 'validation_error',
    });
    await shop.rest('DELETE', `/plans/${plan.id}/prices/${early.id}`);
    await edit(plan.id, plan.priceId, { marketPrices: [nordic(two.id, 5_500)] });
    expect((await shown(plan.id)).prices[0]?.marketPrices).toEqual([nordic(two.id, 5_500)]);
  });

  it('rejects a repeated market', async () => {
    const market = await createMarket(shop);
    const { id } = await createPlan(shop);
    const marketPrices = [nordic(market.id, 1), nordic(market.id, 2)];
    expect(
      await rejection(t, addPrice, {
        input: { planId: id, billingInterval: 'monthly', price: 1, marketPrices },
      }),
    ).toMatchObject({
      details: [{ field: 'marketPrices.1.marketGroupId', message: 'The market is listed more than once.' }],
    });
  });
});

describe('the plan group currency check (CAT-39)', () => {
  it("rejects a plan whose currencies differ from the group's, and accepts a plan without prices", async () => {
    const group = await createPlanGroup(shop);
    const [brazilian, american, free] = [
      await createPricedPlan(shop),
      await createPricedPlan(shop),
      await createPlan(shop, { isFree: true }),
    ];
    await setCurrency(shop, brazilian.id, 'brl', 5);
    const enter = (planId: string) => shop.rest('POST', `/plan-groups/${group.id}/plans`, { planId });
    expect((await enter(free.id)).status).toBe(200);
    expect((await enter(brazilian.id)).status).toBe(200);
    expect(
      await rejection(t, addToGroup, { input: { planGroupId: group.id, planId: american.id } }),
    ).toMatchObject({
      code: 'validation_error',
      message: `The plan is sold in usd, but the plan ${brazilian.code} in this group is sold in usd, brl.`,
      param: 'planId',
    });
    await setCurrency(shop, american.id, 'brl', 5.5);
    expect((await enter(american.id)).status).toBe(200);
    await setCurrency(shop, american.id, 'eur', 0.9);
    expect((await shown(american.id)).exchangeRates).toHaveLength(2);
  });
});
