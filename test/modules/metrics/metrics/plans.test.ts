import { afterAll, beforeAll, expect, test } from 'vitest';
import { folding } from '../../../../src/modules/metrics/day-sums/store.ts';
import { computeMrr, type MrrInput } from '../../../../src/modules/metrics/metrics/compute-mrr.ts';
import { rollupSums } from '../../../../src/modules/metrics/metrics/store.ts';
import type { Query } from '../../../../src/platform/db/pool.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { needsOneServer, plansAreRead } from '../../../support/nodes.ts';

// Counts the sums that a series reads for three years, twenty plans and five countries.

const plans = 20;

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
  const { sql } = await systemContext(t.app, t.sandboxId);
  const group = `(ARRAY['pln_' || n % ${plans}, 'monthly', (ARRAY['DE', 'FR', 'GB', 'ES', 'US'])[1 + n / ${plans} % 5], 'stripe'])`;
  const amounts = `100 + n % 7 AS amount, 0 AS customers, 100 + n % 7 AS base, 0 AS discount, 0 AS seats, 0 AS quota, 0 AS addons, 0 AS "atRisk", 1 AS paying`;
  await sql(
    folding(
      rollupSums,
      `SELECT '2024-01-01Z'::timestamptz + d * interval '24 hours' AS day, s.scope, 'usd' AS currency, 'level' AS kind, '' AS reason, s.key AS "groupKey", '' AS "otherKey", ${amounts}
       FROM generate_series(0, 1094) AS d CROSS JOIN generate_series(0, ${plans * 5 - 1}) AS n
         CROSS JOIN LATERAL (VALUES ('currency', ''), ('plan', ${group}[1]), ('country', ${group}[3]), ('group', array_to_string(${group}, '|'))) AS s(scope, key)`,
    ),
  );
  await sql(
    `UPDATE "SumCursor" SET day = '2026-12-30', "closedMonth" = '2026-11', "closesAt" = '9999-01-01' WHERE "environmentId" = $1 AND source = 'revenue'`,
  );
  await t.app.database.script('VACUUM ANALYZE "MrrRollup"');
});
afterAll(() => t.close());

type Step = Record<string, unknown> & { readonly Plans?: readonly Step[] };

/** Returns the number of rows that scans of a table read, including rows that a filter removed. */
function rowsOf(step: Step, table: string): number {
  const own =
    step['Relation Name'] === table
      ? (Number(step['Actual Rows']) + Number(step['Rows Removed by Filter'] ?? 0)) *
        Number(step['Actual Loops'])
      : 0;
  return (step.Plans ?? []).reduce((sum, one) => sum + rowsOf(one, table), own);
}

async function measure(input: MrrInput) {
  const statements: (readonly [string, readonly unknown[]])[] = [];
  const query: Query = (text, params, rowOf) => {
    statements.push([text, params ?? []]);
    return t.app.database.query(text, params, rowOf);
  };
  const database = { ...t.app.database, query };
  const series = await computeMrr(await systemContext({ ...t.app, database }, t.sandboxId), input);
  const read = statements.filter(([text]) => text.includes('"MrrRollup"'));
  // The same statement runs again if the worker updated the sums in between.
  expect(new Set(read.map(([text]) => text)).size).toBe(1);
  const [text, params] = read.at(-1) ?? ['', []];
  const [row] = await t.app.database.query<Record<'QUERY PLAN', unknown>>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    params,
  );
  const plan = row?.['QUERY PLAN'];
  const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Step }];
  return { series, rows: rowsOf(Plan, 'MrrRollup') };
}

const testPlan = test.skipIf(needsOneServer(plansAreRead));

/** PostgreSQL rounds the average number of rows per loop, so up to two rows can be missing. */
const expectRows = (rows: number, expected: number): void =>
  expect(Math.abs(rows - expected), `${rows} rows of ${expected}`).toBeLessThan(3);

const year = { from: '2026-01-01', to: '2026-12-30' };

testPlan('metricsMrr by month reads one row per month, and the days of the last month', async () => {
  const { series, rows } = await measure({ ...year, interval: 'month' });
  expectRows(rows, 36);
  expect(series[0]?.points).toHaveLength(12);
});

testPlan('metricsMrr by month and plan reads the rows of plans', async () => {
  const { series, rows } = await measure({ ...year, interval: 'month', groupBy: 'plan' });
  expectRows(rows, 36 * plans);
  expect(series).toHaveLength(plans);
});

testPlan(
  'metricsMrr by day reads as many rows as by month, because monthly rows contain their days',
  async () => {
    const { series, rows } = await measure({ ...year, groupBy: 'plan' });
    expectRows(rows, 36 * plans);
    expect(series[0]?.points).toHaveLength(364);
  },
);

testPlan('metricsMrr by plan with a country filter reads the rows of all group combinations', async () => {
  const input = { ...year, interval: 'month', groupBy: 'plan' } as const;
  const { series, rows } = await measure({ ...input, filter: { countries: ['DE'] } });
  expectRows(rows, 36 * plans * 5);
  expect(series).toHaveLength(plans);
});

test.each(['month', 'quarter', 'year'] as const)(
  'metricsMrr by %s matches the daily points of the same date range',
  async (interval) => {
    for (const input of [
      {},
      { groupBy: 'plan' },
      { groupBy: 'plan', filter: { countries: ['DE'] } },
    ] as const) {
      // The range starts and ends in the middle of a month.
      const range = { from: '2025-02-11', to: '2026-11-17' };
      const [found, days] = [
        (await measure({ ...range, ...input, interval })).series,
        (await measure({ ...range, ...input })).series,
      ];
      expect(found.length).toBe(days.length);
      for (const [place, { points }] of found.entries()) {
        for (const { start, end, opening, closing, payingCustomers, arpa } of points) {
          const own = (days[place]?.points ?? []).filter((point) => point.start >= start && point.end <= end);
          const last = own.at(-1);
          expect({ opening, closing, payingCustomers, arpa }).toEqual({
            opening: own[0]?.opening,
            closing: last?.closing,
            payingCustomers: last?.payingCustomers,
            arpa: last?.arpa,
          });
        }
      }
    }
  },
);
