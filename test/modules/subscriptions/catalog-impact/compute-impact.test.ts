import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  activateAddon,
  advanceDays,
  attachFeature,
  createAddon,
  createCustomer,
  createFeature,
  createPlan,
  createPricedPlan,
  firstShop,
  otherShop,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { statementsOf } from '../../../support/statements.ts';

const query = `query ($change: CatalogChangeInput!) { catalogImpact(change: $change) {
  ...Shown terms { term impact { ...Shown } } } }
  fragment Shown on CatalogImpact {
    subscribers { value isExact } when inFavorOf firstAt lastAt sample(first: 2) { id nextBillingDate } }`;

type Impact = {
  readonly subscribers: { readonly value: number; readonly isExact: boolean };
  readonly when: string;
  readonly inFavorOf: string;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly sample: readonly { readonly id: string; readonly nextBillingDate: string }[];
  readonly terms: readonly { readonly term: string; readonly impact: Impact }[];
};

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const ask = async (change: object): Promise<Impact> =>
  (await t.graphql<{ catalogImpact: Impact }>(query, { change })).catalogImpact;

const join = async (planId: string, country?: string): Promise<string> => {
  const subscription = await subscribeTo(shop, (await createCustomer(shop, country)).id, planId);
  await pay(shop, subscription.token);
  return subscription.id;
};

const sets = (impact: Impact) => [impact.subscribers.value, impact.when, impact.inFavorOf];

describe('catalogImpact for a new amount of a price', () => {
  it('includes the next renewal of subscriptions that use the amount', async () => {
    const plan = await createPricedPlan(shop, { price: 4_900 });
    await setCurrency(shop, plan.id, 'brl', 5);
    await setCurrency(shop, plan.id, 'eur', 0.9, { prices: [{ priceId: plan.priceId, price: 4_000 }] });
    const usd = await join(plan.id, 'US');
    const brl = await join(plan.id, 'BR');
    await join(plan.id, 'PT');
    const change = { planId: plan.id, priceId: plan.priceId };
    const raised = await ask({ priceUpdate: { ...change, price: 5_900 } });
    expect(sets(raised)).toEqual([2, 'at_renewal', 'merchant']);
    expect(raised.subscribers.isExact).toBe(true);
    expect(raised.sample.map(({ id }) => id).toSorted()).toEqual([usd, brl].toSorted());
    expect(raised.firstAt).toBe(raised.sample[0]?.nextBillingDate);
    expect(raised.lastAt).toBe(raised.sample[1]?.nextBillingDate);
    expect(sets(await ask({ priceUpdate: { ...change, price: 3_900 } }))).toEqual([
      2,
      'at_renewal',
      'customer',
    ]);
    expect(sets(await ask({ priceUpdate: { ...change, price: 4_900 } }))).toEqual([0, 'never', 'neither']);
  });

  it('excludes subscriptions that end with their period or are pending payment', async () => {
    const plan = await createPricedPlan(shop, { price: 4_900 });
    await subscribeTo(shop, (await createCustomer(shop, 'US')).id, plan.id);
    const leaving = await join(plan.id, 'US');
    await shop.rest('POST', `/subscriptions/${leaving}/cancel`, {});
    const staying = await join(plan.id, 'US');
    const change = { planId: plan.id, priceId: plan.priceId, price: 5_900 };
    expect((await ask({ priceUpdate: change })).sample.map(({ id }) => id)).toEqual([staying]);
  });
});

describe('catalogImpact for new rates of a rate card (PRM-6)', () => {
  it('counts the subscribers of all plans that refer to the card, and states when they are affected', async () => {
    const cells = (large: string, small: string) => [
      { when: { model: ['L'] }, rate: { amount: large } },
      { when: { model: ['S'] }, rate: { amount: small } },
    ];
    const feature = await createFeature(shop, 'usage');
    const meter = { aggregation: 'sum', dimensions: [{ property: 'model' }] };
    expect((await shop.rest('PUT', `/features/${feature.code}/meter`, meter)).status).toBe(200);
    const card = { code: 'impact_card', name: 'Impact', cells: cells('0.0120', '0.0015') };
    const { body } = await shop.rest('POST', '/rate-cards', card);
    const id = String(body['id']);
    const plans = [await createPricedPlan(shop), await createPricedPlan(shop)];
    for (const plan of plans) {
      await attachFeature(shop, plan.id, feature.id, { overage: { enabled: true, unitPrice: 1 } });
      const rate = await shop.rest('PUT', `/plans/${plan.id}/features/${feature.id}/rate`, {
        rateCardId: id,
      });
      expect(rate.status).toBe(200);
      await join(plan.id, 'US');
    }
    const leaving = await join(plans[0]?.id ?? '', 'US');
    await shop.rest('POST', `/subscriptions/${leaving}/cancel`, {});
    const asked = async (changes: object) => sets(await ask({ rateCardUpdate: { id, ...changes } }));
    expect(await asked({ cells: cells('0.0110', '0.0015') })).toEqual([3, 'immediately', 'customer']);
    expect(await asked({ cells: cells('0.0120', '0.0020') })).toEqual([2, 'at_next_period', 'merchant']);
    expect(await asked({ cells: cells('0.0110', '0.0020') })).toEqual([3, 'immediately', 'mixed']);
    expect(await asked({ default: { amount: '1' } })).toEqual([3, 'immediately', 'mixed']);
    expect(await asked({ cells: cells('0.012', '0.0015') })).toEqual([0, 'never', 'neither']);
    const dryRun = await shop.rest(
      'PATCH',
      `/rate-cards/${id}`,
      { cells: cells('0.0110', '0.0015') },
      { headers: { 'x-quittance-dry-run': '1' } },
    );
    expect(JSON.stringify(dryRun.body)).toContain('"subscribers":3');
    const change = { rateCardUpdate: { id, cells: cells('0.0110', '0.0015') } };
    const answer = await shop.rest('POST', '/catalog-impact', { change });
    expect(answer.body).toMatchObject({
      subscribers: { value: 3, isExact: true },
      when: 'immediately',
      inFavorOf: 'customer',
      lastBills: [],
      unknownBills: 0,
      terms: [],
    });
    expect(await asked({ cells: cells('0.0120', '0.0015') })).toEqual([0, 'never', 'neither']);
  });
});

it("catalogImpact counts an archived price's subscriptions, and reports an effect only on new subscriptions", async () => {
  const plan = await createPricedPlan(shop, { price: 4_900 });
  await join(plan.id, 'US');
  const impact = await ask({ priceArchive: { planId: plan.id, priceId: plan.priceId } });
  expect(sets(impact)).toEqual([1, 'new_subscriptions', 'neither']);
  expect([impact.firstAt, impact.lastAt]).toEqual([null, null]);
});

it('catalogImpact counts all subscriptions to a plan from which a feature is removed, starting with their next period', async () => {
  const plan = await createPricedPlan(shop, { price: 4_900 });
  const feature = await createFeature(shop, 'boolean');
  await attachFeature(shop, plan.id, feature.id);
  const id = await join(plan.id, 'US');
  const impact = await ask({ featureRemove: { planId: plan.id, featureId: feature.id } });
  expect(sets(impact)).toEqual([1, 'at_next_period', 'merchant']);
  expect(impact.sample.map((row) => row.id)).toEqual([id]);
});

describe('catalogImpact for new feature terms', () => {
  const metered = { includedAmount: 1_000, overage: { enabled: true, unitPrice: 25 } };

  it('reports better terms as immediate, and worse terms as taking effect at renewal for continuing subscriptions only', async () => {
    const plan = await createPricedPlan(shop, { price: 4_900 });
    const feature = await createFeature(shop, 'usage');
    await attachFeature(shop, plan.id, feature.id, metered);
    const staying = await join(plan.id, 'US');
    const leaving = await join(plan.id, 'US');
    await shop.rest('POST', `/subscriptions/${leaving}/cancel`, {});
    const change = { planId: plan.id, featureId: feature.id };
    const more = await ask({ featureUpdate: { ...change, includedAmount: 2_000 } });
    expect(sets(more)).toEqual([2, 'immediately', 'customer']);
    expect(more.firstAt).toBe(more.lastAt);
    expect(Date.parse(more.firstAt ?? '')).toBeLessThan(Date.parse(more.sample[0]?.nextBillingDate ?? ''));
    const less = await ask({ featureUpdate: { ...change, includedAmount: 500 } });
    expect([...sets(less), less.sample.map(({ id }) => id)]).toEqual([
      1,
      'at_renewal',
      'merchant',
      [staying],
    ]);
    expect(less.firstAt).toBe(less.sample[0]?.nextBillingDate);
    const unlimited = await ask({ featureUpdate: { ...change, unlimited: true } });
    expect(sets(unlimited)).toEqual([2, 'immediately', 'customer']);
    const both = await ask({
      featureUpdate: { ...change, includedAmount: 500, overage: { unitPrice: 20 } },
    });
    expect(sets(both)).toEqual([2, 'immediately', 'mixed']);
    expect(both.terms.map(({ term, impact }) => [term, ...sets(impact)])).toEqual([
      ['included_amount', 1, 'at_renewal', 'merchant'],
      ['unit_price', 2, 'immediately', 'customer'],
    ]);
    const same = await ask({ featureUpdate: { ...change, ...metered } });
    expect([...sets(same), same.terms]).toEqual([0, 'never', 'neither', []]);
  });

  it('includes subscriptions whose unit price is derived from the changed price', async () => {
    const plan = await createPricedPlan(shop, { price: 4_900 });
    const feature = await createFeature(shop, 'usage');
    await attachFeature(shop, plan.id, feature.id, metered);
    await setCurrency(shop, plan.id, 'brl', 5);
    await setCurrency(shop, plan.id, 'eur', 0.9, {
      features: [{ featureId: feature.id, overageUnitPrice: 30 }],
    });
    const usd = await join(plan.id, 'US');
    const brl = await join(plan.id, 'BR');
    await join(plan.id, 'PT');
    const change = { planId: plan.id, featureId: feature.id };
    const raised = await ask({ featureUpdate: { ...change, overage: { unitPrice: 30 } } });
    expect(sets(raised)).toEqual([2, 'at_next_period', 'merchant']);
    expect(raised.sample.map(({ id }) => id).toSorted()).toEqual([usd, brl].toSorted());
    // The included amount is the same in every currency.
    const less = await ask({ featureUpdate: { ...change, includedAmount: 1 } });
    expect(sets(less)).toEqual([3, 'at_renewal', 'merchant']);
  });

  it('matches the applied change: only better terms affect the current period', async () => {
    const plan = await createPricedPlan(shop, { price: 4_900 });
    const feature = await createFeature(shop, 'usage');
    await attachFeature(shop, plan.id, feature.id, metered);
    const id = await join(plan.id, 'US');
    const update = { includedAmount: 500, overage: { unitPrice: 20 } };
    const impact = await ask({ featureUpdate: { planId: plan.id, featureId: feature.id, ...update } });
    await shop.rest('PATCH', `/plans/${plan.id}/features/${feature.id}`, update);
    const { subscription } = await t.graphql<{ subscription: { features: { usage: object }[] } }>(
      'query ($id: ID!) { subscription(id: $id) { features { ... on SubscriptionUsageFeature { usage { included overageUnitPrice } } } } }',
      { id },
    );
    const immediately = impact.terms.flatMap(({ term, impact: { when } }) =>
      when === 'immediately' ? [term] : [],
    );
    expect([immediately, subscription.features]).toEqual([
      ['unit_price'],
      [{ usage: { included: 1_000, overageUnitPrice: 20 } }],
    ]);
  });

  it("rejects terms that the plan doesn't allow", async () => {
    const plan = await createPricedPlan(shop, { price: 4_900 });
    const feature = await createFeature(shop, 'boolean');
    const change = { featureUpdate: { planId: plan.id, featureId: feature.id, includedAmount: 5 } };
    expect((await rejection(t, query, { change })).code).toBe('not_found');
    await attachFeature(shop, plan.id, feature.id);
    expect((await rejection(t, query, { change })).code).toBe('validation_error');
    const unknown = { featureUpdate: { planId: plan.id, featureId: 'ftr_none', enabled: false } };
    expect((await rejection(t, query, { change: unknown })).code).toBe('feature_not_found');
  });
});

it("catalogImpact counts a deleted plan's subscriptions, and reports an effect only on new subscriptions", async () => {
  const plan = await createPricedPlan(shop, { price: 4_900 });
  const ids = [await join(plan.id, 'US'), await join(plan.id, 'US')];
  await shop.rest('POST', `/subscriptions/${ids[0]}/cancel`, {});
  const impact = await ask({ planDelete: { id: plan.id } });
  expect([...sets(impact), impact.firstAt]).toEqual([2, 'new_subscriptions', 'neither', null]);
  expect(impact.sample.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

it('catalogImpact counts the next renewal of subscriptions with an add-on whose base price changes', async () => {
  const plan = await createPricedPlan(shop, { price: 4_900 });
  const addon = await createAddon(shop);
  const id = await join(plan.id, 'US');
  await join(plan.id, 'US');
  await activateAddon(shop, id, addon.id);
  const impact = await ask({ addonUpdate: { id: addon.id, basePrice: 1 } });
  expect(sets(impact)).toEqual([1, 'at_renewal', 'customer']);
  expect(impact.sample.map((row) => row.id)).toEqual([id]);
});

it.each([
  ['plan_not_found', { priceUpdate: { planId: 'pln_none', priceId: 'pp_none', price: 1 } }],
  ['plan_not_found', { featureUpdate: { planId: 'pln_none', featureId: 'ftr_none', enabled: true } }],
  ['plan_not_found', { planDelete: { id: 'pln_none' } }],
  ['addon_not_found', { addonUpdate: { id: 'none', basePrice: 1 } }],
])('catalogImpact fails with %s for a missing catalog object', async (code, change) => {
  expect((await rejection(t, query, { change })).code).toBe(code);
});

it("catalogImpact fails for a price or feature that doesn't belong to the plan", async () => {
  const { id: planId } = await createPlan(shop);
  const price = { priceArchive: { planId, priceId: 'pp_none' } };
  expect((await rejection(t, query, { change: price })).code).toBe('price_not_found');
  const feature = { featureRemove: { planId, featureId: 'ftr_none' } };
  expect((await rejection(t, query, { change: feature })).code).toBe('not_found');
});

it('catalogImpact reads any number of subscriptions with one SQL statement', async () => {
  const plan = await createPricedPlan(shop, { price: 4_900 });
  const change = { priceUpdate: { planId: plan.id, priceId: plan.priceId, price: 5_900 } };
  const bare = await statementsOf(t, query, { change });
  for (let count = 0; count < 3; count++) await join(plan.id, 'US');
  const { statements } = await statementsOf(t, query, { change });
  const counted = statements.filter((text) => text.includes('"scheduledChange" IS NULL'));
  expect(counted).toHaveLength(1);
  expect(counted[0]).toContain('LIMIT 10001');
  // The sample is read only if subscriptions are affected.
  expect(statements).toHaveLength(bare.statements.length + 1);
});

describe('catalogImpact for usage charges', () => {
  const bills = async (of: Shop, change: object): Promise<unknown> => {
    const { catalogImpact } = await t.graphql<{ catalogImpact: object }>(
      `query ($change: CatalogChangeInput!) { catalogImpact(change: $change) {
        lastBills { currency before after windows } unknownBills } }`,
      { change },
      { key: of.key },
    );
    return catalogImpact;
  };
  const subscribe = async (of: Shop, planId: string, country: string): Promise<string> => {
    const { id } = await createCustomer(of, country);
    await pay(of, (await subscribeTo(of, id, planId)).token);
    return id;
  };
  const track = async (of: Shop, event: object): Promise<void> => {
    const { status, body } = await of.rest('POST', '/usage/events', event);
    expect(status, JSON.stringify(body)).toBe(200);
  };

  it('contains the last charges by currency, as they were billed and under the changed terms (PRM-6)', async () => {
    const other = await otherShop(t);
    const [feature, plan] = [await createFeature(other, 'usage'), await createPricedPlan(other)];
    const terms = { includedAmount: 4_200, overage: { enabled: true, unitPrice: 85 } };
    await attachFeature(other, plan.id, feature.id, terms);
    await setCurrency(other, plan.id, 'brl', 5);
    for (const country of ['US', 'US', 'BR', 'BR']) {
      const customerId = await subscribe(other, plan.id, country);
      if (country === 'US') await track(other, { customerId, featureCode: feature.code, value: 6_037 });
    }
    const customerId = await subscribe(other, plan.id, 'BR');
    await track(other, { customerId, featureCode: feature.code, value: 6_037 });
    const change = { planId: plan.id, featureId: feature.id };
    const billsOf = (changes: object) => bills(other, { featureUpdate: { ...change, ...changes } });
    expect(await billsOf({ overage: { enabled: true, unitPrice: 100 } })).toEqual({
      lastBills: [],
      unknownBills: 0,
    });
    await advanceDays(other, 31);
    // 1,837 units at 0.0085 and at 0.01 in US dollars, and at 0.0425 and at 0.05 in Brazilian reais.
    expect(await billsOf({ overage: { enabled: true, unitPrice: 100 } })).toEqual({
      lastBills: [
        { currency: 'brl', before: 7_807, after: 9_185, windows: 1 },
        { currency: 'usd', before: 3_122, after: 3_674, windows: 2 },
      ],
      unknownBills: 0,
    });
    expect(await billsOf({ includedAmount: 6_000 })).toEqual({
      lastBills: [
        { currency: 'brl', before: 7_807, after: 157, windows: 1 },
        { currency: 'usd', before: 3_122, after: 62, windows: 2 },
      ],
      unknownBills: 0,
    });
    const rate = {
      model: 'graduated',
      tiers: [
        { upTo: '1000', amount: '0.0100' },
        { upTo: null, amount: '0.0050' },
      ],
    };
    const read = await t.app.database.query('SELECT * FROM "PlanFeature" WHERE "planId" = $1', [plan.id]);
    // 1,000 units at 0.0100 and 837 at 0.0050 in US dollars, and five times as much in Brazilian reais.
    expect(await bills(other, { featureRateSet: { ...change, rate } })).toEqual({
      lastBills: [
        { currency: 'brl', before: 7_807, after: 7_093, windows: 1 },
        { currency: 'usd', before: 3_122, after: 2_838, windows: 2 },
      ],
      unknownBills: 0,
    });
    expect(await t.app.database.query('SELECT * FROM "PlanFeature" WHERE "planId" = $1', [plan.id])).toEqual(
      read,
    );
    expect(await billsOf({ overage: { enabled: false } })).toMatchObject({
      lastBills: [
        { currency: 'brl', after: 0 },
        { currency: 'usd', after: 0 },
      ],
    });
  });

  it('prices the values of the window again, and counts windows that do not distinguish the new values', async () => {
    const other = await otherShop(t);
    const feature = await createFeature(other, 'usage');
    const meter = { aggregation: 'sum', dimensions: [{ property: 'model' }] };
    expect((await other.rest('PUT', `/features/${feature.code}/meter`, meter)).status).toBe(200);
    const cells = (large: string, ...more: object[]) => [
      { when: { model: ['L'] }, rate: { amount: large } },
      { when: { model: ['S'] }, rate: { amount: '0.0015' } },
      ...more,
    ];
    const card = await other.rest('POST', '/rate-cards', {
      code: 'bills',
      name: 'Bills',
      cells: cells('0.0120'),
    });
    const id = String(card.body['id']);
    const plan = await createPricedPlan(other);
    await attachFeature(other, plan.id, feature.id, { overage: { enabled: true, unitPrice: 1 } });
    const path = `/plans/${plan.id}/features/${feature.id}/rate`;
    expect((await other.rest('PUT', path, { rateCardId: id })).status).toBe(200);
    const customerId = await subscribe(other, plan.id, 'US');
    for (const [model, value] of [
      ['L', 2_400],
      ['S', 31_000],
    ] as const) {
      const properties = [{ property: 'model', value: model }];
      await track(other, { customerId, featureCode: feature.code, value, properties });
    }
    await advanceDays(other, 31);
    const billsOf = (changes: object) => bills(other, { rateCardUpdate: { id, ...changes } });
    expect(await billsOf({ cells: cells('0.0100') })).toEqual({
      lastBills: [{ currency: 'usd', before: 7_530, after: 7_050, windows: 1 }],
      unknownBills: 0,
    });
    const medium = { when: { model: ['M'] }, rate: { amount: '0.0050' } };
    expect(await billsOf({ cells: cells('0.0120', medium) })).toEqual({ lastBills: [], unknownBills: 1 });
  });

  it('counts the events of the last windows again with a new meter (PRM-122)', async () => {
    const other = await otherShop(t);
    const [feature, plan] = [await createFeature(other, 'usage'), await createPricedPlan(other)];
    await attachFeature(other, plan.id, feature.id, { overage: { enabled: true, unitPrice: 20_000 } });
    const [first, second] = [await subscribe(other, plan.id, 'US'), await subscribe(other, plan.id, 'US')];
    for (const value of [3, 7, 5])
      await track(other, { customerId: first, featureCode: feature.code, value });
    await track(other, { customerId: second, featureCode: feature.code, value: 4 });
    const set = { customerId: second, featureCode: feature.code, value: 9, reason: 'Counted elsewhere.' };
    expect(await other.rest('PUT', '/usage', set)).toMatchObject({ status: 200 });
    await advanceDays(other, 31);
    const featureMeterSet = { code: feature.code, aggregation: 'max' };
    // The first customer paid 2.00 for each of 15 units, of which the largest event has 7. The second customer's total was set.
    expect(await bills(other, { featureMeterSet })).toEqual({
      lastBills: [{ currency: 'usd', before: 3_000, after: 1_400, windows: 1 }],
      unknownBills: 1,
    });
    const impact = await t.graphql<{ catalogImpact: Impact }>(
      query,
      { change: { featureMeterSet } },
      { key: other.key },
    );
    expect(sets(impact.catalogImpact)).toEqual([2, 'at_next_period', 'customer']);
  });
});
