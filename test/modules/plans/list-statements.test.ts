import { execute, parse } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction, systemContext } from '../../../src/context.ts';
import type { Query } from '../../../src/infra/db.ts';
import { createFeature } from '../../../src/modules/features/write.ts';
import { addPlanPrice } from '../../../src/modules/plans/add-price.ts';
import { addPlanFeature } from '../../../src/modules/plans/features.ts';
import { createPlan } from '../../../src/modules/plans/write.ts';
import { schema } from '../../../src/schema.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
  await inTransaction(await t.context(), async (context) => {
    for (let index = 0; index < 25; index++) {
      const feature = await createFeature(context, { code: `f${index}`, name: `F${index}`, type: 'boolean' });
      const plan = await createPlan(context, { code: `p${index}`, name: `P${index}` });
      await addPlanFeature(context, { id: plan.id, featureId: feature.id });
      await addPlanPrice(context, { id: plan.id, billingInterval: 'monthly', price: 100 });
    }
  });
});
afterAll(() => t.close());

/** The tables read by the operation, one entry per statement. */
async function tablesRead(operation: string): Promise<string[]> {
  const seen: string[] = [];
  const query: Query = (text, params) => {
    seen.push(/FROM "(\w+)" t\b/.exec(text)?.[1] ?? text);
    return t.app.database.query(text, params);
  };
  const context = await systemContext({ ...t.app, database: { ...t.app.database, query } }, t.sandboxId);
  // What finding the environment took is not the page's.
  seen.length = 0;
  const { data, errors } = await execute({ schema, document: parse(operation), contextValue: context });
  expect(errors).toBeUndefined();
  expect((data as { plans: { edges: unknown[] } }).plans.edges).toHaveLength(Number(/first: (\d+)/.exec(operation)?.[1]));
  return seen;
}

it.each([1, 25])('reads a page of %d plans with features and prices in one statement per table', async (first) => {
  const operation = `{ plans(first: ${first}) { edges { node { code features { code } prices { price } } } } }`;
  expect((await tablesRead(operation)).toSorted()).toEqual(['Feature', 'Plan', 'PlanFeature', 'PlanPrice']);
});
