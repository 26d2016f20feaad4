import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rebuildMetrics } from '../../../../src/modules/metrics/sums/delete-sums.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { sumLeases } from '../../../../src/modules/metrics/sums/worker/store.ts';
import { sumLoop } from '../../../../src/modules/metrics/sums/worker/worker.ts';
import { type App, type Context, systemContext } from '../../../../src/request/context.ts';
import { breakingAt } from '../../../support/breaking.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  advanceDays,
  cards,
  createActiveSubscription,
  createClimber,
  createSubscription,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// MRR entry aggregation with killed workers, concurrent workers, and clock runs of any length.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const contextOf = (shop: Shop, app: App = t.app): Promise<Context> => systemContext(app, shop.environmentId);

const tables = ['MrrRollup', 'MrrCustomer', 'MrrCustomerDay', 'MrrMonth', 'MrrRetention', 'MrrCohort'];

/** Returns all rows derived from MRR entries. */
async function sumsOf(shop: Shop): Promise<Record<string, unknown[]>> {
  const { sql } = await contextOf(shop);
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    const rows = await sql<{ row: unknown }>(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE t."environmentId" = $1 ORDER BY to_jsonb(t)::text`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

const leaseTo = async (shop: Shop, owner: string | null): Promise<unknown> =>
  (await contextOf(shop)).sql(
    `UPDATE "SumCursor" SET "leaseOwner" = $2::text, "leaseUntil" = CASE WHEN $2::text IS NULL THEN NULL ELSE '2999-01-01Z'::timestamptz END
     WHERE "environmentId" = $1`,
    [owner],
  );

async function foldAll(shop: Shop, owner: string): Promise<void> {
  while (await foldNext(await contextOf(shop), 'revenue', owner));
}

/** Creates customers who subscribe, upgrade, become past due and cancel over three months. */
async function history(shop: Shop): Promise<void> {
  const climber = await createClimber(shop);
  const leaving = await createActiveSubscription(shop, { price: 2_000 });
  const declined = await createSubscription(shop, { price: 3_000 });
  await pay(shop, declined.token, cards.declinesLater);
  await shop.rest('POST', `/subscriptions/${climber.id}/change-plan`, { newPlanId: climber.highId });
  await shop.rest('POST', `/subscriptions/${leaving.id}/cancel`, {});
}

describe('a metrics worker that is killed', () => {
  test('leaves totals that match a rebuild, regardless of the statement at which it was killed (MET-74a)', async () => {
    const shop = await otherShop(t);
    await history(shop);
    await advanceDays(shop, 65);
    await leaseTo(shop, 'here');
    await foldAll(shop, 'here');
    const whole = await sumsOf(shop);
    expect(Object.entries(whole).filter(([, rows]) => rows.length === 0)).toEqual([]);
    let message = '';
    for (let number = 1; message !== 'killed before the commit'; number++) {
      expect(number).toBeLessThan(100);
      await rebuildMetrics(await contextOf(shop));
      const failure: unknown = await foldNext(
        await contextOf(shop, breakingAt(t.app, number)),
        'revenue',
        'here',
      ).catch((error: unknown) => error);
      message = failure instanceof Error ? failure.message : 'it went on';
      expect([number, message]).toEqual([number, expect.stringMatching(/^killed/)]);
      expect((await sumsOf(shop))['MrrRollup']).toEqual([]);
      await foldAll(shop, 'here');
      expect([number, await sumsOf(shop)]).toEqual([number, whole]);
    }
  }, 120_000);
});

describe('two metrics workers', () => {
  test('share one lease, and the worker without the lease writes nothing (MET-71a)', async () => {
    const shop = await otherShop(t);
    await leaseTo(shop, 'test');
    await history(shop);
    const [key, { query }] = [
      { environmentId: shop.environmentId, source: 'revenue' } as const,
      t.app.database,
    ];
    const until = new Date('2999-01-01T00:00:00Z');
    await leaseTo(shop, null);
    const leased = await Promise.all(
      ['one', 'two'].map((owner) => sumLeases.lease(query, key, owner, t.app.wall.now(), until)),
    );
    expect(leased.filter(Boolean).length).toBeLessThanOrEqual(1);
    await leaseTo(shop, 'one');
    const [first, second] = await Promise.all([
      foldNext(await contextOf(shop), 'revenue', 'one'),
      foldNext(await contextOf(shop), 'revenue', 'two'),
    ]);
    expect([first, second]).toEqual([false, false]);
    const whole = await sumsOf(shop);
    await rebuildMetrics(await contextOf(shop));
    await leaseTo(shop, 'two');
    await foldAll(shop, 'one');
    expect((await sumsOf(shop))['MrrRollup']).toEqual([]);
    await foldAll(shop, 'two');
    expect(await sumsOf(shop)).toEqual(whole);
  });

  test('count each entry once while customers subscribe', async () => {
    const shop = await otherShop(t);
    const workers = [sumLoop.start(t.app), sumLoop.start(t.app)];
    for (let round = 0; round < 4; round++) await createActiveSubscription(shop, { price: 1_000 });
    const { sql } = await contextOf(shop);
    await eventually(
      () =>
        sql<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM "MrrEntry" e WHERE e."environmentId" = $1
             AND e.seq > (SELECT k.seq FROM "SumCursor" k WHERE k."environmentId" = $1 AND k.source = 'revenue')`,
        ),
      ([row]) => row?.waiting === 0,
    );
    await Promise.all(workers.map((worker) => worker.stop()));
    const [level] = await sql<{ amount: string; paying: string }>(
      `SELECT sum(amount)::text AS amount, sum(paying)::text AS paying FROM "MrrRollup" WHERE "environmentId" = $1 AND scope = 'currency' AND kind = 'level'`,
    );
    expect(level).toEqual({ amount: '400000', paying: '4' });
  });
});

test('a long clock run creates the same entries, days, and cohorts as many short runs', async () => {
  type Entry = { customer: number; day: string; reason: string; before: unknown; after: unknown };
  /** Makes two shops comparable by identifying customers by position and plans by name. */
  const read = async (shop: Shop) => {
    const { sql } = await contextOf(shop);
    const who = `(SELECT count(*)::int FROM "Customer" o WHERE o."environmentId" = $1 AND o.seq < c.seq) AS customer`;
    const of = (state: string) => `e.${state} - 'planId' AS ${state}`;
    const entries = await sql<Entry>(
      `SELECT ${who}, to_char(e."occurredAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, e.reason, ${of('before')}, ${of('after')}
       FROM "MrrEntry" e JOIN "Customer" c ON c."environmentId" = $1 AND c.id = e."customerId" WHERE e."environmentId" = $1 ORDER BY 1, e.seq`,
    );
    const days = await sql(
      `SELECT ${who}, e.day, e.currency, e.kind, e.reason, e.before::text, e.after::text
       FROM "MrrCustomerDay" e JOIN "Customer" c ON c."environmentId" = $1 AND c.id = e."customerId" WHERE e."environmentId" = $1 ORDER BY 1, 2, 3`,
    );
    const { MrrCohort: cohorts, MrrRetention: retention } = await sumsOf(shop);
    const shown = (rows: unknown) =>
      JSON.parse(JSON.stringify(rows).replaceAll(shop.environmentId, '')) as unknown;
    return { entries, days, cohorts: shown(cohorts), retention: shown(retention) };
  };
  const shops = [await otherShop(t), await otherShop(t)] as const;
  for (const shop of shops) await history(shop);
  const [long, short] = shops;
  await advanceDays(long, 96);
  for (let run = 0; run < 12; run++) await advanceDays(short, 8);
  for (const shop of shops) {
    await leaseTo(shop, 'test');
    await foldAll(shop, 'test');
  }
  const [once, often] = [await read(long), await read(short)];
  expect(often).toEqual(once);
  expect(new Set(once.entries.map(({ reason }) => reason)).size).toBeGreaterThan(4);
  expect((once.cohorts as unknown[]).length).toBeGreaterThan(2);
}, 120_000);
