import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  createActiveSubscription,
  createAdjustment,
  createCredit,
  createCustomer,
  createDispute,
  createPricedPlan,
  latestTransaction,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { createPayout } from '../../../support/payouts.ts';

// Each change in value is a transfer between two accounts, and `ledgerVerify` compares the sums with the
// documents.

type Report = {
  readonly ok: boolean;
  readonly mismatches: readonly {
    readonly account: string;
    readonly expected: number;
    readonly actual: number;
  }[];
};

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  // The platform fee is 5% plus 0.50 per charge.
  t = await startApp({ env: { FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50' } });
});
beforeEach(async () => {
  shop = await otherShop(t);
});
afterAll(() => t.close());

const sound: Report = { ok: true, mismatches: [] };
const verify = async (key = shop.key): Promise<Report> =>
  (
    await t.graphql<{ ledgerVerify: Report }>(
      '{ ledgerVerify { ok mismatches { account expected actual } } }',
      {},
      { key },
    )
  ).ledgerVerify;
const tamper = (text: string, ...values: readonly unknown[]) =>
  t.app.database.query(text, [shop.environmentId, ...values]);
const setStatus = (invoiceId: string, status: string) =>
  shop.rest('PATCH', `/invoices/${invoiceId}/status`, { status });

/** Blocks the worker that updates sums, because the check would also report differences between changed transfers and their daily sums. */
const blockSums = () =>
  tamper(
    `UPDATE "SumCursor" SET "leaseOwner" = 'test', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );

/** Returns the transfers in order, formatted as `fact: debit < credit amount`. */
const transfers = async (): Promise<string[]> =>
  (
    await t.app.database.query<{ text: string }>(
      `SELECT fact || ': ' || "debitAccount" || ' < ' || "creditAccount" || ' ' || "amountMinor" AS text
       FROM "LedgerTransfer" WHERE "environmentId" = $1 ORDER BY seq`,
      [shop.environmentId],
    )
  ).map(({ text }) => text);

/** Returns debits minus credits for every account with a nonzero balance. */
const balances = async (): Promise<Record<string, number>> => {
  const rows = await t.app.database.query<{ account: string; balance: number }>(
    `SELECT account, SUM(amount)::int AS balance FROM (
       SELECT "debitAccount" AS account, "amountMinor" AS amount FROM "LedgerTransfer" WHERE "environmentId" = $1
       UNION ALL SELECT "creditAccount", -"amountMinor" FROM "LedgerTransfer" WHERE "environmentId" = $1) moved
     GROUP BY account HAVING SUM(amount) <> 0`,
    [shop.environmentId],
  );
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
};
const sum = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((total, amount) => total + amount, 0);

describe('the ledger', () => {
  test('contains each amount from a purchase with credit and tax, and from its refund, exactly once', async () => {
    await t.graphql(
      'mutation { taxRegistrationCreate(input: { country: "DE", rateBps: 1900 }) { id } }',
      {},
      { key: shop.key },
    );
    const customer = await createCustomer(shop, 'DE');
    await createCredit(shop, customer.id);
    const plan = await createPricedPlan(shop, { price: 10_000 });
    const { id, token } = await subscribeTo(shop, customer.id, plan.id);
    expect(await pay(shop, token)).toBe('paid');
    // 100.00 minus a 5.00 credit is 95.00, and 113.05 with 19% tax. The fee is 5.65 + 0.50, so 113.05 − 18.05 − 6.15 = 88.85 is captured.
    const purchase = [
      'credit.granted: offers_given < customer_credit 500',
      'credit.reserved: customer_credit < reserved_credit 500',
      'credit.released: reserved_credit < customer_credit 500',
      'invoice.issued: receivable < revenue 10000',
      'invoice.credit_applied: customer_credit < receivable 500',
      'invoice.taxed: receivable < tax_payable 1805',
      'payment.settled: processor_clearing < receivable 11305',
      'payment.fee_kept: fees < processor_clearing 615',
      'funds.captured: merchant_pending < merchant_settlement 8885',
    ];
    expect(await transfers()).toEqual(purchase);
    expect(await verify()).toEqual(sound);
    const refund = `/transactions/${await latestTransaction(shop, id)}/refund`;
    expect((await shop.rest('POST', refund)).body).toMatchObject({ amount: 11_305, status: 'succeeded' });
    expect(await transfers()).toEqual([
      ...purchase,
      'payment.refunded: revenue < processor_clearing 9500',
      'payment.tax_refunded: tax_payable < processor_clearing 1805',
      'funds.refunded: merchant_settlement < merchant_available 9500',
    ]);
    const left = {
      offers_given: 500,
      revenue: -500,
      processor_clearing: -615,
      fees: 615,
      merchant_pending: 8_885,
      merchant_settlement: 615,
      merchant_available: -9_500,
    };
    expect([await balances(), sum(left)]).toEqual([left, 0]);
    expect(await verify()).toEqual(sound);
  });

  test('records voided invoices, invoices paid outside Quittance, outstanding invoices, and revoked credits', async () => {
    const { id: customerId } = await createCustomer(shop);
    const credit = await createCredit(shop, customerId, { amount: 300 });
    await shop.rest('POST', `/customers/${customerId}/credits/${credit.id}/revoke`, {});
    for (const status of ['void', 'paid'])
      expect((await setStatus((await createAdjustment(shop, { customerId })).id, status)).status).toBe(200);
    await createAdjustment(shop, { customerId });
    expect(await transfers()).toEqual([
      'credit.granted: offers_given < customer_credit 300',
      'credit.revoked: customer_credit < offers_given 300',
      'invoice.issued: receivable < revenue 1250',
      'invoice.voided: revenue < receivable 1250',
      'invoice.issued: receivable < revenue 1250',
      'invoice.settled_outside: settled_outside < receivable 1250',
      'invoice.issued: receivable < revenue 1250',
    ]);
    const left = { revenue: -2_500, settled_outside: 1_250, receivable: 1_250 };
    expect([await balances(), sum(left)]).toEqual([left, 0]);
    expect(await verify()).toEqual(sound);
  });

  test.each([
    ['won', { processor_clearing: 4_605, merchant_available: 0 }],
    ['lost', { write_off: 4_900, merchant_settlement: 295 }],
  ] as const)('records a dispute that is opened and %s', async (outcome, changed) => {
    const { id } = await createDispute(shop);
    // The fee for 49.00 is 2.45 + 0.50. The entire disputed amount of 49.00 is held and frozen.
    const open = {
      revenue: -4_900,
      fees: 295,
      processor_clearing: -295,
      merchant_pending: 4_605,
      merchant_settlement: -4_605,
      disputes_held: 4_900,
      merchant_frozen: 4_900,
      merchant_available: -4_900,
    };
    expect([await balances(), sum(open)]).toEqual([open, 0]);
    expect(await verify()).toEqual(sound);
    await t.graphql(
      'mutation ($input: TransactionDisputeResolveInput!) { transactionDisputeResolve(input: $input) { status } }',
      { input: { id, outcome } },
      { key: shop.key },
    );
    const ended = { ...open, disputes_held: 0, merchant_frozen: 0, ...changed };
    const even = Object.fromEntries(Object.entries(ended).filter(([, amount]) => amount !== 0));
    expect([await balances(), sum(even)]).toEqual([even, 0]);
    expect(await verify()).toEqual(sound);
  });

  test("moves a payout's amount from the available balance to payouts in transit", async () => {
    await createPayout(shop);
    expect(await balances()).toEqual({
      merchant_settlement: -500_000,
      merchant_available: 498_500,
      payouts_in_transit: 1_500,
    });
    expect(await verify()).toEqual(sound);
  });
});

describe('the ledger check', () => {
  test('finds no mismatches in an empty environment, and writes nothing', async () => {
    const changes = await watchChanges(t.app.database.query);
    expect(await verify()).toEqual(sound);
    expect(await changes()).toEqual([]);
  });

  test('reports every account whose documents or transfers were changed, and succeeds after the original data is restored', async () => {
    await blockSums();
    const { customerId } = await createActiveSubscription(shop);
    await createCredit(shop, customerId);
    await createAdjustment(shop, { customerId: (await createCustomer(shop)).id });
    await createDispute(shop);
    await createPayout(shop);
    expect(await verify()).toEqual(sound);
    const [owing] = await tamper(
      `SELECT "customerId" AS id FROM "Invoice" WHERE "environmentId" = $1 AND status = 'outstanding'`,
    );
    const changes = [
      ['"Invoice"', ['total'], `status = 'outstanding'`, [[`receivable usd ${owing?.['id']}`, 1_251, 1_250]]],
      [
        '"Transaction"',
        ['"amountMinor"'],
        `status = 'succeeded'`,
        // 49.00 from one charge, minus the fee of 2.95 for each of two charges.
        [['processor_clearing usd', 4_311, 4_310]],
      ],
      ['"Payout"', ['"amountMinor"'], 'TRUE', [['payouts_in_transit usd', 1_501, 1_500]]],
      [
        '"LedgerTransfer"',
        ['"amountMinor"'],
        `fact = 'credit.granted'`,
        [[`customer_credit usd ${customerId}`, -500, -501]],
      ],
      [
        '"LedgerTransfer"',
        ['"amountMinor"'],
        `fact = 'dispute.opened'`,
        [
          ['processor_clearing usd', 4_310, 4_309],
          ['disputes_held usd', 4_900, 4_901],
        ],
      ],
      [
        '"LedgerTransfer"',
        ['"amountMinor"'],
        `fact = 'funds.frozen'`,
        [['merchant_frozen usd', 4_900, 4_901]],
      ],
    ] as const;
    for (const [table, columns, where, mismatches] of changes) {
      const move = (by: number) =>
        tamper(
          `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} + ${by}`).join(', ')} WHERE "environmentId" = $1 AND ${where}`,
        );
      await move(1);
      expect(await verify(), `${table} ${where}`).toEqual({
        ok: false,
        mismatches: mismatches.map(([account, expected, actual]) => ({ account, expected, actual })),
      });
      await move(-1);
    }
    expect(await verify()).toEqual(sound);
    const [credit] = await tamper(
      `SELECT id FROM "Lot" WHERE "environmentId" = $1 AND "subscriptionId" IS NULL`,
    );
    const raise = (by: number) =>
      tamper(
        `UPDATE "Lot" SET amount = amount + ${by}, remaining = remaining + ${by} WHERE "environmentId" = $1 AND "subscriptionId" IS NULL`,
      );
    await raise(100);
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [
        { account: `customer_credit usd ${customerId}`, expected: -501, actual: -500 },
        { account: `lot ${credit?.['id']}`, expected: 50_100, actual: 50_000 },
        { account: `lots ${customerId}:usd`, expected: 50_000, actual: 50_100 },
      ],
    });
    await raise(-100);
    expect(await verify()).toEqual(sound);
  });

  test("reports transfers with a negative amount or with accounts that don't match the transfer's type", async () => {
    await blockSums();
    const { id } = await createCustomer(shop);
    await createCredit(shop, id);
    const where = `WHERE "environmentId" = $1 AND fact = 'credit.granted'`;
    await tamper(`UPDATE "LedgerTransfer" SET "amountMinor" = -500 ${where}`);
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [
        { account: `transfer credit.granted usd ${id}`, expected: 0, actual: -1 },
        { account: `customer_credit usd ${id}`, expected: -500, actual: 1 },
      ],
    });
    await tamper(`UPDATE "LedgerTransfer" SET "amountMinor" = 500, "debitAccount" = 'revenue' ${where}`);
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [{ account: `transfer credit.granted usd ${id}`, expected: 0, actual: 500 }],
    });
  });

  test("is limited to the API key's environment", async () => {
    await blockSums();
    const { id: customerId } = await createCustomer(shop);
    await createAdjustment(shop, { customerId });
    await tamper('DELETE FROM "LedgerTransfer" WHERE "environmentId" = $1');
    expect(await verify()).toEqual({
      ok: false,
      mismatches: [{ account: `receivable usd ${customerId}`, expected: 1_250, actual: 0 }],
    });
    const other = await otherShop(t);
    expect([await verify(other.key), await verify(t.liveKey)]).toEqual([sound, sound]);
  });
});
