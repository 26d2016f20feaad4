// What became of invoices whose collection failed, by the day of the first failure (MET-41).
import { ratioBps } from './ratio.ts';

/** What became of an invoice in dunning. */
export const recoveryOutcomes = ['recovered', 'exhausted', 'canceled', 'voided', 'open'] as const;

export type RecoveryOutcome = (typeof recoveryOutcomes)[number];

/** Who made the attempt that recovered an invoice: a slot of dunning, the customer, or the organization. */
export const recoveryMakers = ['retry', 'customer', 'hand'] as const;

export type RecoveryMaker = (typeof recoveryMakers)[number];

/** Invoices with one outcome; minor units, null where an exchange rate is missing. */
export type RecoveryCases = {
  readonly outcome: RecoveryOutcome;
  /** Null unless they were recovered. */
  readonly maker: RecoveryMaker | null;
  /** The attempt that recovered them, 1 to 4; null unless they were recovered. */
  readonly attempts: number | null;
  readonly count: number;
  readonly amount: bigint | null;
};

/** How many invoices, and what they amount to. */
export type CaseSum = { readonly count: number; readonly amount: bigint | null };

const sumOf = (cases: readonly RecoveryCases[]): CaseSum =>
  cases.reduce<CaseSum>(
    (sum, { count, amount }) => ({
      count: sum.count + count,
      amount: sum.amount === null || amount === null ? null : sum.amount + amount,
    }),
    { count: 0, amount: 0n },
  );

function shareBps(part: bigint | null, whole: bigint | null): number | null {
  const share = ratioBps(part, whole);
  return share === null ? null : Number(share);
}

/** The outcomes a rate of recovery divides by: those that ended by collection, successful or not. */
const ended: readonly RecoveryOutcome[] = ['recovered', 'exhausted', 'canceled'];

/** Sums and rates of some cases. Rates are basis points, null where nothing ended. */
export function summarizeRecovery(cases: readonly RecoveryCases[]) {
  const of = (outcome: RecoveryOutcome): CaseSum => sumOf(cases.filter((one) => one.outcome === outcome));
  const recovered = cases.filter(({ outcome }) => outcome === 'recovered');
  const whole = sumOf(cases.filter(({ outcome }) => ended.includes(outcome)));
  const won = sumOf(recovered);
  return {
    outcomes: recoveryOutcomes.map((outcome) => ({ outcome, ...of(outcome) })),
    recoveredBy: recoveryMakers.map((maker) => ({
      maker,
      ...sumOf(recovered.filter((one) => one.maker === maker)),
    })),
    attempts: [1, 2, 3, 4].map((attempt) => ({
      attempt,
      ...sumOf(recovered.filter((one) => one.attempts === attempt)),
    })),
    rateByCountBps: shareBps(BigInt(won.count), BigInt(whole.count)),
    rateByAmountBps: shareBps(won.amount, whole.amount),
    isFinal: of('open').count === 0,
  };
}
