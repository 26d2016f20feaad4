import type { Context } from '../../context.ts';
import { type LedgerMismatch, replay, verify } from '../../domain/ledger.ts';
import { readConsumptionMismatches } from '../../infra/consumption-rows.ts';
import { type LedgerSum, readLedgerSums } from '../../infra/ledger-rows.ts';

/** Whether the ledger and the documents agree, and where they do not. */
export type LedgerReport = { readonly ok: boolean; readonly mismatches: readonly LedgerMismatch[] };

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

/** Compares the processor's account, replayed, with the transactions it settled, per currency. */
function clearingMismatches(balances: ReadonlyMap<string, bigint>, settled: readonly LedgerSum[]): LedgerMismatch[] {
  const expected = new Map(settled.map((sum) => [`processor_clearing ${sum.currency}`, sum.amountMinor]));
  const accounts = new Set([...expected.keys(), ...[...balances.keys()].filter((key) => key.startsWith('processor_clearing '))]);
  return [...accounts].flatMap((account) => {
    const mismatch = { account, expected: expected.get(account) ?? 0n, actual: balances.get(account) ?? 0n };
    return mismatch.expected === mismatch.actual ? [] : [mismatch];
  });
}

/**
 * Replays the ledger of the environment and compares it with the documents: what each customer owes per currency with its outstanding
 * invoices, its credit with what remains of its customer credits, and the processor's account with the settled transactions; then the
 * pools and counters of consumption with what makes them up (CON-58). Each half reads one consistent state; memory grows with customers, not
 * with time.
 */
export async function checkLedger(context: Context): Promise<LedgerReport> {
  const sums = await readLedgerSums(context.sql);
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
    ...clearingMismatches(replay(transfers), of('settled')),
    ...(await readConsumptionMismatches(context.sql)),
  ];
  return { ok: mismatches.length === 0, mismatches };
}
