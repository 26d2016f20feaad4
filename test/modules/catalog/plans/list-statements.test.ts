import { afterAll, beforeAll, expect, it } from 'vitest';
import { featureRows } from '../../../../src/modules/catalog/features/store.ts';
import { addPlanFeature } from '../../../../src/modules/catalog/plan-features/attach.ts';
import { setPlanCurrency } from '../../../../src/modules/catalog/plan-features/set-currency.ts';
import { addPlanPrice } from '../../../../src/modules/catalog/plan-prices/add.ts';
import { createPlan } from '../../../../src/modules/catalog/plans/create.ts';
import { inTransaction } from '../../../../src/request/transaction.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { tablesRead } from '../../../support/statements.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
  await inTransaction(await t.context(), async (ctx) => {
    for (let index = 0; index < 25; index++) {
      const feature = await featureRows.create(ctx, {
        code: `f${index}`,
        name: `F${index}`,
        type: 'boolean',
      });
      const plan = await createPlan(ctx, { code: `p${index}`, name: `P${index}` });
      await addPlanFeature(ctx, { planId: plan.id, featureId: feature.id });
      await addPlanPrice(ctx, { planId: plan.id, billingInterval: 'monthly', price: 100 });
      await setPlanCurrency(ctx, { planId: plan.id, currency: 'brl', exchangeRate: 5.43 });
    }
  });
});
afterAll(() => t.close());

it.each([1, 25])(
  'the list of plans reads %d plans with features and prices with one statement per table',
  async (first) => {
    const operation = `{ plans(first: ${first}) { edges { node { code features { code } prices { price } } } } }`;
    const { data, tables } = await tablesRead(t, operation);
    expect((data as { plans: { edges: unknown[] } }).plans.edges).toHaveLength(first);
    expect(tables.toSorted()).toEqual(['Feature', 'Plan', 'PlanFeature', 'PlanPrice']);
  },
);

it.each([1, 25])(
  'the list of plans reads %d plans with their amounts in other currencies with one statement per table',
  async (first) => {
    const operation = `{ plans(first: ${first}) { edges { node { exchangeRates { currency } features { regionalPrices { currency } }
    prices { price marketPrices { price } regionalPrices { price } } } } } }`;
    const { data, tables } = await tablesRead(t, operation);
    const { edges } = (
      data as {
        plans: { edges: { node: { exchangeRates: object[]; prices: { regionalPrices: object[] }[] } }[] };
      }
    ).plans;
    expect(edges).toHaveLength(first);
    for (const { node } of edges)
      expect([node.exchangeRates.length, node.prices[0]?.regionalPrices.length]).toEqual([1, 1]);
    expect(tables.toSorted()).toEqual([
      'Feature',
      'Plan',
      'PlanExchangeRate',
      'PlanExchangeRate',
      'PlanFeature',
      'PlanPrice',
      'PlanPriceOverride',
    ]);
  },
);
