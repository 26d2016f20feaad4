import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  attachFeature,
  createFeature,
  createPlan,
  firstShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const set = `mutation ($input: PlanFeatureRateSetInput!) { planFeatureRateSet(input: $input) {
  overage { enabled unitPrice } rate { model per tiers { upTo amount flat } minimum maximum } } }`;

/** Plan with a feature, as a reference for `planFeatureRateSet`. */
async function attached(type = 'usage', plan = {}, terms = {}) {
  const [feature, { id: planId }] = [await createFeature(shop, type), await createPlan(shop, plan)];
  await attachFeature(shop, planId, feature.id, terms);
  return { planId, featureId: feature.id };
}

describe('the rate of a plan feature', () => {
  test('replaces the unit price, which becomes the price of the first unit', async () => {
    const { planId, featureId } = await attached('usage', {}, { overage: { enabled: true, unitPrice: 85 } });
    const path = `/plans/${planId}/features/${featureId}/rate`;
    const rate = {
      model: 'graduated',
      per: 1_000,
      tiers: [
        { upTo: 1_000, amount: 20 },
        { amount: '1.50', flat: '0.50', upTo: null },
      ],
      maximum: '1000',
    };
    const stored = {
      model: 'graduated',
      per: 1_000,
      tiers: [
        { upTo: '1000', amount: '20', flat: '0' },
        { upTo: null, amount: '1.50', flat: '0.50' },
      ],
      minimum: null,
      maximum: '1000',
    };
    const answer = await shop.rest('PUT', path, { rate });
    expect(answer).toMatchObject({
      status: 200,
      body: { planId, featureId, overage: { enabled: true, unitPrice: 200 }, rate: stored },
    });
    const { plan } = await t.graphql<{ plan: { features: unknown[]; featureTerms: unknown[] } }>(
      `query ($id: ID!) { plan(id: $id) { features { overage { model unitPrice rate { model maximum } } }
         featureTerms { rate { per } } } }`,
      { id: planId },
    );
    expect(plan).toEqual({
      features: [
        { overage: { model: 'per_unit', unitPrice: 200, rate: { model: 'graduated', maximum: '1000' } } },
      ],
      featureTerms: [{ rate: { per: 1_000 } }],
    });
    const cleared = await shop.rest('DELETE', path);
    expect(cleared).toMatchObject({
      status: 200,
      body: {
        overage: { enabled: true, unitPrice: 0 },
        rate: { model: 'per_unit', tiers: [{ amount: '0.0000' }] },
      },
    });
  });

  test("isn't shown in responses to other requests if it's only a price per unit", async () => {
    const { planId, featureId } = await attached();
    const path = `/plans/${planId}/features/${featureId}`;
    const plain = await shop.rest<object>('PUT', `${path}/rate`, { rate: { amount: '0.02' } });
    expect(plain.body).toMatchObject({
      overage: { unitPrice: 200 },
      rate: { tiers: [{ amount: '0.0200' }] },
    });
    expect((await shop.rest<object>('PATCH', path, { includedAmount: 5 })).body).not.toHaveProperty('rate');
    await shop.rest('PUT', `${path}/rate`, { rate: { per: 1_000, amount: '0.02' } });
    expect((await shop.rest<object>('PATCH', path, { includedAmount: 6 })).body).toMatchObject({
      overage: { unitPrice: 0 },
      rate: { per: 1_000 },
    });
    // A unit price replaces the rate.
    expect((await shop.rest<object>('PATCH', path, { overage: { unitPrice: 7 } })).body).not.toHaveProperty(
      'rate',
    );
  });

  test('has amounts in credits on credits plans, and shows the first unit as a whole number (PRM-1, PRM-104)', async () => {
    const plan = { consumptionModel: 'credits' };
    const { planId, featureId } = await attached('usage', plan, { creditsPerUnit: 3 });
    const path = `/plans/${planId}/features/${featureId}`;
    const own = { overage: { enabled: false, unitPrice: 0 } };
    const terms = await shop.rest<object>('PATCH', path, { creditsPerUnit: 4 });
    expect(terms.body).toMatchObject({ ...own, creditsPerUnit: 4 });
    expect(terms.body).not.toHaveProperty('rate');
    const tiers = [
      { upTo: '1000', amount: '1', flat: '0' },
      { upTo: null, amount: '0.5', flat: '0' },
    ];
    const rate = { model: 'graduated', per: 1_000, tiers };
    const { body } = await shop.rest<object>('PUT', `${path}/rate`, { rate });
    expect(body).toMatchObject({ ...own, creditsPerUnit: 1, rate });
    expect((await shop.rest('PATCH', path, { enabled: true })).body).toMatchObject({
      creditsPerUnit: 1,
      rate,
    });
    expect((await shop.rest('GET', `/plans/${planId}`)).body).toMatchObject({
      features: [{ overage: { enabled: false, unitPrice: null, rate }, regionalPrices: [] }],
    });
    // An amount of whole credits is the same as `creditsPerUnit`.
    await shop.rest('PUT', `${path}/rate`, { rate: { amount: '4.00' } });
    const plain = await shop.rest<object>('PATCH', path, { creditsPerUnit: 4 });
    expect(plain.body).toMatchObject({ creditsPerUnit: 4 });
    expect(plain.body).not.toHaveProperty('rate');
    // A fraction of a credit isn't contained in `creditsPerUnit`.
    await shop.rest('PUT', `${path}/rate`, { rate: { amount: '0.25' } });
    const fraction = await shop.rest<object>('PATCH', path, { enabled: true });
    expect(fraction.body).toMatchObject({ creditsPerUnit: 1, rate: { tiers: [{ amount: '0.2500' }] } });
    const removal = await shop.rest<object>('DELETE', `${path}/rate`);
    expect(removal).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: { reason: 'bad_rate' } } },
    });
    expect((await shop.rest<object>('PATCH', path, { enabled: true })).body).toEqual(fraction.body);
  });

  test('stays the same in all currencies if its amounts are credits (PRM-110)', async () => {
    const plan = { consumptionModel: 'credits' };
    const { planId, featureId } = await attached('usage', plan, { creditsPerUnit: 3 });
    await shop.rest('PUT', `/plans/${planId}/regional`, { currency: 'brl', exchangeRate: 5.43 });
    await shop.rest('PUT', `/plans/${planId}/features/${featureId}/rate`, { rate: { amount: '0.25' } });
    expect((await shop.rest('GET', `/plans/${planId}`)).body).toMatchObject({
      features: [{ regionalPrices: [] }],
    });
  });

  test('has overrides in markets and currencies, which the exchange rate leaves unchanged (PRM-110)', async () => {
    const { planId, featureId } = await attached('usage', {}, { overage: { enabled: true, unitPrice: 85 } });
    const path = `/plans/${planId}/features/${featureId}`;
    const { body: market } = await shop.rest<{ id: string }>('POST', '/markets', {
      name: 'Amazonia',
      countryCodes: ['PE'],
    });
    const tiered = (first: string, next: string) => ({
      model: 'graduated',
      per: 1,
      tiers: [
        { upTo: '1000', amount: first, flat: '0' },
        { upTo: null, amount: next, flat: '0' },
      ],
    });
    const overrides = [
      { currency: 'brl', marketId: null, ...tiered('0.10', '0.08') },
      { currency: 'usd', marketId: market.id, ...tiered('0.01', '0.005') },
    ];
    const base = tiered('0.02', '0.015');
    const set = await shop.rest('PUT', `${path}/rate`, { rate: { ...base, overrides } });
    expect(set).toMatchObject({ status: 200, body: { rate: { ...base, overrides } } });
    await shop.rest('PUT', `/plans/${planId}/regional`, { currency: 'brl', exchangeRate: 5.43 });
    await shop.rest('PUT', `/plans/${planId}/regional`, { currency: 'eur', exchangeRate: 0.9 });
    expect((await shop.rest('GET', `/plans/${planId}`)).body).toMatchObject({
      features: [
        {
          regionalPrices: [
            { currency: 'brl', overageUnitPrice: 1_000, autoSynced: false },
            { currency: 'eur', overageUnitPrice: 180, autoSynced: true },
          ],
        },
      ],
    });
    // Omitted overrides don't change, and an empty list removes them.
    expect(await shop.rest('DELETE', `/markets/${market.id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'market_in_use' } },
    });
    const unchanged = await shop.rest('PUT', `${path}/rate`, { rate: tiered('0.03', '0.02') });
    expect(unchanged.body).toMatchObject({ rate: { overrides } });
    const none = await shop.rest<{ rate: object }>('PUT', `${path}/rate`, {
      rate: { ...base, overrides: [] },
    });
    expect(none.body.rate).not.toHaveProperty('overrides');
    expect((await shop.rest('GET', `/plans/${planId}`)).body).toMatchObject({
      features: [{ regionalPrices: [{ currency: 'brl', overageUnitPrice: 1_086, autoSynced: true }, {}] }],
    });
    expect((await shop.rest('DELETE', `/markets/${market.id}`)).status).toBe(200);
  });

  test.each([
    ['other bounds', [{ currency: 'brl', amount: '1' }], 'rate.overrides.0.tiers', 'validation_error'],
    [
      'US dollars without a market',
      [{ currency: 'usd', model: 'volume', tiers: [{ upTo: '10', amount: '1' }, {}] }],
      'rate.overrides.0.currency',
      'validation_error',
    ],
    [
      'an unknown market',
      [{ currency: 'brl', marketId: 'pmg_none', model: 'volume', tiers: [{ upTo: '10' }, {}] }],
      'rate.overrides.0.marketId',
      'market_not_found',
    ],
    [
      'the same currency twice',
      ['1', '2'].map((amount) => ({ currency: 'brl', model: 'volume', tiers: [{ upTo: '10', amount }, {}] })),
      'rate.overrides.1.currency',
      'validation_error',
    ],
  ])('rejects an override with %s and changes nothing', async (_what, overrides, param, code) => {
    const reference = await attached('usage', {}, { overage: { enabled: true, unitPrice: 85 } });
    const { planId, featureId } = reference;
    const rate = { model: 'volume', tiers: [{ upTo: '10', amount: '1' }, { amount: '2' }], overrides };
    const answer = await shop.rest('PUT', `/plans/${planId}/features/${featureId}/rate`, { rate });
    expect(answer.body).toMatchObject({ error: { code, param } });
    const rows = await t.app.database.query(
      'SELECT overrides FROM "PlanFeatureVersion" WHERE "planId" = $1',
      [planId],
    );
    expect(rows).toEqual([{ overrides: [] }]);
    const { plan } = await t.graphql<{ plan: object }>(
      'query ($id: ID!) { plan(id: $id) { featureTerms { overage { unitPrice } } } }',
      { id: planId },
    );
    expect(plan).toEqual({ featureTerms: [{ overage: { unitPrice: 85 } }] });
  });

  test('can be set again without a change', async () => {
    const reference = await attached();
    const rate = { model: 'package', per: 500, amount: '4.00' };
    await t.graphql(set, { input: { ...reference, rate } });
    const versions = () =>
      t.app.database.query('SELECT id FROM "PlanFeatureVersion" WHERE "planId" = $1', [reference.planId]);
    const before = await versions();
    await t.graphql(set, { input: { ...reference, rate } });
    expect(await versions()).toEqual(before);
  });
});

describe('an invalid rate', () => {
  const tiers = [
    { upTo: '10.5', amount: '1' },
    { upTo: '5', amount: '1' },
    { upTo: null, amount: '-1' },
  ];
  test.each([
    ['bounds and amounts', { model: 'graduated', tiers }, ['rate.tiers.0.upTo', 'rate.tiers.2.amount']],
    ['no price', {}, ['rate.tiers']],
    ['a minimum above the maximum', { amount: '1', minimum: '5', maximum: '4' }, ['rate.minimum']],
    ['an amount above the limit', { amount: '1000000001' }, ['rate.amount']],
    ['0 units', { amount: '1', per: 0 }, ['rate.per']],
  ])('is rejected with all problems: %s', async (_title, rate, fields) => {
    const { code, details } = await rejection(t, set, { input: { ...(await attached()), rate } });
    const { reason, problems } = details as { reason: string; problems: { field: string }[] };
    expect([code, reason]).toEqual(['validation_error', 'bad_rate']);
    expect(problems.map(({ field }) => field)).toEqual(expect.arrayContaining(fields.slice(0, 1)));
  });

  test.each([
    ['a boolean feature', 'boolean', {}, {}, { amount: '1' }, 'rate'],
    [
      'a credits plan if the price can fall',
      'usage',
      { consumptionModel: 'credits' },
      { creditsPerUnit: 2 },
      { model: 'volume', amount: '1' },
      'rate.model',
    ],
    ['a free plan', 'usage', { isFree: true }, {}, { amount: '1' }, 'rate'],
    [
      'a balance plan if the price can fall',
      'usage',
      { consumptionModel: 'balance' },
      { overage: { unitPrice: 1 } },
      { model: 'volume', amount: '1' },
      'rate.model',
    ],
  ])('is rejected for %s', async (_title, type, plan, terms, rate, field) => {
    const reference = await attached(type, plan, terms);
    expect(await rejection(t, set, { input: { ...reference, rate } })).toMatchObject({
      code: 'validation_error',
      details: { reason: 'bad_rate', problems: [{ field }] },
    });
  });
});

describe('a derived rate (PRM-111, PRM-112)', () => {
  const setCost =
    'mutation ($input: PlanFeatureCostSetInput!) { planFeatureCostSet(input: $input) { pricingMode margin } }';
  const derive = `mutation ($input: PlanFeatureRateSetInput!) { planFeatureRateSet(input: $input) {
    pricingMode margin rate { per } derivedRate { from marginBps modifiers { when factorBps } } } }`;
  const balance = { consumptionModel: 'balance' };

  test('is shown as the pricing mode and the margin if the cost are the prices of AI models', async () => {
    const reference = await attached('usage', balance, { overage: { unitPrice: 5 } });
    const path = `/plans/${reference.planId}/features/${reference.featureId}`;
    expect(await shop.rest('PUT', `${path}/cost`, { rate: { from: 'ai_models' } })).toMatchObject({
      status: 200,
      body: { pricingMode: 'fixed', margin: null, overage: { unitPrice: 5 } },
    });
    const rate = { from: 'cost', marginBps: 2_000 };
    expect(await shop.rest('PUT', `${path}/rate`, { rate })).toMatchObject({
      status: 200,
      body: {
        pricingMode: 'ai_model',
        margin: 2_000,
        overage: { unitPrice: 0 },
        rate: null,
        derivedRate: { from: 'cost', marginBps: 2_000, modifiers: [] },
      },
    });
    const modifiers = [{ when: { mode: ['batch'] }, factorBps: 5_000 }];
    expect(await t.graphql(derive, { input: { ...reference, rate: { ...rate, modifiers } } })).toEqual({
      planFeatureRateSet: {
        pricingMode: 'ai_model',
        margin: 2_000,
        rate: null,
        derivedRate: { from: 'cost', marginBps: 2_000, modifiers },
      },
    });
    const updated = await shop.rest('PATCH', path, { enabled: false });
    expect(updated.body).toMatchObject({ pricingMode: 'ai_model', derivedRate: { modifiers } });
    await shop.rest('PUT', `${path}/rate`, { rate: { amount: '0.02' } });
    const replaced = await shop.rest('PATCH', path, { enabled: true });
    expect(replaced.body).toMatchObject({ pricingMode: 'fixed', margin: null, overage: { unitPrice: 200 } });
    expect(replaced.body).not.toHaveProperty('derivedRate');
  });

  test('can have a rate as its cost, which only the scope finance can read', async () => {
    const reference = await attached('usage', balance);
    const path = `/plans/${reference.planId}/features/${reference.featureId}`;
    expect((await shop.rest('GET', `${path}/cost`)).body).toMatchObject({ from: null, rate: null });
    await shop.rest('PUT', `${path}/cost`, { rate: { per: 1_000, amount: '0.2' } });
    const rate = { from: 'cost', marginBps: 5_000 };
    expect((await shop.rest('PUT', `${path}/rate`, { rate })).body).toMatchObject({
      pricingMode: 'fixed',
      margin: null,
      derivedRate: { marginBps: 5_000 },
    });
    expect((await shop.rest('GET', `${path}/cost`)).body).toMatchObject({
      planId: reference.planId,
      featureId: reference.featureId,
      from: null,
      rate: { model: 'per_unit', per: 1_000, tiers: [{ amount: '0.2' }] },
    });
  });

  test.each([
    ['without a cost', 'usage', balance, {}, null, { from: 'cost' }, 'derived_needs_cost', 'rate'],
    [
      'with included units',
      'usage',
      {},
      { includedAmount: 5 },
      { amount: '1' },
      { from: 'cost' },
      'no_included',
      'rate',
    ],
    ['of a metered plan', 'usage', {}, {}, { amount: '1' }, { from: 'cost' }, 'bad_rate', 'rate'],
    [
      'with a price',
      'usage',
      balance,
      {},
      { amount: '1' },
      { from: 'cost', amount: '1' },
      'bad_rate',
      'rate.amount',
    ],
    ['from AI models', 'usage', balance, {}, { amount: '1' }, { from: 'ai_models' }, 'bad_rate', 'rate.from'],
    [
      'with a negative margin',
      'usage',
      balance,
      {},
      { amount: '1' },
      { from: 'cost', marginBps: -1 },
      'bad_rate',
      'rate.marginBps',
    ],
    [
      'with a modifier for no property',
      'usage',
      balance,
      {},
      { amount: '1' },
      { from: 'cost', modifiers: [{ when: {}, factorBps: 1 }] },
      'bad_rate',
      'rate.modifiers.0.when',
    ],
  ])('%s is rejected', async (_title, type, plan, terms, cost, rate, reason, field) => {
    const reference = await attached(type, plan, terms);
    if (cost !== null) await t.graphql(setCost, { input: { ...reference, rate: cost } });
    const changed = await watchChanges(t.app.database.query);
    expect(await rejection(t, set, { input: { ...reference, rate } })).toMatchObject({
      code: 'validation_error',
      details: { reason, problems: [{ field }] },
    });
    expect(await changed()).toEqual([]);
  });

  test.each([
    ['no rate', 'usage', {}, { tiers: [] }, 'bad_rate', 'rate.tiers'],
    ['the prices of AI models for seats', 'seats', {}, { from: 'ai_models' }, 'bad_rate', 'rate'],
    ['a derived cost', 'usage', balance, { from: 'cost' }, 'bad_rate', 'rate.from'],
    ['a cost of a boolean feature', 'boolean', {}, { amount: '1' }, 'bad_rate', 'rate'],
  ])('rejects %s as its cost', async (_title, type, plan, rate, reason, field) => {
    const reference = await attached(type, plan);
    expect(await rejection(t, setCost, { input: { ...reference, rate } })).toMatchObject({
      code: 'validation_error',
      details: { reason, problems: [{ field }] },
    });
  });

  test('keeps its cost', async () => {
    const reference = await attached('usage', balance, { pricingMode: 'ai_model', margin: 100 });
    for (const [rate, reason] of [
      [null, 'derived_needs_cost'],
      [{ model: 'volume', amount: '1' }, 'bad_rate'],
    ])
      expect(await rejection(t, setCost, { input: { ...reference, rate } })).toMatchObject({
        code: 'validation_error',
        details: { reason },
      });
  });
});

test.each([
  ['plan_not_found', { planId: 'pln_none' }],
  ['feature_not_found', { featureId: 'ftr_none' }],
  ['not_found', 'another feature'],
] as const)('setting and clearing a rate can fail with %s', async (code, other) => {
  const reference = {
    ...(await attached()),
    ...(other === 'another feature' ? { featureId: (await createFeature(shop)).id } : other),
  };
  const clear =
    'mutation ($input: PlanFeatureRateClearInput!) { planFeatureRateClear(input: $input) { id } }';
  expect(await rejection(t, set, { input: { ...reference, rate: { amount: '1' } } })).toMatchObject({ code });
  expect(await rejection(t, clear, { input: reference })).toMatchObject({ code });
});
