import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../../../src/request/context.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  advanceDays,
  createActiveSubscription,
  createAdjustment,
  createDispute,
  createPastDueSubscription,
  latestTransaction,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Monthly series are read from monthly sums, and equal the sums of their days. `metricsVerify` finds differences.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ env: { FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50' } });
  shop = await otherShop(t);
  await createActiveSubscription(shop, { price: 1_900 });
  const refunded = await createActiveSubscription(shop, { price: 3_100 });
  await createPastDueSubscription(shop);
  await createDispute(shop);
  await shop.rest('POST', `/transactions/${await latestTransaction(shop, refunded.id)}/refund`, {
    amount: 700,
  });
  await shop.rest('PATCH', `/invoices/${(await createAdjustment(shop)).id}/status`, { status: 'void' });
  await advanceDays(shop, 45);
  await createActiveSubscription(shop, { price: 2_300 });
  await createPastDueSubscription(shop);
  await advanceDays(shop, 50);
}, 120_000);
afterAll(() => t.close());

type Point = Readonly<Record<string, unknown>> & { readonly start: string; readonly end: string };
type Series = {
  readonly currency: string;
  readonly group?: { readonly key: string } | null;
  readonly points: readonly Point[];
};

async function read(path: string): Promise<Series[]> {
  const { status, body } = await shop.rest<{ data: Series[] } | { points: Point[] }>('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return 'data' in body ? body.data : [{ currency: '', points: body.points }];
}

/** Adds up all numbers in the points. Nested lists are added by position. Ratios and days are excluded. */
function addUp(points: readonly object[]): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (value: unknown, path: string): void => {
    if (typeof value === 'number' && !/Bps$|attempt$/.test(path)) sums[path] = (sums[path] ?? 0) + value;
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) add(inner, `${path}.${name}`);
  };
  for (const point of points) add(point, '');
  return sums;
}

const now = async (): Promise<string> =>
  (await systemContext(t.app, shop.environmentId)).clock.now().toISOString().slice(0, 10);

test.each([
  '/metrics/cash?',
  '/metrics/billed?',
  '/metrics/billed?groupBy=plan&',
  '/metrics/billed?groupBy=invoice_type&',
  '/metrics/billed?groupBy=line_type&',
  '/metrics/billed?groupBy=country&',
  '/metrics/recovery?',
  '/metrics/trials?',
])(
  'the monthly points of %s equal the sum of their days, even if the range starts or ends within a month',
  async (path) => {
    const to = await now();
    const from = new Date(Date.parse(to) - 93 * 86_400_000).toISOString().slice(0, 10);
    const byDay = await read(`${path}from=${from}&to=${to}&interval=day`);
    expect(byDay.length).toBeGreaterThan(0);
    for (const interval of ['month', 'quarter', 'year']) {
      const longer = await read(`${path}from=${from}&to=${to}&interval=${interval}`);
      expect(longer.map(({ currency, group }) => [currency, group])).toEqual(
        byDay.map(({ currency, group }) => [currency, group]),
      );
      for (const [place, { points }] of longer.entries())
        for (const point of points) {
          const days =
            byDay[place]?.points.filter(({ start }) => start >= point.start && start <= point.end) ?? [];
          expect([interval, point.start, addUp([point])]).toEqual([interval, point.start, addUp(days)]);
        }
    }
  },
);

type Verified = {
  readonly ok: boolean;
  readonly mismatches: readonly object[];
  readonly sumMismatches: readonly { readonly subject: string }[];
};
const verify = async (): Promise<Verified> =>
  (
    await t.graphql<{ metricsVerify: Verified }>(
      '{ metricsVerify { ok mismatches { subject } sumMismatches { subject expected actual } } }',
      {},
      { key: shop.key },
    )
  ).metricsVerify;

test('metricsVerify compares each daily total with its source rows, and each monthly total with its daily totals', async () => {
  const { sql } = await systemContext(t.app, shop.environmentId);
  const folded = async () => {
    const [row] = await sql<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM "LedgerTransfer" l JOIN "SumCursor" k ON k."environmentId" = $1 AND k.source = 'ledger' WHERE l."environmentId" = $1 AND l.seq > k.seq)
         OR EXISTS (SELECT FROM "MrrEntry" e JOIN "SumCursor" k ON k."environmentId" = $1 AND k.source = 'revenue' WHERE e."environmentId" = $1 AND e.seq > k.seq) AS waits`,
    );
    return row?.waits === false;
  };
  await eventually(folded);
  expect(await verify()).toEqual({ ok: true, mismatches: [], sumMismatches: [] });
  for (const [table, column, where] of [
    ['LedgerDay', 'amountMinor', `fact = 'payment.settled'`],
    ['ReceivableDay', 'amountMinor', 'TRUE'],
    ['BilledDay', 'amountMinor', `scope = 'plan'`],
    ['RecoveryDay', 'amountMinor', 'TRUE'],
    ['MrrRollup', 'amount', `kind = 'new'`],
  ]) {
    for (const span of ['day', 'month']) {
      const add = (amount: number) =>
        sql(
          `UPDATE "${table}" SET ${span === 'day' ? `"${column}Days"[1] = "${column}Days"[1]` : `"${column}" = "${column}"`} + ${amount} WHERE "environmentId" = $1 AND id = (
             SELECT min(id) FROM "${table}" WHERE "environmentId" = $1 AND "${column}Days" <> '{}' AND ${where})`,
        );
      await add(1);
      const { ok, sumMismatches } = await verify();
      expect([table, span, ok, sumMismatches.length > 0]).toEqual([table, span, false, true]);
      await add(-1);
    }
  }
  // Rebuilds all metric sums from their sources.
  await t.graphql('mutation { metricsRebuild }', {}, { key: shop.key });
  await eventually(folded);
  expect(await verify()).toEqual({ ok: true, mismatches: [], sumMismatches: [] });
}, 120_000);
