import type { Context } from '../../context.ts';
import { type LedgerMismatch, replay, verify } from '../../domain/ledger/verify.ts';
import { readConsumptionMismatches } from '../consumption/store.ts';
import { readDayMismatches } from '../ledger-days/store.ts';
import { type LedgerSum, readLedgerSums } from './store.ts';

/** Whether the ledger and the documents agree, and where they do not. */
export type LedgerReport = {
  readonly ok: boolean;
  readonly mismatches: readonly LedgerMismatch[];
  readonly checkedAt: Date;
  readonly transferCount: number;
};

/** Transfers of one fact, customer and currency as one: what the check adds up, it adds up either way. */
const transferOf = (sum: LedgerSum) => ({
  id: `${sum.fact} ${sum.currency} ${sum.customerId}`,
  fact: sum.fact ?? '',
  debitAccount: sum.debitAccount ?? '',
  creditAccount: sum.creditAccount ?? '',
  currency: sum.currency,
  // A sum can hide a negative transfer; the check finds it by its sign.
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
];

/** The accounts whose sums the documents tell as they are. */
const accountOf: { readonly [source in LedgerSum['source']]?: string } = {
  settled: 'processor_clearing',
  held: 'disputes_held',
  pending: 'merchant_pending',
  frozen: 'merchant_frozen',
  in_transit: 'payouts_in_transit',
};

/** What the accounts that follow transactions and payouts must hold, per currency: fees are taken from what the processor settled. */
function expectedBalances(sums: readonly LedgerSum[]): ReadonlyMap<string, bigint> {
  const expected = new Map<string, bigint>();
  const add = (account: string, amount: bigint) =>
    expected.set(account, (expected.get(account) ?? 0n) + amount);
  for (const { source, currency, amountMinor } of sums) {
    const account = accountOf[source];
    if (account !== undefined) add(`${account} ${currency}`, amountMinor);
    if (source !== 'fees') continue;
    add(`fees ${currency}`, amountMinor);
    add(`processor_clearing ${currency}`, -amountMinor);
  }
  return expected;
}

/** Compares the accounts that follow transactions, replayed, with the transactions. */
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
 * Replays the ledger of the environment and compares it with the documents: what each customer owes per currency with its outstanding
 * invoices, its credit with what remains of its customer credits, and the processor's account, the fees and what disputes hold with the
 * transactions, and what is held, frozen and on its way to the bank with transactions and payouts; then the pools and counters of consumption with what makes them up (CON-58), and the sums of days with the transfers behind them (MET-50). Each part reads one consistent state; memory
 * grows with customers, not with time.
 */
export async function checkLedger(ctx: Context): Promise<LedgerReport> {
  const sums = await readLedgerSums(ctx.sql);
  const of = (source: LedgerSum['source']): LedgerSum[] => sums.filter((sum) => sum.source === source);
  const transfers = of('transfers').map(transferOf);
  const owed = of('outstanding').map(({ currency, customerId, amountMinor }) => ({
    currency,
    customerId: customerId ?? '',
    status: 'outstanding' as const,
    total: amountMinor,
  }));
  const credits = of('credits').map(({ currency, customerId, amountMinor }) => ({
    currency,
    customerId: customerId ?? '',
    remainingMinor: amountMinor,
  }));
  const mismatches = [
    ...verify(transfers, owed, credits),
    ...transactionMismatches(replay(transfers), sums),
    ...(await readConsumptionMismatches(ctx.sql)),
    ...(await readDayMismatches(ctx.sql)),
  ];
  return {
    ok: mismatches.length === 0,
    mismatches,
    checkedAt: ctx.wall.now(),
    transferCount: sums.reduce((sum, one) => sum + one.transfers, 0),
  };
}
