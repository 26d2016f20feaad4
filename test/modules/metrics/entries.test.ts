import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Context, systemContext } from '../../../src/context.ts';
import type { MrrState } from '../../../src/domain/subscription/state/recurring-rows.ts';
import { rebuildMetrics } from '../../../src/modules/metrics/delete-sums.ts';
import { foldNext } from '../../../src/modules/metrics/worker/fold.ts';
import { openRevenue } from '../../../src/modules/metrics/worker/open.ts';
import { insertRows } from '../../../src/platform/db/bulk.ts';
import { recording } from '../../support/billing-world.ts';
import { createActiveSubscription, otherShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// Entries that come late, entries of subscriptions that are older than entries, and what adding up costs.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const contextOf = (shop: Shop): Promise<Context> => systemContext(t.app, shop.environmentId);

/** Keeps the worker away from a shop. */
const lease = async (shop: Shop): Promise<void> => {
  const { sql } = await contextOf(shop);
  await sql(
    `UPDATE "MetricsCursor" SET "leaseOwner" = 'test', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );
};

async function foldAll(shop: Shop): Promise<void> {
  while (await foldNext(await contextOf(shop), 'test'));
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

test('MET-71a, MET-74a: a late entry counts on the day that was reached, also when all is added up again', async () => {
  const shop = await otherShop(t);
  await lease(shop);
  const { sql, clock } = await contextOf(shop);
  await insertRows(sql, 'MrrEntry', [
    entry('A', '2025-01-10T10:00:00Z', 0, 100),
    entry('B', '2025-01-20T10:00:00Z', 0, 50),
    // It was decided on the 19th and committed after B.
    entry('A', '2025-01-19T23:59:59Z', 100, 120),
  ]);
  await foldAll(shop);
  // The clock has closed all months by now, so this one counts on the first day of the current month.
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

test('MET-12: a subscription that is older than entries has one as of the first fold', async () => {
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
  // Once something is added up, nothing is opened again.
  await sql('UPDATE "Subscription" SET recurring = NULL WHERE "environmentId" = $1');
  await openRevenue(await contextOf(shop));
  expect(
    await sql('SELECT recurring FROM "Subscription" WHERE "environmentId" = $1 AND recurring IS NOT NULL'),
  ).toEqual([]);
});

test('adding up takes as many statements for entries of many days and months as for those of one', async () => {
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
    expect(await foldNext(ctx, 'test')).toBe(false);
    return statements.length;
  };
  const one = await statementsFor(['2025-01-10']);
  const many = await statementsFor(
    Array.from({ length: 200 }, (_, day) =>
      new Date(Date.UTC(2024, 0, 1 + day * 3)).toISOString().slice(0, 10),
    ),
  );
  expect(one).toBeGreaterThan(0);
  // One more asks how many customers pay.
  expect(many).toBeLessThanOrEqual(one + 1);
});
