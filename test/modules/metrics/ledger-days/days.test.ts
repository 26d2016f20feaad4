import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readMonthMismatches } from '../../../../src/modules/metrics/day-sums/store.ts';
import { ledgerSource } from '../../../../src/modules/metrics/ledger-days/store.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { deleteSums, lockCursor } from '../../../../src/modules/metrics/sums/worker/store.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { inTransaction } from '../../../../src/request/transaction.ts';
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

// Daily sums equal the ledger transfers, regardless of the batch size (MET-50).

type Mismatch = { readonly account: string; readonly expected: number; readonly actual: number };

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ env: { FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50' } });
});
beforeEach(async () => {
  shop = await otherShop(t);
});
afterAll(() => t.close());

const tables = ['LedgerDay', 'ReceivableDay', 'BilledDay', 'SettledDay'] as const;
const rows = (text: string) => t.app.database.query<Record<string, unknown>>(text, [shop.environmentId]);
const mismatches = async (): Promise<readonly Mismatch[]> =>
  (
    await t.graphql<{ ledgerVerify: { mismatches: Mismatch[] } }>(
      '{ ledgerVerify { mismatches { account expected actual } } }',
      {},
      { key: shop.key },
    )
  ).ledgerVerify.mismatches;

const sums = async () =>
  Promise.all(tables.map((table) => rows(`SELECT * FROM "${table}" WHERE "environmentId" = $1 ORDER BY id`)));

/** Waits until the worker has added all transfers to the daily sums. */
const folded = () =>
  eventually(
    () =>
      rows(`SELECT count(*)::int AS left FROM "LedgerTransfer" t JOIN "SumCursor" k ON k."environmentId" = t."environmentId" AND k.source = 'ledger'
        WHERE t."environmentId" = $1 AND t.seq > k.seq`),
    ([row]) => row?.['left'] === 0,
  );

/** Assigns the worker's lease to `owner`, which blocks the worker. */
const lease = (owner: string) =>
  rows(
    `UPDATE "SumCursor" SET "leaseOwner" = '${owner}', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );

/** Simulates a month with charges, a refund, a dispute, an invoice in dunning, a voided invoice, and an invoice paid outside Quittance. */
async function trade(): Promise<void> {
  const { id } = await createActiveSubscription(shop);
  await createPastDueSubscription(shop);
  await createDispute(shop);
  await shop.rest('POST', `/transactions/${await latestTransaction(shop, id)}/refund`);
  for (const status of ['void', 'paid'])
    await shop.rest('PATCH', `/invoices/${(await createAdjustment(shop)).id}/status`, { status });
  await createAdjustment(shop);
  await advanceDays(shop, 9);
}

describe('a daily ledger total', () => {
  test("is the same whether transfers are aggregated in batches or one by one, and includes transfers that aren't aggregated yet", async () => {
    await trade();
    await folded();
    expect(await mismatches()).toEqual([]);
    const whole = await sums();
    expect(whole.map(({ length }) => length > 0)).toEqual([true, true, true, false]);
    await lease('test');
    const ctx = await systemContext(t.app, shop.environmentId);
    await inTransaction(ctx, async (tx) => {
      expect((await lockCursor(tx.sql, 'ledger', 'test'))?.seq).toBeGreaterThan(0n);
      await deleteSums(tx.sql, ledgerSource);
    });
    // If no sums exist, the same amounts are calculated from the transfers.
    expect((await sums()).flat()).toEqual([]);
    expect(await mismatches()).toEqual([]);
    let batches = 0;
    while (await foldNext(ctx, 'ledger', 'test', 1)) batches++;
    expect(batches).toBeGreaterThan(20);
    expect(await sums()).toEqual(whole);
    expect(await foldNext(ctx, 'ledger', 'someone else', 1)).toBe(false);
    await lease('');
  });

  test('is verified against the ledger transfers, separately for each metric', async () => {
    await createAdjustment(shop);
    await folded();
    const day = new Date().toISOString().slice(0, 10);
    const { sql } = await systemContext(t.app, shop.environmentId);
    for (const [table, figure, where] of [
      ['LedgerDay', 'invoice.issued', ''],
      ['ReceivableDay', 'receivable', ''],
      ...(['currency', 'plan', 'invoice_type', 'line_type', 'country'] as const).map(
        (scope) => ['BilledDay', `billed by ${scope}`, `AND scope = '${scope}'`] as const,
      ),
    ] as const) {
      const add = (amount: number, of: 'day' | 'month') =>
        rows(
          `UPDATE "${table}" SET ${of === 'day' ? `"amountMinorDays"[1] = "amountMinorDays"[1]` : `"amountMinor" = "amountMinor"`} + ${amount} WHERE "environmentId" = $1 ${where}`,
        );
      await add(1, 'day');
      expect(await mismatches()).toEqual([
        { account: `${day} usd ${figure}`, expected: 1_250, actual: 1_251 },
      ]);
      expect(await readMonthMismatches(sql, ledgerSource)).toMatchObject([
        { expected: 1_251n, actual: 1_250n },
      ]);
      await add(1, 'month');
      expect(await readMonthMismatches(sql, ledgerSource)).toEqual([]);
      await add(-1, 'day');
      await add(-1, 'month');
    }
    expect(await mismatches()).toEqual([]);
  });
});
