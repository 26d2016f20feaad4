import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDayMismatches, readMonthMismatches } from '../../../../src/modules/metrics/day-sums/store.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { deleteSums, lockCursor } from '../../../../src/modules/metrics/sums/worker/store.ts';
import { usageSource } from '../../../../src/modules/metrics/usage-days/store.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { inTransaction } from '../../../../src/request/transaction.ts';
import { createConsumer, of } from '../../../support/consumers.ts';
import { clockSettled, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Usage counts on the day of its events, whether or not the sums already include it (MET-55).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const rows = (text: string) => t.app.database.query<Record<string, unknown>>(text, [shop.environmentId]);

type Series = { group: { key: string }; isComplete: boolean; points: Record<string, unknown>[] };
const read = async (query: string): Promise<Series[]> => {
  const { status, body } = await shop.rest<{ data: Series[] }>('GET', `/metrics/usage?${query}`);
  expect(status).toBe(200);
  return body.data;
};

test('metricsUsage counts usage on the day of its events, before and after aggregation', async () => {
  await clockSettled(shop);
  const { customerId, featureCode } = of(await createConsumer(shop));
  const [subscription] = await rows('SELECT "planId" FROM "Subscription" WHERE "environmentId" = $1');
  const now = Date.now();
  const record = async (value: number, at: number) => {
    const body = { customerId, featureCode, value, timestamp: new Date(at).toISOString() };
    expect((await shop.rest('POST', '/usage/events', body)).status).toBeLessThan(300);
  };
  await record(5, now);
  await record(7, now);
  const range = `from=${day(now - 2 * dayMs)}&to=${day(now)}`;
  const before = await read(`${range}&interval=day`);
  expect(before).toMatchObject([{ group: { key: featureCode }, isComplete: true }]);
  expect(before[0]?.points.map(({ events, units }) => [events, units])).toEqual([
    [0, 0],
    [0, 0],
    [2, 12],
  ]);
  // The events are moved back by one hour, so their 5-minute slots are complete. The worker is blocked.
  await rows(
    `UPDATE "SumCursor" SET "leaseOwner" = 'test', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );
  const ctx = await systemContext(t.app, shop.environmentId);
  expect(await foldNext(ctx, 'usage', 'test')).toBe(false);
  expect(await rows('SELECT 1 FROM "UsageDay" WHERE "environmentId" = $1')).toEqual([]);
  await rows(
    `UPDATE "UsageEvent" SET "createdAt" = '${new Date(now - hourMs).toISOString()}' WHERE "environmentId" = $1`,
  );
  expect(await foldNext(ctx, 'usage', 'someone else')).toBe(false);
  while (await foldNext(ctx, 'usage', 'test'));
  // One row for each scope: the feature, the model, the plan, and the model and the plan within the feature.
  for (const [table, count] of [
    ['UsageDay', 5],
    ['UsageCustomerDay', 1],
  ] as const)
    expect(await rows(`SELECT events::int, units::int FROM "${table}" WHERE "environmentId" = $1`)).toEqual(
      Array.from({ length: count }, () => ({ events: 2, units: 12 })),
    );
  expect(await read(`${range}&interval=day`)).toEqual(before);
  // Later events are added to the sums.
  await record(3, now);
  const after = await read(`${range}&interval=year&featureCode=${featureCode}`);
  expect(after[0]?.points.at(-1)).toMatchObject({ events: 3, units: 15, lateUnits: 0, isClosed: false });
  expect(await read(`${range}&featureCode=nothing_of_this_name`)).toEqual([]);
  const groups = { model: '', plan: subscription?.['planId'], customer: customerId, feature: featureCode };
  for (const [groupBy, key] of Object.entries(groups)) {
    const series = await read(`${range}&interval=year&groupBy=${groupBy}`);
    expect([groupBy, series.map(({ group }) => group.key)]).toEqual([groupBy, [key]]);
    expect(series[0]?.points.at(-1)).toMatchObject({ events: 3, units: 15 });
    // Usage by month is read from monthly sums. Usage of one feature is read from the feature's sums.
    for (const more of ['interval=month', `interval=month&featureCode=${featureCode}`]) {
      const whole = await read(`from=2020-01-01&to=${day(now)}&groupBy=${groupBy}&${more}`);
      expect([groupBy, more, whole.map(({ group }) => group.key)]).toEqual([groupBy, more, [key]]);
      expect(whole[0]?.points.reduce((sum, point) => sum + Number(point['units']), 0)).toBe(15);
    }
    expect(await read(`${range}&groupBy=${groupBy}&featureCode=nothing_of_this_name`)).toEqual([]);
  }
  expect(await readDayMismatches(ctx.sql, usageSource)).toEqual([]);
  expect(await readMonthMismatches(ctx.sql, usageSource)).toEqual([]);
  await rows(
    `UPDATE "UsageDay" SET "unitsDays"[1] = "unitsDays"[1] + 1 WHERE "environmentId" = $1 AND scope = 'feature'`,
  );
  const wrong = { expected: 12n, actual: 13n };
  expect(await readDayMismatches(ctx.sql, usageSource)).toMatchObject([wrong]);
  expect(await readMonthMismatches(ctx.sql, usageSource)).toMatchObject([{ expected: 13n, actual: 12n }]);
  // Rebuilding the sums from the first event produces the same values.
  await inTransaction(ctx, async (tx) => {
    expect(await lockCursor(tx.sql, 'usage', 'test')).not.toBeNull();
    await deleteSums(tx.sql, usageSource);
  });
  expect(await rows('SELECT 1 FROM "UsageDay" WHERE "environmentId" = $1')).toEqual([]);
  while (await foldNext(ctx, 'usage', 'test'));
  expect(await readDayMismatches(ctx.sql, usageSource)).toEqual([]);
  expect(await readMonthMismatches(ctx.sql, usageSource)).toEqual([]);
});

test('metricsUsage shows the customers with the most units as separate series, and combines all others', async () => {
  const [feature] = await rows('SELECT id FROM "Feature" WHERE "environmentId" = $1');
  const [customer] = await rows('SELECT id FROM "Customer" WHERE "environmentId" = $1');
  // 59 customers with 1 to 59 units on one day. The customer with 59 units already has 15 units on another day.
  await t.app.database.query(
    `INSERT INTO "UsageCustomerDay" ("environmentId", id, month, "featureId", "customerId", events, units, "lateUnits", credits, days, "eventsDays", "unitsDays", "lateUnitsDays", "creditsDays")
     SELECT $1, '2020-01 ' || n, '2020-01-01Z', $2, CASE n WHEN 59 THEN $3 ELSE 'cus_' || n END, 1, n, 0, 0, '{1}', '{1}', ARRAY[n], '{}', '{}' FROM generate_series(1, 59) AS n`,
    [shop.environmentId, feature?.['id'], customer?.['id']],
  );
  const series = await read('from=2020-01-01&to=2020-01-02&interval=year&groupBy=customer');
  expect(series).toHaveLength(51);
  const units = (key: unknown) => series.find(({ group }) => group.key === key)?.points[0]?.['units'];
  // The customers with 1 to 9 units used 45 units in total.
  expect([units('other'), units('cus_10'), units(customer?.['id'])]).toEqual([45, 10, 59]);
});
