import { execute, parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import type { Query } from '../../../../src/platform/db/pool.ts';
import { type App, systemContext } from '../../../../src/request/context.ts';
import { schema } from '../../../../src/schema.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  createCustomer,
  createPricedPlan,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// The number of statements and rows that a series needs doesn't depend on the number of customers.

let t: TestApp;
let shop: Shop;
let planId: string;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  planId = (await createPricedPlan(shop, { price: 1_000 })).id;
});
afterAll(() => t.close());

const today = (): string => new Date().toISOString().slice(0, 10);
const range = (): string => `from: "${today().slice(0, 4)}-01-01", to: "${today()}", interval: month`;

const fields: Readonly<Record<string, () => string>> = {
  metricsMrr: () => `metricsMrr(${range()}, currency: eur) { points { closing movements { amount } } }`,
  'metricsMrr by plan': () => `metricsMrr(${range()}, groupBy: plan) { group { name } points { closing } }`,
  metricsRetention: () => `metricsRetention(month: "${today()}", months: 1) { currency netBps }`,
  metricsCohorts: () => `metricsCohorts(from: "2020-01-01", to: "${today()}") { month cells { mrr } }`,
  metricsTrials: () => `metricsTrials(${range()}) { points { started } }`,
  metricsRecovery: () => `metricsRecovery(${range()}) { currency }`,
  metricsCash: () => `metricsCash(${range()}) { points { collected } }`,
  metricsBilled: () => `metricsBilled(${range()}, groupBy: plan) { points { amount } }`,
  metricsReceivables: () => `metricsReceivables(day: "${today()}") { total }`,
  metricsUsage: () => `metricsUsage(${range()}) { points { units } }`,
  margin: () => `margin(from: "2026-01-01", to: "${today()}", groupBy: customer) { price cost }`,
  metricsHeadline: () => `metricsHeadline { mrr revenue activeSubscriptions }`,
  metricsScheduled: () =>
    `metricsScheduled(from: "${today()}", to: "${Number(today().slice(0, 4)) + 1}-12-31") { isComplete }`,
  mrrChanges: () =>
    `mrrChanges(first: 2, from: "2020-01-01", to: "${today()}") { nodes { customer { id } entries { reason } } }`,
  fxRates: () => `fxRates(currency: eur, from: "${today()}", to: "${today()}") { unitsPerUsd }`,
};

async function addCustomers(count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    const { token } = await subscribeTo(shop, (await createCustomer(shop)).id, planId);
    expect(await pay(shop, token)).toBe('paid');
  }
  const { sql } = await systemContext(t.app, shop.environmentId);
  while (await foldNext(await systemContext(t.app, shop.environmentId), 'revenue', null));
  await eventually(
    () =>
      sql<{ waits: boolean }>(
        `SELECT (SELECT max(l.seq) FROM "LedgerTransfer" l WHERE l."environmentId" = $1) > k.seq AS waits FROM "SumCursor" k WHERE k."environmentId" = $1 AND k.source = 'ledger'`,
      ),
    ([row]) => row?.waits === false,
  );
}

/** Returns the number of statements that an operation sends, the number of rows that they return, and the operation's result. */
async function readingOf(text: string): Promise<{ statements: number; rows: number; data: unknown }> {
  const reading = { statements: 0, rows: 0 };
  const counted =
    (run: Query): Query =>
    async <Row>(...statement: Parameters<Query>) => {
      const rows = await run<Row>(...statement);
      reading.statements++;
      reading.rows += rows.length;
      return rows;
    };
  const { database } = t.app;
  const transaction: App['database']['transaction'] = (work, limits) =>
    database.transaction((open) => work({ ...open, query: counted(open.query) }), limits);
  const app = { ...t.app, database: { ...database, transaction, query: counted(database.query) } };
  const contextValue = await systemContext(app, shop.environmentId);
  Object.assign(reading, { statements: 0, rows: 0 });
  const { data, errors } = await execute({ schema, document: parse(`{ ${text} }`), contextValue });
  expect(errors).toBeUndefined();
  return { ...reading, data };
}

test('a series query reads the same number of database rows for 3 and for 28 customers', async () => {
  const readAll = async () => {
    const found = new Map<string, Awaited<ReturnType<typeof readingOf>>>();
    for (const [name, text] of Object.entries(fields)) found.set(name, await readingOf(text()));
    return found;
  };
  await addCustomers(3);
  const few = await readAll();
  await addCustomers(25);
  const many = await readAll();
  for (const [name, { statements, rows }] of many) {
    expect([name, statements, rows]).toEqual([name, few.get(name)?.statements, few.get(name)?.rows]);
    expect([name, statements]).toEqual([name, expect.toSatisfy((count: number) => count > 0 && count < 18)]);
  }
  // The result includes the subscriptions of all customers.
  expect(JSON.stringify(many.get('metricsHeadline')?.data)).toContain('"activeSubscriptions":28');
  expect(JSON.stringify(few.get('metricsHeadline')?.data)).toContain('"activeSubscriptions":3');
}, 60_000);
