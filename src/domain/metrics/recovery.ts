// Outcomes of invoices after a failed charge, by the day of the first failure (MET-41).
import { ratioBps } from '../money/ratio.ts';

const recoveryOutcomes = ['recovered', 'exhausted', 'canceled', 'voided', 'open'] as const;

export type RecoveryOutcome = (typeof recoveryOutcomes)[number];

/**
 * Source of the attempt that recovered an invoice: an automatic retry, the customer, or the organization
 * (`hand`).
 */
const recoveryMakers = ['retry', 'customer', 'hand'] as const;

export type RecoveryMaker = (typeof recoveryMakers)[number];

/**
 * Number and total amount of invoices with the same outcome. `amount` is in minor units, and `null` if an
 * exchange rate is missing.
 */
export type RecoveryCases = {
  readonly outcome: RecoveryOutcome;
  /** Source of the successful attempt. `null` unless the invoices were recovered. */
  readonly maker: RecoveryMaker | null;
  /** Number of the successful attempt, from 1 to 4. `null` unless the invoices were recovered. */
  readonly attempts: number | null;
  readonly count: number;
  readonly amount: bigint | null;
};

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

/** Outcomes that count toward the recovery rate, because collection has succeeded or failed. */
const ended: readonly RecoveryOutcome[] = ['recovered', 'exhausted', 'canceled'];

/**
 * Returns the totals and rates for invoices in dunning. Rates are in basis points, and `null` if no
 * dunning has ended.
 */
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
