import { type LedgerMismatch, replay, verify } from '../../../domain/ledger/verify.ts';
import { rateToMinor } from '../../../domain/money/money.ts';
import type { Context } from '../../../request/context.ts';
import { readConsumptionMismatches } from '../../usage/consumption/store.ts';
import { readDayMismatches } from '../day-sums/store.ts';
import { ledgerSource } from '../ledger-days/store.ts';
import { type LedgerSum, readLedgerSums } from './store.ts';

/** Result of comparing the ledger with invoices, payments, and other documents. */
export type LedgerReport = {
  readonly ok: boolean;
  readonly mismatches: readonly LedgerMismatch[];
  readonly checkedAt: Date;
  readonly transferCount: number;
};

/** Combines transfers with the same fact, customer, and currency into one transfer, because the check compares only totals. */
const transferOf = (sum: LedgerSum) => ({
  id: `${sum.fact} ${sum.currency} ${sum.customerId}`,
  fact: sum.fact ?? '',
  debitAccount: sum.debitAccount ?? '',
  creditAccount: sum.creditAccount ?? '',
  currency: sum.currency,
  // A positive total can contain a negative transfer. An amount of -1 makes the check report the transfer.
  amountMinor: sum.isPositive ? sum.amountMinor : -1n,
  customerId: sum.customerId,
});

const followed = [
  'processor_clearing',
  'fees',
  'disputes_held',
  'merchant_pending',
  'merchant_frozen',
  'payouts_in_transit',
  'receipts_held',
  'customer_money',
  'unmatched_money',
];

/** Accounts whose balance must equal a sum of documents. */
const accountOf: { readonly [source in LedgerSum['source']]?: string } = {
  settled: 'processor_clearing',
  held: 'disputes_held',
  pending: 'merchant_pending',
  frozen: 'merchant_frozen',
  in_transit: 'payouts_in_transit',
};

/** Returns the expected balances per currency for accounts that are derived from transactions and payouts. Fees are deducted from settled amounts. */
function expectedBalances(sums: readonly LedgerSum[]): ReadonlyMap<string, bigint> {
  const expected = new Map<string, bigint>();
  const add = (account: string, amount: bigint) =>
    expected.set(account, (expected.get(account) ?? 0n) + amount);
  for (const { source, currency, customerId, amountMinor } of sums) {
    if (source === 'received') {
      add(`receipts_held ${currency}`, amountMinor);
      const owner =
        customerId === null ? `unmatched_money ${currency}` : `customer_money ${currency} ${customerId}`;
      add(owner, -amountMinor);
    }
    const account = accountOf[source];
    if (account !== undefined) add(`${account} ${currency}`, amountMinor);
    if (source !== 'fees') continue;
    add(`fees ${currency}`, amountMinor);
    add(`processor_clearing ${currency}`, -amountMinor);
  }
  return expected;
}

/** Compares the balances of the accounts that are derived from transactions and payouts with the expected balances. */
function transactionMismatches(
  balances: ReadonlyMap<string, bigint>,
  sums: readonly LedgerSum[],
): LedgerMismatch[] {
  const expected = expectedBalances(sums);
  const replayed = [...balances.keys()].filter((key) => followed.includes(key.split(' ')[0] ?? ''));
  const accounts = new Set([...expected.keys(), ...replayed]);
  return [...accounts].flatMap((account) => {
    const mismatch = { account, expected: expected.get(account) ?? 0n, actual: balances.get(account) ?? 0n };
    return mismatch.expected === mismatch.actual ? [] : [mismatch];
  });
}

/**
 * Replays the environment's ledger and compares the resulting balances with the documents:
 * - receivables per customer and currency with outstanding finalized invoices
 * - reserved credits with the credits that open checkouts reserve
 * - customer credit with the remaining customer credits
 * - processor account, fees, and held disputes with transactions
 * - money on account and unmatched money with receipts
 * - pending, frozen, and in-transit funds with transactions and payouts
 * - credit balances and usage counters with their entries and events (CON-58)
 * - daily sums with their transfers (MET-50)
 *
 * Each comparison reads a consistent state. Memory grows with the number of customers, not with time.
 */
export async function checkLedger(ctx: Context): Promise<LedgerReport> {
  const sums = await readLedgerSums(ctx.sql);
  const of = (source: LedgerSum['source']): LedgerSum[] => sums.filter((sum) => sum.source === source);
  const transfers = of('transfers').map(transferOf);
  const invoices = [...of('owed'), ...of('reserved')].map(
    ({ source, currency, customerId, amountMinor }) => ({
      currency,
      customerId: customerId ?? '',
      status: 'outstanding' as const,
      finalizedAt: source === 'owed' ? ctx.clock.now() : null,
      total: source === 'owed' ? amountMinor : 0n,
      creditApplied: source === 'owed' ? 0n : amountMinor,
      creditedAmount: 0n,
      paidInParts: 0n,
    }),
  );
  const credits = of('credits').map(({ currency, customerId, amountMinor }) => ({
    currency,
    customerId: customerId ?? '',
    remainingMinor: rateToMinor(amountMinor, currency),
  }));
  const mismatches = [
    ...verify(transfers, invoices, credits),
    ...transactionMismatches(replay(transfers), sums),
    ...(await readConsumptionMismatches(ctx.sql)),
    ...(await readDayMismatches(ctx.sql, ledgerSource)).map(({ subject, ...amounts }) => ({
      account: subject,
      ...amounts,
    })),
  ];
  return {
    ok: mismatches.length === 0,
    mismatches,
    checkedAt: ctx.wall.now(),
    transferCount: sums.reduce((sum, one) => sum + one.transfers, 0),
  };
}
