import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revenueSource } from '../../../../src/modules/metrics/metrics/worker/store.ts';
import { rebuildMetrics } from '../../../../src/modules/metrics/sums/delete-sums.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { deleteSums } from '../../../../src/modules/metrics/sums/worker/store.ts';
import { type Context, systemContext } from '../../../../src/request/context.ts';
import { inTransaction } from '../../../../src/request/transaction.ts';
import {
  advanceDays,
  createActiveSubscription,
  createClimber,
  createPastDueSubscription,
  type MadeSubscription,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Monthly recurring revenue over REST and GraphQL, from the first MRR entry to the sums.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Point = Record<string, unknown> & {
  start: string;
  end: string;
  opening: number;
  closing: number;
  payingCustomers: number;
};
type Series = { currency: string; isComplete: boolean; group: { key: string } | null; points: Point[] };

const read = async (shop: Shop, query: string): Promise<Series[]> => {
  const { status, body } = await shop.rest<{ data: Series[] }>('GET', `/metrics/mrr?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.data;
};
const contextOf = (shop: Shop): Promise<Context> => systemContext(t.app, shop.environmentId);
const todayOf = async (shop: Shop): Promise<string> =>
  (await contextOf(shop)).clock.now().toISOString().slice(0, 10);

/** Aggregates all pending MRR entries. */
async function foldAll(shop: Shop): Promise<void> {
  while (await foldNext(await contextOf(shop), 'revenue', null));
}

const tables = ['MrrRollup', 'MrrCustomer', 'MrrCustomerDay', 'MrrMonth', 'MrrRetention', 'MrrCohort'];

/** Returns all rows derived from MRR entries. */
async function sumsOf(shop: Shop): Promise<unknown> {
  const { sql } = await contextOf(shop);
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    const rows = await sql<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE t."environmentId" = $1 ORDER BY to_jsonb(t)::text`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

const verified = async (shop: Shop): Promise<void> => {
  const { metricsVerify } = await t.graphql<{ metricsVerify: unknown }>(
    '{ metricsVerify { ok mismatches { subject expected actual } } }',
    {},
    { key: shop.key },
  );
  expect(metricsVerify).toEqual({ ok: true, mismatches: [] });
};

test("metricsMrr includes the latest changes, even before they're aggregated (MET-72a)", async () => {
  const shop = await otherShop(t);
  const today = await todayOf(shop);
  expect(await read(shop, `from=${today}&to=${today}`)).toEqual([]);
  await createActiveSubscription(shop, { price: 4_200 });
  const pending = await read(shop, `from=${today}&to=${today}`);
  expect(pending).toHaveLength(1);
  expect(pending[0]).toMatchObject({ currency: 'usd', isComplete: true, isConverted: false, group: null });
  expect(pending[0]?.points).toMatchObject([
    {
      start: today,
      end: today,
      isClosed: false,
      opening: 0,
      closing: 420_000,
      movements: [{ kind: 'new', reason: 'activated', amount: 420_000, customers: 1 }],
      fxImpact: 0,
      atRisk: 0,
      components: { base: 420_000, discount: 0, seats: 0, quota: 0, addons: 0 },
      payingCustomers: 1,
      arr: 5_040_000,
      arpa: 420_000,
      ltv: null,
      customerChurnBps: null,
    },
  ]);
  await foldAll(shop);
  expect(await read(shop, `from=${today}&to=${today}`)).toEqual(pending);
  const { metricsMrr } = await t.graphql<{ metricsMrr: Series[] }>(
    'query ($day: Date!) { metricsMrr(from: $day, to: $day) { currency points { closing payingCustomers } } }',
    { day: today },
    { key: shop.key },
  );
  expect(metricsMrr).toEqual([{ currency: 'usd', points: [{ closing: 420_000, payingCustomers: 1 }] }]);
  await verified(shop);
});

test('metricsMrr omits a group that existed only within a day, before and after aggregation', async () => {
  const shop = await otherShop(t);
  const today = await todayOf(shop);
  const climber = await createClimber(shop);
  await foldAll(shop);
  await shop.rest('POST', `/subscriptions/${climber.id}/change-plan`, { newPlanId: climber.highId });
  const groups = async () =>
    (await read(shop, `from=${today}&to=${today}&groupBy=plan`)).map(({ group }) => group?.key);
  expect(await groups()).toEqual([climber.highId]);
  await foldAll(shop);
  expect(await groups()).toEqual([climber.highId]);
  const { sql } = await contextOf(shop);
  const rows = await sql<{ groupKey: string }>(
    `SELECT DISTINCT split_part("groupKey", '|', 1) AS "groupKey" FROM "MrrRollup" WHERE "environmentId" = $1 AND scope = 'group'`,
  );
  expect(rows).toEqual([{ groupKey: climber.highId }]);
});

test('metricsMrr returns a converted series grouped by the payment currency', async () => {
  const shop = await otherShop(t);
  const today = await todayOf(shop);
  await createActiveSubscription(shop, { price: 4_200 });
  const { sql } = await contextOf(shop);
  // Another customer pays the same amount in euros.
  await sql(
    `INSERT INTO "MrrEntry" ("environmentId", id, seq, "customerId", "subscriptionId", reason, before, after, "occurredAt")
     SELECT $1, 'mrr_eur', seq + 1, 'cus_eur', 'sub_eur', reason, before, after || '{"currency": "eur"}', "occurredAt" FROM "MrrEntry" WHERE "environmentId" = $1`,
  );
  // 0.5 EUR per 1 USD: 42.00 EUR is 84.00 USD.
  await shop.rest('PUT', '/fx-rates', { currency: 'eur', day: today, unitsPerUsd: 50_000_000 });
  const range = `from=${today}&to=${today}&groupBy=currency`;
  const shown = async (query: string) =>
    (await read(shop, query)).map(({ currency, group, points }) => [
      currency,
      group,
      points[0]?.closing,
      points[0]?.['new'],
    ]);
  for (const fold of [async () => undefined, () => foldAll(shop)]) {
    await fold();
    expect(await shown(range)).toEqual([
      ['eur', { key: 'eur', name: 'EUR' }, 420_000, 420_000],
      ['usd', { key: 'usd', name: 'USD' }, 420_000, 420_000],
    ]);
    expect(await shown(`${range}&currency=usd`)).toEqual([
      ['usd', { key: 'eur', name: 'EUR' }, 840_000, 840_000],
      ['usd', { key: 'usd', name: 'USD' }, 420_000, 420_000],
    ]);
  }
});

test('metricsMrr omits a group without revenue in the range', async () => {
  const shop = await otherShop(t);
  const left = await createActiveSubscription(shop, { price: 2_000 });
  const stays = await createActiveSubscription(shop, { price: 1_000 });
  await shop.rest('POST', `/subscriptions/${left.id}/cancel`, { immediate: true });
  await advanceDays(shop, 2);
  const today = await todayOf(shop);
  const series = await read(shop, `from=${today}&to=${today}&groupBy=plan`);
  expect(series.map(({ group }) => group?.key)).toEqual([stays.planId]);
});

test('metricsHeadline returns the current values over REST and GraphQL', async () => {
  const shop = await otherShop(t);
  const fields = 'currency mrr revenue growthBps churnBps activeSubscriptions isComplete';
  const ask = async () =>
    (
      await t.graphql<{ metricsHeadline: unknown }>(
        `{ metricsHeadline { ${fields} } }`,
        {},
        { key: shop.key },
      )
    ).metricsHeadline;
  const nothing = { currency: 'usd', mrr: 0, revenue: 0, growthBps: null, churnBps: null };
  expect(await ask()).toEqual({ ...nothing, activeSubscriptions: 0, isComplete: true });
  await createActiveSubscription(shop, { price: 4_200 });
  await createActiveSubscription(shop, { price: 1_000 });
  const leaving = await createActiveSubscription(shop, { price: 2_000 });
  await shop.rest('POST', `/subscriptions/${leaving.id}/cancel`, { immediate: true });
  // MRR is 42.00 + 10.00, 72.00 were collected, and 1 of 3 customers churned.
  const headline = {
    currency: 'usd',
    mrr: 520_000,
    revenue: 7_200,
    growthBps: null,
    churnBps: 3_333,
    activeSubscriptions: 2,
    isComplete: true,
  };
  expect(await ask()).toEqual(headline);
  const { body } = await shop.rest('GET', '/metrics/headline');
  expect(body).toEqual({ ...headline, missingRates: [] });
  // A month later, only growth and churn have changed.
  await advanceDays(shop, 31);
  expect(await ask()).toMatchObject({ mrr: 520_000, growthBps: 0, churnBps: 0, activeSubscriptions: 2 });
});

test('metricsVerify finds an incorrect count of active subscriptions, and metricsRebuild corrects it', async () => {
  const shop = await otherShop(t);
  const { id } = await createActiveSubscription(shop, { price: 4_200 });
  await createActiveSubscription(shop, { price: 1_000 });
  const { sql } = await contextOf(shop);
  const check = async () =>
    (
      await t.graphql<{ metricsVerify: unknown }>(
        '{ metricsVerify { ok sumMismatches { subject expected actual } } }',
        {},
        { key: shop.key },
      )
    ).metricsVerify;
  await sql('UPDATE "EnvironmentCounter" SET "activeSubscriptions" = 7 WHERE "environmentId" = $1');
  const mismatch = { subject: 'active subscriptions', expected: 2, actual: 7 };
  expect(await check()).toEqual({ ok: false, sumMismatches: [mismatch] });
  await rebuildMetrics(await contextOf(shop));
  await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  expect(await check()).toEqual({ ok: true, sumMismatches: [] });
  expect((await shop.rest('GET', '/metrics/headline')).body).toMatchObject({ activeSubscriptions: 1 });
});

test('MRR metrics reject a key without the `finance` scope', async () => {
  const shop = await otherShop(t);
  const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
    'mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { apiKey } }',
    { input: { name: 'Reader', scopes: ['read'] } },
    { key: shop.key },
  );
  for (const query of [
    '{ metricsVerify { ok } }',
    '{ metricsMrr(from: "2027-01-01", to: "2027-01-02") { currency } }',
  ]) {
    await expect(t.graphql(query, {}, { key: apiKeyCreate.apiKey })).rejects.toThrow(/scope|finance/);
  }
});

describe("a shop's MRR over several months", () => {
  let shop: Shop;
  let climber: MadeSubscription & { readonly lowId: string; readonly highId: string };
  let began: string;
  beforeAll(async () => {
    shop = await otherShop(t);
    began = await todayOf(shop);
    climber = await createClimber(shop);
    await createActiveSubscription(shop, { price: 1_000 });
    const leaving = await createActiveSubscription(shop, { price: 2_000 });
    await advanceDays(shop, 40);
    await shop.rest('POST', `/subscriptions/${climber.id}/change-plan`, { newPlanId: climber.highId });
    await shop.rest('POST', `/subscriptions/${leaving.id}/cancel`, { immediate: true });
    await createPastDueSubscription(shop);
    await advanceDays(shop, 40);
    await foldAll(shop);
  });

  test("matches the shop's subscriptions (MET-74a)", () => verified(shop));

  test('has the same total closing MRR for every grouping, without exchange rate effects (MET-13)', async () => {
    const today = await todayOf(shop);
    const whole = await read(shop, `from=${began}&to=${today}&interval=week`);
    for (const by of ['', '&groupBy=plan', '&groupBy=interval', '&groupBy=country', '&groupBy=provider']) {
      const series = await read(shop, `from=${began}&to=${today}&interval=week${by}`);
      series.forEach(({ points }) => {
        points.forEach(({ opening, closing, fxImpact }) => {
          expect([by, opening, fxImpact]).toEqual([by, expect.any(Number), 0]);
          expect(closing).toBeGreaterThanOrEqual(0);
        });
      });
      const closing = series.reduce((sum, { points }) => sum + (points.at(-1)?.closing ?? 0), 0);
      expect([by, closing]).toEqual([by, whole[0]?.points.at(-1)?.closing]);
    }
  });

  test('has monthly points that match the daily points in every group', async () => {
    const today = await todayOf(shop);
    type Sum = { kind: string; reason: string; amount: number; customers: number };
    const added = (points: readonly Point[]): Record<string, number[]> => {
      const sums: Record<string, number[]> = {};
      for (const { kind, reason, amount, customers } of points.flatMap(
        ({ movements }) => movements as Sum[],
      )) {
        const [before = 0, people = 0] = sums[`${kind} ${reason}`] ?? [];
        sums[`${kind} ${reason}`] = [before + amount, people + customers];
      }
      return sums;
    };
    const plan = `planIds=${climber.highId}`;
    for (const by of ['', '&groupBy=plan', '&groupBy=country', `&${plan}`, `&groupBy=interval&${plan}`]) {
      const days = await read(shop, `from=${began}&to=${today}${by}`);
      const months = await read(shop, `from=${began}&to=${today}&interval=month${by}`);
      expect(months.length).toBe(days.length);
      for (const [place, { points }] of months.entries()) {
        for (const point of points) {
          const own = (days[place]?.points ?? []).filter(
            ({ start }) => start >= point.start && start <= point.end,
          );
          expect([by, point.opening, point.closing, added([point])]).toEqual([
            by,
            own[0]?.opening,
            own.at(-1)?.closing,
            added(own),
          ]);
        }
      }
    }
  });

  test('includes transfers between plans that add up to 0 (MET-14)', async () => {
    const today = await todayOf(shop);
    const series = await read(shop, `from=${began}&to=${today}&interval=year&groupBy=plan`);
    const moved = series.flatMap(({ points }) =>
      points.flatMap(({ movements }) => movements as { kind: string; amount: number }[]),
    );
    const transfers = moved.filter(({ kind }) => kind.startsWith('transfer'));
    expect(transfers.length).toBeGreaterThanOrEqual(2);
    expect(transfers.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  });

  test('can be filtered by plan and country', async () => {
    const today = await todayOf(shop);
    const [only] = await read(shop, `from=${today}&to=${today}&planIds=${climber.highId}`);
    const [none] = await read(shop, `from=${today}&to=${today}&countries=IS`);
    const grouped = await read(shop, `from=${today}&to=${today}&groupBy=plan`);
    const own = grouped.find(({ group }) => group?.key === climber.highId);
    expect(only?.points[0]?.closing).toBe(own?.points[0]?.closing);
    expect(none).toBeUndefined();
  });

  test('is the same after all totals are rebuilt (MET-74a)', async () => {
    const before = await sumsOf(shop);
    await inTransaction(await contextOf(shop), async (tx) => {
      await deleteSums(tx.sql, revenueSource);
    });
    await foldAll(shop);
    expect(await sumsOf(shop)).toEqual(before);
    await verified(shop);
  });

  test('is stored per customer for past months (MET-73)', async () => {
    const { sql } = await contextOf(shop);
    const months = await sql<{ month: string; customers: number }>(
      `SELECT month, count(*)::int AS customers FROM "MrrMonth" WHERE "environmentId" = $1 GROUP BY month ORDER BY month`,
    );
    expect(months[0]).toEqual({ month: began.slice(0, 7), customers: 3 });
    expect(months.length).toBeGreaterThanOrEqual(2);
  });
});
