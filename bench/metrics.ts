import { performance } from 'node:perf_hooks';
import { computeBilled, computeCash } from '../src/modules/metrics/cash/compute-cash.ts';
import { computeReceivables } from '../src/modules/metrics/cash/compute-receivables.ts';
import { computeRecovery } from '../src/modules/metrics/cash/compute-recovery.ts';
import { computeHeadline } from '../src/modules/metrics/metrics/compute-headline.ts';
import { computeMrr } from '../src/modules/metrics/metrics/compute-mrr.ts';
import { computeCohorts, computeRetention } from '../src/modules/metrics/metrics/compute-retention.ts';
import { computeTrials } from '../src/modules/metrics/outcome-days/compute-trials.ts';
import { computeUsage } from '../src/modules/metrics/usage-days/compute-usage.ts';
import type { Query } from '../src/platform/db/pool.ts';
import { type App, type Context, systemContext } from '../src/request/context.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import { seedMetrics } from './metrics-rows.ts';
import { median } from './table.ts';
import { addSubscriptions, closeWorld, openWorld, sandboxOf } from './world.ts';

/** Durations in milliseconds: database time and total time for each series, and the time to calculate some series from raw rows. */
export type MetricsTimes = {
  readonly series: Readonly<Record<string, { readonly databaseMs: number; readonly wholeMs: number }>>;
  readonly raw: Readonly<Record<string, number>>;
};

const year = { from: '2026-01-01', to: '2026-12-31' };

const series: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
  'MRR by day': (ctx) => computeMrr(ctx, year),
  'MRR by day, in US dollars': (ctx) => computeMrr(ctx, { ...year, currency: 'usd' }),
  'MRR by month and plan': (ctx) => computeMrr(ctx, { ...year, interval: 'month', groupBy: 'plan' }),
  'MRR by day and plan': (ctx) => computeMrr(ctx, { ...year, groupBy: 'plan' }),
  retention: (ctx) => computeRetention(ctx, { month: year.to }),
  cohorts: (ctx) => computeCohorts(ctx, year),
  'trials by day': (ctx) => computeTrials(ctx, year),
  'recovery by day': (ctx) => computeRecovery(ctx, year),
  'cash by day': (ctx) => computeCash(ctx, year),
  'billed by month and plan': (ctx) => computeBilled(ctx, { ...year, interval: 'month', groupBy: 'plan' }),
  receivables: (ctx) => computeReceivables(ctx, { day: year.to }),
  'cash by month': (ctx) => computeCash(ctx, { ...year, interval: 'month' }),
  'recovery by month': (ctx) => computeRecovery(ctx, { ...year, interval: 'month' }),
  'billed by day': (ctx) => computeBilled(ctx, year),
  'billed by day and plan': (ctx) => computeBilled(ctx, { ...year, groupBy: 'plan' }),
  'usage by day': (ctx) => computeUsage(ctx, year),
  'usage by day and plan': (ctx) => computeUsage(ctx, { ...year, groupBy: 'plan' }),
  'usage by month and plan': (ctx) => computeUsage(ctx, { ...year, interval: 'month', groupBy: 'plan' }),
  headline: (ctx) => computeHeadline(ctx),
};

/** SQL that calculates some of the series above from raw rows. */
const raw: Readonly<Record<string, string>> = {
  'MRR by day': `SELECT greatest(date_trunc('day', "occurredAt", 'UTC'), '2025-12-31Z') AS day, coalesce(after->>'currency', before->>'currency') AS currency, reason,
      sum(coalesce((after->>'base')::bigint + (after->>'discount')::bigint + (after->>'seats')::bigint + (after->>'quota')::bigint + (after->>'addons')::bigint, 0)
        - coalesce((before->>'base')::bigint + (before->>'discount')::bigint + (before->>'seats')::bigint + (before->>'quota')::bigint + (before->>'addons')::bigint, 0)) AS amount
    FROM "MrrEntry" WHERE "environmentId" = $1 AND "occurredAt" < '2027-01-01Z' GROUP BY 1, 2, 3`,
  'cash by day': `SELECT date_trunc('day', "occurredAt", 'UTC') AS day, currency, fact, sum("amountMinor") AS amount FROM "LedgerTransfer"
    WHERE "environmentId" = $1 AND "occurredAt" >= '2026-01-01Z' AND "occurredAt" < '2027-01-01Z' GROUP BY 1, 2, 3`,
};

/** Returns the app with a timer for SQL statements. Overlapping time is counted only once. */
function timed(app: App): { readonly app: App; readonly take: () => number } {
  let [spent, waiting, began] = [0, 0, 0];
  const query: Query = async (...statement) => {
    if (waiting++ === 0) began = performance.now();
    try {
      return await app.database.query(...statement);
    } finally {
      if (--waiting === 0) spent += performance.now() - began;
    }
  };
  const take = (): number => {
    const taken = spent;
    spent = 0;
    return taken;
  };
  return { app: { ...app, database: { ...app.database, query } }, take };
}

async function timeOf(app: App, sandbox: string, rounds: number, work: (ctx: Context) => Promise<unknown>) {
  const { app: watched, take } = timed(app);
  const times: { databaseMs: number; wholeMs: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const ctx = await systemContext(watched, sandbox);
    take();
    const began = performance.now();
    await work(ctx);
    times.push({ wholeMs: performance.now() - began, databaseMs: take() });
  }
  // The first execution includes query planning.
  const warm = times.slice(1);
  return {
    databaseMs: median(warm.map(({ databaseMs }) => databaseMs)),
    wholeMs: median(warm.map(({ wholeMs }) => wholeMs)),
  };
}

/** Measures one year of each metric series, and calculates the same values from raw rows. The subscription rows are inserted with SQL. */
export async function measureMetrics(subscriptions: number, rounds: number): Promise<MetricsTimes> {
  const url = await createDatabase();
  const app = await openWorld(url);
  try {
    const sandbox = await sandboxOf(url);
    await addSubscriptions(await systemContext(app, sandbox), 'm', 1);
    await onDatabase(url, (client) => seedMetrics(client, sandbox, subscriptions));
    const found: [string, Awaited<ReturnType<typeof timeOf>>][] = [];
    for (const [name, work] of Object.entries(series))
      found.push([name, await timeOf(app, sandbox, rounds, work)]);
    const rows: [string, number][] = [];
    for (const [name, text] of Object.entries(raw)) {
      const times = await timeOf(app, sandbox, rounds, ({ sql }) => sql(text));
      rows.push([name, times.databaseMs]);
    }
    return { series: Object.fromEntries(found), raw: Object.fromEntries(rows) };
  } finally {
    await closeWorld(app);
    await dropDatabase(url);
  }
}
