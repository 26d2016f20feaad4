import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  attachFeature,
  createFeature,
  createLadder,
  createMarket,
  createPlan,
  createPlanGroup,
  createPricedPlan,
  createPricingTable,
  firstShop,
  type Shop,
  setCurrency,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Pricing tables in the API, and their public pages (CAT-60, CAT-61).

type Price = { billingInterval: string; price: number; currency: string; saving: number; trialDays: number };
type Shown = {
  name: string;
  country: string | null;
  intervals: string[];
  plans: {
    planId: string;
    text: string | null;
    isHighlighted: boolean;
    isFree: boolean;
    prices: Price[];
    features: { name: string }[];
  }[];
};

const pageText = `query ($token: String!, $country: String) { pricingPage(token: $token, country: $country) {
  name country intervals plans { planId text isHighlighted isFree features { name } prices { billingInterval price currency saving trialDays } } } }`;

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const page = async (token: string, country: string | null = null): Promise<Shown> =>
  (await t.graphql<{ pricingPage: Shown }>(pageText, { token, country }, { key: null })).pricingPage;

const codeOf = async (token: string): Promise<unknown> =>
  (await t.graphqlFailure(pageText, { token }, { key: null })).errors[0]?.extensions['code'];

const planIds = async (token: string): Promise<string[]> =>
  (await page(token)).plans.map(({ planId }) => planId);

const update = (id: string, body: object, seller = shop) =>
  seller.rest<Record<string, unknown>>('PATCH', `/pricing-tables/${id}`, body);

describe('the pricing table page', () => {
  it('shows only public plans that can be purchased, in display order (CAT-61)', async () => {
    const [first, second] = [await createPricedPlan(shop), await createPricedPlan(shop)];
    const hidden = await createPricedPlan(shop);
    await shop.rest('PATCH', `/plans/${hidden.id}`, { isPublic: false });
    const unpriced = await createPlan(shop);
    const gone = await createPricedPlan(shop);
    const archived = await createPricedPlan(shop);
    const chosen = [second, hidden, unpriced, gone, archived, first].map(({ id }) => ({ planId: id }));
    const { token } = await createPricingTable(shop, { plans: chosen, highlightedPlanId: first.code });
    await shop.rest('DELETE', `/plans/${gone.id}`);
    await shop.rest('DELETE', `/plans/${archived.id}/prices/${archived.priceId}`);
    const { plans } = await page(token);
    expect(plans.map(({ planId, isHighlighted }) => [planId, isHighlighted])).toEqual([
      [second.id, false],
      [first.id, true],
    ]);
  });

  it("shows a group's plans in the group's order, and shows none after the group is hidden", async () => {
    const { id: planGroupId } = await createPlanGroup(shop);
    const plans: string[] = [];
    for (const sortOrder of [9, 4]) {
      const { id: planId } = await createPricedPlan(shop);
      await shop.rest('POST', `/plan-groups/${planGroupId}/plans`, { planId, sortOrder });
      plans.push(planId);
    }
    const { token } = await createPricingTable(shop, { planGroupId });
    expect(await planIds(token)).toEqual(plans.toReversed());
    await shop.rest('PATCH', `/plan-groups/${planGroupId}`, { isPublic: false });
    expect(await planIds(token)).toEqual([]);
  });

  it('shows the price and the savings of each offered interval', async () => {
    const { lowId, highId, freeId } = await createLadder(shop);
    const plans = [{ planId: lowId, text: 'To begin with.' }, { planId: highId }, { planId: freeId }];
    const { id, token } = await createPricingTable(shop, { plans });
    const shown = await page(token);
    const free = { planId: freeId, isFree: true, prices: [], text: null, isHighlighted: false, features: [] };
    // Yearly savings: 12 × 34.00 − 336.00 = 72.00, and 12 × 118.00 − 1,180.00 = 236.00.
    const price = (billingInterval: string, amount: number, saving: number) => ({
      billingInterval,
      price: amount,
      currency: 'usd',
      saving,
      trialDays: 0,
    });
    expect(shown).toMatchObject({
      intervals: ['monthly', 'yearly'],
      plans: [
        { text: 'To begin with.', prices: [price('monthly', 3_400, 0), price('yearly', 33_600, 7_200)] },
        { text: null, prices: [price('monthly', 11_800, 0), price('yearly', 118_000, 23_600)] },
        free,
      ],
    });
    await update(id, { intervals: ['yearly'] });
    const yearly = await page(token);
    expect(yearly.intervals).toEqual(['yearly']);
    expect(yearly.plans[0]?.prices).toEqual([price('yearly', 33_600, 0)]);
  });

  it("shows the price for the country's market, otherwise in the country's currency, otherwise in US dollars", async () => {
    const market = await createMarket(shop, ['FI']);
    const plan = await createPricedPlan(shop, {
      price: 6_150,
      trialDays: 14,
      marketPrices: [{ marketGroupId: market.id, currency: 'eur', price: 5_800 }],
    });
    await setCurrency(shop, plan.id, 'brl', 5.43);
    const { token } = await createPricingTable(shop, { plans: [{ planId: plan.id }] });
    const priceIn = async (country: string | null) => (await page(token, country)).plans[0]?.prices[0];
    expect(await priceIn('FI')).toMatchObject({ price: 5_800, currency: 'eur', trialDays: 14 });
    expect(await priceIn('BR')).toMatchObject({ price: 33_395, currency: 'brl' });
    expect(await priceIn('NO')).toMatchObject({ price: 6_150, currency: 'usd' });
    expect(await priceIn(null)).toMatchObject({ price: 6_150, currency: 'usd' });
  });

  it("lists a plan's features", async () => {
    const plan = await createPricedPlan(shop);
    const feature = await createFeature(shop);
    await attachFeature(shop, plan.id, feature.id, { includedAmount: 3 });
    const { token } = await createPricingTable(shop, { plans: [{ planId: plan.id }] });
    expect((await page(token)).plans[0]?.features).toEqual([{ name: feature.name }]);
  });

  it('returns not_found at the same URL if the table is inactive or deleted', async () => {
    const { id, token, url } = await createPricingTable(shop);
    await update(id, { isActive: false });
    expect(await codeOf(token)).toBe('not_found');
    const preview = await t.graphql<{ pricingTablePreview: { plans: unknown[] } }>(
      'query ($id: ID!) { pricingTablePreview(id: $id) { plans { planId } } }',
      { id },
    );
    expect(preview.pricingTablePreview.plans).toHaveLength(1);
    expect((await update(id, { isActive: true })).body).toMatchObject({ url });
    expect(await planIds(token)).toHaveLength(1);
    await shop.rest('DELETE', `/pricing-tables/${id}`);
    expect(await codeOf(token)).toBe('not_found');
    expect(await codeOf(`${token}x`)).toBe('unauthorized');
  });
});

describe('the pricing table API', () => {
  it('requires either plans or a group, and rejects repeated plans (CAT-60)', async () => {
    const [{ id: planId, code }, { id: planGroupId }] = [
      await createPricedPlan(shop),
      await createPlanGroup(shop),
    ];
    const changes = await watchChanges(t.app.database.query);
    for (const [body, param] of [
      [{}, 'planGroupId'],
      [{ plans: [] }, 'plans'],
      [{ plans: [{ planId }], planGroupId }, 'plans'],
      [{ plans: [{ planId }, { planId: code }] }, 'plans.1.planId'],
      [{ plans: Array.from({ length: 13 }, () => ({ planId })) }, 'plans'],
      [{ plans: [{ planId }], successUrl: 'nowhere' }, 'successUrl'],
    ] as const) {
      const { status, body: answer } = await shop.rest('POST', '/pricing-tables', { name: 'Plans', ...body });
      expect([status, answer]).toMatchObject([400, { error: { code: 'validation_error', param } }]);
    }
    expect((await changes()).filter((change) => change.includes('PricingTable '))).toEqual([]);
  });

  it('can switch between selected plans and a group, and can highlight only a plan in the table', async () => {
    const [one, two] = [await createPricedPlan(shop), await createPricedPlan(shop)];
    const { id: planGroupId, planIds: grouped } = await createPlanGroup(shop, 1);
    const { id } = await createPricingTable(shop, {
      plans: [{ planId: one.id }, { planId: two.id }],
      highlightedPlanId: two.id,
    });
    expect((await update(id, { highlightedPlanId: grouped[0] })).body).toMatchObject({
      error: { code: 'plan_not_found', param: 'highlightedPlanId' },
    });
    expect((await update(id, { plans: [{ planId: one.code }] })).body).toMatchObject({
      plans: [{ planId: one.id, text: null }],
      highlightedPlanId: null,
    });
    expect((await update(id, { planGroupId, highlightedPlanId: grouped[0] })).body).toMatchObject({
      planGroupId,
      plans: [],
      highlightedPlanId: grouped[0],
    });
    expect((await update(id, { plans: [{ planId: two.id }] })).body).toMatchObject({
      planGroupId: null,
      highlightedPlanId: null,
    });
  });
});
