import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MrrState } from '../../../../src/domain/rows/recurring-rows.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { insertRows } from '../../../../src/platform/db/bulk.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Retention and cohorts for months that have ended.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  await write();
});
afterAll(() => t.close());

const state = (mrr: number): MrrState | null =>
  mrr === 0
    ? null
    : {
        ...{ base: String(mrr * 10_000), discount: '0', seats: '0', quota: '0', addons: '0' },
        ...{ planId: 'pln_1', interval: 'monthly', country: 'US', provider: null, currency: 'usd' },
        isPastDue: false,
      };

/** Customers in MET-E7, with their MRR in US dollars at the end of January 2025 and at the end of January 2026. */
const customers: readonly (readonly [id: string, before: number, after: number])[] = [
  ['P', 500, 640],
  ['Q', 320, 250],
  ['R', 180, 180],
  ['S', 90, 0],
  ['T', 60, 75],
];

async function write(): Promise<void> {
  const ctx = await systemContext(t.app, shop.environmentId);
  let seq = 0n;
  const entry = (customerId: string, day: string, before: number, after: number) => ({
    id: `mrr_${customerId}${day}`,
    seq: ++seq,
    customerId,
    subscriptionId: `sub_${customerId}`,
    reason: 'activated' as const,
    before: state(before),
    after: state(after),
    occurredAt: new Date(`${day}T10:00:00.000Z`),
    ...{ firstEvent: null, lastEvent: null, countedOn: null },
  });
  await insertRows(ctx.sql, 'MrrEntry', [
    ...customers.map(([id, before]) => entry(id, '2025-01-10', 0, before)),
    entry('U', '2025-05-05', 0, 100),
    ...customers.filter(([, a, b]) => a !== b).map(([id, a, b]) => entry(id, '2025-11-20', a, b)),
  ]);
  while (await foldNext(await systemContext(t.app, shop.environmentId), 'revenue', null));
}

const read = async (path: string): Promise<unknown> => {
  const { status, body } = await shop.rest<{ data: unknown }>('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return body.data;
};

test('metricsRetention compares the same customers at the end of two months (MET-E7, MET-21)', async () => {
  const retention = {
    currency: 'usd',
    customers: 5,
    remaining: 4,
    opening: 11_500_000,
    closing: 11_450_000,
    netBps: 9_957,
    grossBps: 8_609,
    customerBps: 8_000,
  };
  expect(await read('/metrics/retention?month=2026-01-31')).toEqual([retention]);
  expect(await read('/metrics/retention?month=2024-01-31')).toEqual([]);
});

test('metricsRetention rejects an unsupported number of months', async () => {
  const { status, body } = await shop.rest('GET', '/metrics/retention?month=2026-01-31&months=5');
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('1, 3, 6, 12, 24')]);
});

test('metricsCohorts groups customers by the month of their first day with revenue (MET-22)', async () => {
  const cohorts = (await read('/metrics/cohorts?from=2025-01-01&to=2025-06-30')) as {
    month: string;
    cells: { month: string; customers: number; mrr: number }[];
  }[];
  expect(cohorts.map(({ month }) => month)).toEqual(['2025-01-01', '2025-05-01']);
  expect(cohorts[0]?.cells[0]).toEqual({ month: '2025-01-01', customers: 5, mrr: 11_500_000 });
  const later = cohorts[0]?.cells.find(({ month }) => month === '2025-11-01');
  expect(later).toEqual({ month: '2025-11-01', customers: 4, mrr: 11_450_000 });
  expect(cohorts[1]?.cells[0]).toEqual({ month: '2025-05-01', customers: 1, mrr: 1_000_000 });
});

const cursorOf = async (): Promise<unknown> => {
  const { sql } = await systemContext(t.app, shop.environmentId);
  const [row] = await sql<{ day: string; closedMonth: string }>(
    `SELECT day, "closedMonth" FROM "SumCursor" WHERE "environmentId" = $1 AND source = 'revenue'`,
  );
  return row;
};

const monthRows = async (): Promise<Record<string, number>> => {
  const { sql } = await systemContext(t.app, shop.environmentId);
  const rows = await sql<{ month: string; mrr: number }>(
    `SELECT month, sum(mrr)::int AS mrr FROM "MrrMonth" WHERE "environmentId" = $1 GROUP BY month ORDER BY month`,
  );
  return Object.fromEntries(rows.map(({ month, mrr }) => [month, mrr]));
};

test('the metrics worker with the lease closes all past months in one transaction (MET-73)', async () => {
  const ctx = await systemContext(t.app, shop.environmentId);
  const before = await monthRows();
  // 1,150.00 in January 2025, 1,250.00 with the customer who subscribed in May, and 1,245.00 after November.
  expect([before['2025-04'], before['2025-10'], before['2025-11']]).toEqual([
    11_500_000, 12_500_000, 12_450_000,
  ]);
  await ctx.sql(
    `UPDATE "SumCursor" SET day = '2025-09-15', "closedMonth" = '2025-03', "leaseOwner" = 'here', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1 AND source = 'revenue'`,
  );
  for (const table of ['MrrMonth', 'MrrRetention', 'MrrCohort'])
    await ctx.sql(`DELETE FROM "${table}" WHERE "environmentId" = $1 AND month > '2025-03'`);
  expect([await foldNext(ctx, 'revenue', 'elsewhere'), await cursorOf()]).toEqual([
    false,
    { day: '2025-09-15', closedMonth: '2025-03' },
  ]);
  expect(await foldNext(ctx, 'revenue', 'here')).toBe(false);
  expect(await monthRows()).toEqual(before);
  expect(await read('/metrics/retention?month=2026-01-31')).toMatchObject([{ customers: 5, netBps: 9_957 }]);
});
