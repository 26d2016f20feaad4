import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMarket,
  createPlan,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

const query = `query ($filter: PlanFilter, $includePrivate: Boolean) {
  plans(filter: $filter, includePrivate: $includePrivate) { nodes { id } totalCount { value } } }`;

async function plansOf(filter: object | null, includePrivate: boolean | null = null): Promise<string[]> {
  const { plans } = await t.graphql<{ plans: { nodes: { id: string }[]; totalCount: { value: number } } }>(
    query,
    { filter, includePrivate },
    { key: shop.key },
  );
  expect(plans.totalCount.value).toBe(plans.nodes.length);
  return plans.nodes.map(({ id }) => id);
}

test('the list of plans can be filtered by visibility, consumption model, group, availability, and market', async () => {
  const [market, other] = [await createMarket(shop), await createMarket(shop)];
  const group = await createPlanGroup(shop);
  const { id: draft } = await createPlan(shop);
  const { id: hidden } = await createPricedPlan(shop);
  await shop.rest('PUT', `/plans/${hidden}/visibility`, { isPublic: false });
  const { id: credits } = await createPlan(shop, { consumptionModel: 'credits', planGroupId: group.id });
  await createPrice(shop, credits, { includedCredits: 100 });
  const { id: free } = await createPlan(shop, { isFree: true });
  const { id: local } = await createPlan(shop);
  await createPrice(shop, local, {
    marketPrices: [{ marketGroupId: market.id, currency: 'usd', price: 3_900 }],
  });
  const retired = await createPricedPlan(shop, {
    marketPrices: [{ marketGroupId: market.id, currency: 'usd', price: 2_900 }],
  });
  const archived = await shop.rest('DELETE', `/plans/${retired.id}/prices/${retired.priceId}`);
  expect(archived.status).toBe(200);

  expect(await plansOf(null)).toEqual([retired.id, local, free, credits, draft]);
  expect(await plansOf({}, true)).toEqual([retired.id, local, free, credits, hidden, draft]);
  expect(await plansOf({ isPublic: false })).toEqual([hidden]);
  expect(await plansOf({ isPublic: true }, true)).toEqual([retired.id, local, free, credits, draft]);
  expect(await plansOf({ consumptionModels: ['credits'] })).toEqual([credits]);
  expect(await plansOf({ consumptionModels: ['metered', 'balance'] }, true)).toEqual([
    retired.id,
    local,
    free,
    hidden,
    draft,
  ]);
  expect(await plansOf({ planGroupIds: [group.id, 'pgr_none'] })).toEqual([credits]);
  expect(await plansOf({ isOnSale: true }, true)).toEqual([local, free, credits, hidden]);
  expect(await plansOf({ isOnSale: false }, true)).toEqual([retired.id, draft]);
  expect(await plansOf({ marketIds: [market.id] })).toEqual([local]);
  expect(await plansOf({ marketIds: [other.id] })).toEqual([]);
  expect(await plansOf({ marketIds: [other.id, market.id], consumptionModels: ['credits'] })).toEqual([]);

  const { status, body } = await shop.rest<{ data: { id: string }[] }>(
    'GET',
    '/plans?isOnSale=false&includePrivate=true',
  );
  expect([status, body.data.map(({ id }) => id)]).toEqual([200, [retired.id, draft]]);
  const { errors } = await t.graphqlFailure(
    '{ plans(filter: { planGroupIds: [] }) { nodes { id } } }',
    {},
    { key: shop.key },
  );
  expect(errors[0]?.extensions).toMatchObject({
    code: 'validation_error',
    details: [{ field: 'filter.planGroupIds' }],
  });
  const stranger = await otherShop(t);
  const { plans } = await t.graphql<{ plans: { nodes: unknown[] } }>(
    query,
    { filter: { planGroupIds: [group.id] } },
    { key: stranger.key },
  );
  expect(plans.nodes).toEqual([]);
});
