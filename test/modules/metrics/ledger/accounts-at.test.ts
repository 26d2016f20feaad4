import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerSource } from '../../../../src/modules/metrics/ledger-days/store.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { deleteSums, lockCursor } from '../../../../src/modules/metrics/sums/worker/store.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { inTransaction } from '../../../../src/request/transaction.ts';
import {
  advanceDays,
  clockSettled,
  createActiveSubscription,
  createAdjustment,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Account balances at a point in time equal the sum of all earlier transfers, regardless of how far the daily sums have progressed.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Account = { name: string; currency: string; debit: number; credit: number; balance: number };
type Transfer = {
  seq: number;
  debitAccount: string;
  creditAccount: string;
  currency: string;
  amount: number;
  occurredAt: string;
};

const accountsAt = async ({ key }: Shop, at: string | null): Promise<Account[]> =>
  (
    await t.graphql<{ ledgerAccounts: Account[] }>(
      'query ($at: DateTime) { ledgerAccounts(at: $at) { name currency debit credit balance } }',
      { at },
      { key },
    )
  ).ledgerAccounts;

/** Sums transfers by currency and account. */
function accountsOf(transfers: readonly Transfer[]): Account[] {
  const sums = new Map<string, Account>();
  const add = (name: string, { currency }: Transfer, debit: number, credit: number) => {
    const sum = sums.get(`${currency} ${name}`) ?? { name, currency, debit: 0, credit: 0, balance: 0 };
    sums.set(`${currency} ${name}`, {
      ...sum,
      debit: sum.debit + debit,
      credit: sum.credit + credit,
      balance: sum.balance + debit - credit,
    });
  };
  for (const transfer of transfers) {
    add(transfer.debitAccount, transfer, transfer.amount, 0);
    add(transfer.creditAccount, transfer, 0, transfer.amount);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

test('account balances at a point in time include all earlier transfers', async () => {
  const shop = await otherShop(t);
  await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-30T22:00:00Z' });
  await clockSettled(shop);
  const { customerId } = await createActiveSubscription(shop);
  await advanceDays(shop, 3);
  await createAdjustment(shop, { customerId });
  await createActiveSubscription(shop);
  await advanceDays(shop, 30);
  const { ledgerTransfers } = await t.graphql<{ ledgerTransfers: { nodes: Transfer[] } }>(
    '{ ledgerTransfers(first: 100) { nodes { seq debitAccount creditAccount currency amount occurredAt } } }',
    {},
    { key: shop.key },
  );
  const transfers = ledgerTransfers.nodes;
  const times = [...new Set(transfers.map(({ occurredAt }) => occurredAt))];
  expect(times.length).toBeGreaterThan(3);
  const inOrder = transfers.toSorted((a, b) => a.seq - b.seq);
  expect(new Set(inOrder.map(({ seq }) => seq)).size).toBe(transfers.length);
  const before = (at: string) => new Date(Date.parse(at) - 1).toISOString();
  const instants = [...times, ...times.map(before), '2027-02-15T12:00:00.000Z', '2020-01-01T00:00:00.000Z'];
  const compare = async () => {
    for (const at of instants)
      expect(await accountsAt(shop, at), at).toEqual(
        accountsOf(transfers.filter(({ occurredAt }) => occurredAt <= at)),
      );
    expect(await accountsAt(shop, null)).toEqual(accountsOf(transfers));
  };
  const ctx = await systemContext(t.app, shop.environmentId);
  // The worker is blocked. The daily sums first contain none of the transfers, then some, then all.
  await ctx.sql(
    `UPDATE "SumCursor" SET "leaseOwner" = 'test', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );
  await inTransaction(ctx, async (tx) => {
    await lockCursor(tx.sql, 'ledger', 'test');
    await deleteSums(tx.sql, ledgerSource);
  });
  await compare();
  for (const limit of [2, 1_000]) {
    expect(await foldNext(ctx, 'ledger', 'test', limit)).toBe(limit === 2);
    await compare();
  }
  expect(await accountsAt(await otherShop(t), null)).toEqual([]);
});
