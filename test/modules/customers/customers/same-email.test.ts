import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSubscriptionWithSameEmail } from '../../../../src/modules/customers/customers/store.ts';
import { type Context, systemContext } from '../../../../src/request/context.ts';
import {
  createActiveSubscription,
  createCustomer,
  firstShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

/** Adds copies of a row of the sandbox. Columns in `changes` get other values in each copy. */
const copy = (table: string, id: string, count: number, changes: string) =>
  t.app.database.query(
    `INSERT INTO "${table}" SELECT (jsonb_populate_record(r, jsonb_build_object('id', r.id || n, 'seq', r.seq + 1000 + n, ${changes}))).*
     FROM "${table}" r, generate_series(1, ${count}) n WHERE r."environmentId" = $1 AND r.id = $2`,
    [t.sandboxId, id],
  );

type Plan = { readonly Plans?: readonly Plan[] } & Readonly<Record<string, number>>;

/** Returns the number of rows that a plan read. */
function rowsOf({ Plans = [], ...node }: Plan): number {
  const loops = node['Actual Loops'] ?? 0;
  const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return loops * rows + Plans.reduce((sum, plan) => sum + rowsOf(plan), 0);
}

describe('the search for a subscription of another customer with the same email address', () => {
  test('reads each customer and each subscription at most once, without query statistics', async () => {
    const count = 150;
    const { id } = await createCustomer(shop);
    const { id: subscriptionId } = await createActiveSubscription(shop, { price: 4_900 });
    await copy('Customer', id, count, `'externalId', null, 'emailKey', 'customer' || n || '@example.com'`);
    await copy('Subscription', subscriptionId, count, `'customerId', '${id}' || n`);
    const ctx = await systemContext(t.app, t.sandboxId);
    let text = '';
    const sql: Context['sql'] = (sent) => {
      text = sent;
      return Promise.resolve([]);
    };
    await findSubscriptionWithSameEmail(Object.create(ctx, { sql: { value: sql } }) as Context, id);
    const [explained] = await t.app.database.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [t.sandboxId, id],
    );
    expect(explained).toBeDefined();
    if (explained !== undefined) expect(rowsOf(explained['QUERY PLAN'][0].Plan)).toBeLessThan(4 * count);
  });
});
