import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MrrState } from '../../../../src/domain/rows/recurring-rows.ts';
import { openRevenue } from '../../../../src/modules/metrics/metrics/worker/open.ts';
import { rebuildMetrics } from '../../../../src/modules/metrics/sums/delete-sums.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { insertRows } from '../../../../src/platform/db/bulk.ts';
import { type Context, systemContext } from '../../../../src/request/context.ts';
import { recording } from '../../../support/billing-world.ts';
import { createActiveSubscription, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Late MRR entries, subscriptions older than MRR entries, and the number of statements.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const contextOf = (shop: Shop): Promise<Context> => systemContext(t.app, shop.environmentId);

/** Assigns the lease to the test, so that the worker doesn't process the shop. */
const lease = async (shop: Shop): Promise<void> => {
  const { sql } = await contextOf(shop);
  await sql(
    `UPDATE "SumCursor" SET "leaseOwner" = 'test', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );
};

async function foldAll(shop: Shop): Promise<void> {
  while (await foldNext(await contextOf(shop), 'revenue', 'test'));
}

const tables = ['MrrRollup', 'MrrCustomer', 'MrrCustomerDay', 'MrrMonth', 'MrrRetention', 'MrrCohort'];

async function sumsOf(shop: Shop): Promise<Record<string, unknown[]>> {
  const { sql } = await contextOf(shop);
  const found: Record<string, unknown[]> = {};
  for (const table of tables)
    found[table] = await sql(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE t."environmentId" = $1 ORDER BY to_jsonb(t)::text`,
    );
  return found;
}

const state = (mrr: number): MrrState => ({
  ...{ base: String(mrr * 10_000), discount: '0', seats: '0', quota: '0', addons: '0' },
  ...{ planId: 'pln_1', interval: 'monthly', country: 'US', provider: null, currency: 'usd' },
  isPastDue: false,
});

let last = 1_000_000n;
const entry = (customerId: string, at: string, before: number, after: number) => ({
  id: `mrr_${++last}`,
  seq: last,
  customerId,
  subscriptionId: `sub_${customerId}`,
  reason: 'activated' as const,
  before: before === 0 ? null : state(before),
  after: after === 0 ? null : state(after),
  occurredAt: new Date(at),
  ...{ firstEvent: null, lastEvent: null, countedOn: null },
});

test('a late MRR entry counts on the latest day with entries, or on the first day after the closed months, even after a rebuild (MET-71a, MET-74a)', async () => {
  const shop = await otherShop(t);
  await lease(shop);
  const { sql, clock } = await contextOf(shop);
  await insertRows(sql, 'MrrEntry', [
    entry('A', '2025-01-10T10:00:00Z', 0, 100),
    entry('B', '2025-01-20T10:00:00Z', 0, 50),
    // This entry occurred on the 19th but was committed after entry B.
    entry('A', '2025-01-19T23:59:59Z', 100, 120),
  ]);
  await foldAll(shop);
  // All earlier months are closed, so this entry counts on the first day of the current month.
  await insertRows(sql, 'MrrEntry', [entry('C', '2025-01-20T23:59:59Z', 0, 70)]);
  await foldAll(shop);
  const days = await sql<{ customerId: string; day: string }>(
    'SELECT "customerId", day FROM "MrrCustomerDay" WHERE "environmentId" = $1 ORDER BY seq',
  );
  const month = clock.now().toISOString().slice(0, 7);
  expect(days.map(({ customerId, day }) => `${customerId} ${day}`)).toEqual([
    'A 2025-01-10',
    'B 2025-01-20',
    'A 2025-01-20',
    `C ${month}-01`,
  ]);
  const before = await sumsOf(shop);
  expect(before['MrrMonth']?.length).toBeGreaterThan(20);
  await rebuildMetrics(await contextOf(shop));
  await foldAll(shop);
  expect(await sumsOf(shop)).toEqual(before);
});

test('a subscription created before MRR entries existed gets an opening entry (MET-12)', async () => {
  const shop = await otherShop(t);
  const paid = await createActiveSubscription(shop, { price: 4_200 });
  const other = await createActiveSubscription(shop, { price: 1_000 });
  await lease(shop);
  const { sql } = await contextOf(shop);
  const forget = async (): Promise<void> => {
    await sql('UPDATE "Subscription" SET recurring = NULL WHERE "environmentId" = $1');
    await sql('DELETE FROM "MrrEntry" WHERE "environmentId" = $1');
    await rebuildMetrics(await contextOf(shop));
  };
  await forget();
  await openRevenue(await contextOf(shop));
  await foldAll(shop);
  const entries = await sql<{ subscriptionId: string; reason: string; base: string }>(
    `SELECT "subscriptionId", reason, after->>'base' AS base FROM "MrrEntry" WHERE "environmentId" = $1 ORDER BY seq`,
  );
  expect(entries.map((row) => [row.subscriptionId, row.reason, row.base])).toEqual([
    [paid.id, 'opening', '420000'],
    [other.id, 'opening', '100000'],
  ]);
  const { metricsVerify } = await t.graphql<{ metricsVerify: unknown }>(
    '{ metricsVerify { ok mismatches { subject } subscriptionCount } }',
    {},
    { key: shop.key },
  );
  expect(metricsVerify).toEqual({ ok: true, mismatches: [], subscriptionCount: 2 });
  // Opening entries are no longer created after the first entries were aggregated.
  await sql('UPDATE "Subscription" SET recurring = NULL WHERE "environmentId" = $1');
  await openRevenue(await contextOf(shop));
  expect(
    await sql('SELECT recurring FROM "Subscription" WHERE "environmentId" = $1 AND recurring IS NOT NULL'),
  ).toEqual([]);
});

test("entries from many days and months are aggregated with the same number of SQL statements as one day's entries", async () => {
  const statementsFor = async (days: readonly string[]): Promise<number> => {
    const shop = await otherShop(t);
    await lease(shop);
    const { sql } = await contextOf(shop);
    await insertRows(
      sql,
      'MrrEntry',
      days.map((day, index) => entry(`${day}-${index}`, `${day}T10:00:00Z`, 0, 100)),
    );
    const { app, statements } = recording(t.app);
    const ctx = await systemContext(app, shop.environmentId);
    statements.length = 0;
    expect(await foldNext(ctx, 'revenue', 'test')).toBe(false);
    return statements.length;
  };
  const one = await statementsFor(['2025-01-10']);
  const many = await statementsFor(
    Array.from({ length: 200 }, (_, day) =>
      new Date(Date.UTC(2024, 0, 1 + day * 3)).toISOString().slice(0, 10),
    ),
  );
  expect(one).toBeGreaterThan(0);
  // One additional statement counts paying customers.
  expect(many).toBeLessThanOrEqual(one + 1);
});
