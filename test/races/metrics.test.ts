import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rebuildMetrics } from '../../src/modules/metrics/sums/delete-sums.ts';
import { foldNext } from '../../src/modules/metrics/sums/worker/fold.ts';
import { deleteData } from '../../src/modules/sandbox/example-shop/delete-data.ts';
import type { Query } from '../../src/platform/db/pool.ts';
import { type App, systemContext } from '../../src/request/context.ts';
import { createActiveSubscription, otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Concurrent computation and deletion of metrics. The later transaction waits for the earlier transaction instead of being retried
// (MET-74a).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** Returns the app and a count of its transaction attempts. `after` runs after each SQL statement. */
function counting(after: (text: string) => Promise<void> = async () => undefined) {
  let attempts = 0;
  const transaction: App['database']['transaction'] = (work, limits) =>
    t.app.database.transaction((open) => {
      attempts++;
      const query: Query = async (text, ...rest) => {
        const rows = await open.query(text, ...rest);
        await after(text);
        return rows as never;
      };
      return work({ ...open, query });
    }, limits);
  const app: App = { ...t.app, database: { ...t.app.database, transaction } };
  return { app, attempts: () => attempts };
}

/** Leases the shop's metrics to the test, so the worker doesn't process them. */
async function leaseTo(shop: Shop, owner: string): Promise<void> {
  const { sql } = await systemContext(t.app, shop.environmentId);
  await sql(
    `UPDATE "SumCursor" SET "leaseOwner" = $2, "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
    [owner],
  );
}

test('metrics stay correct during concurrent computations and deletions', async () => {
  const shop = await otherShop(t);
  for (const price of [1_000, 2_000, 3_000]) await createActiveSubscription(shop, { price });
  await leaseTo(shop, 'here');
  const { app, attempts } = counting();
  const rounds = 20;
  const context = () => systemContext(app, shop.environmentId);
  const running = Array.from({ length: rounds }, async (_, round) => {
    const ctx = await context();
    return round % 2 === 0 ? rebuildMetrics(ctx) : foldNext(ctx, 'revenue', 'here');
  });
  await Promise.all(running);
  expect(attempts()).toBe(rounds);
  while (await foldNext(await context(), 'revenue', 'here'));
  const { metricsVerify } = await t.graphql<{ metricsVerify: unknown }>(
    '{ metricsVerify { ok mismatches { subject } } }',
    {},
    { key: shop.key },
  );
  expect(metricsVerify).toEqual({ ok: true, mismatches: [] });
});

test('the number of active subscriptions stays correct during concurrent activations, cancellations, and rebuilds', async () => {
  const shop = await otherShop(t);
  const begin = () => createActiveSubscription(shop, { price: 900 });
  const leaving = await Promise.all(Array.from({ length: 5 }, begin));
  const recount = async () => rebuildMetrics(await systemContext(t.app, shop.environmentId));
  await Promise.all([
    ...Array.from({ length: 6 }, begin),
    ...leaving.map(({ id }) => shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true })),
    ...Array.from({ length: 6 }, recount),
  ]);
  const { sql } = await systemContext(t.app, shop.environmentId);
  expect(
    await sql('SELECT "activeSubscriptions" AS active FROM "EnvironmentCounter" WHERE "environmentId" = $1'),
  ).toEqual([{ active: 6n }]);
});

test("deleting the sandbox data waits for a concurrent metrics computation, and isn't retried", async () => {
  const shop = await otherShop(t);
  await leaseTo(shop, 'here');
  const present = () => systemContext(t.app, shop.environmentId);
  // Creates metrics, and an MRR entry that the metrics don't include yet.
  await createActiveSubscription(shop, { price: 1_500 });
  while (await foldNext(await present(), 'revenue', 'here'));
  await createActiveSubscription(shop, { price: 1_500 });
  const folding = counting();
  const deleted = Promise.withResolvers<void>();
  const folded = deleted.promise
    .then(() => systemContext(folding.app, shop.environmentId))
    .then((ctx) => foldNext(ctx, 'revenue', 'here'));
  const emptying = counting(async (text) => {
    if (!text.startsWith('DELETE FROM "MrrRollup"')) return;
    deleted.resolve();
    // Allows time for the computation to wait for the lock or enter the queue.
    await setTimeout(200);
  });
  await deleteData(await systemContext(emptying.app, shop.environmentId), { confirm: true });
  expect(await folded).toBe(false);
  expect([emptying.attempts(), folding.attempts()]).toEqual([1, 1]);
  const { sql } = await present();
  expect(await sql(`SELECT id FROM "MrrRollup" WHERE "environmentId" = $1`)).toEqual([]);
  const counted =
    'SELECT "activeSubscriptions" AS active FROM "EnvironmentCounter" WHERE "environmentId" = $1';
  expect(await sql(counted)).toEqual([{ active: 0n }]);
});
