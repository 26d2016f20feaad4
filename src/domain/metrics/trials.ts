// Outcomes of trials by the day they ended (MET-40).
import { ratioBps } from '../money/ratio.ts';

/** Outcomes of a trial. A trial is `open` until it ends, and while its first charge is being collected. */
const trialOutcomes = ['converted', 'lost', 'open'] as const;
export type TrialOutcome = (typeof trialOutcomes)[number];

/** Number of trials that started in a period, and number of trials that ended in the period, by outcome. */
export type TrialCounts = {
  readonly started: bigint;
  readonly ended: bigint;
  readonly converted: bigint;
  readonly lost: bigint;
};

const noTrials: TrialCounts = { started: 0n, ended: 0n, converted: 0n, lost: 0n };

/**
 * Returns the totals of a period, with the conversion rate in basis points. The rate is `null` if no trial
 * was converted or lost.
 */
export function summarizeTrials(counts: readonly TrialCounts[]) {
  const sum = counts.reduce(
    (a, b) => ({
      started: a.started + b.started,
      ended: a.ended + b.ended,
      converted: a.converted + b.converted,
      lost: a.lost + b.lost,
    }),
    noTrials,
  );
  const open = sum.ended - sum.converted - sum.lost;
  return {
    ...sum,
    open,
    conversionBps: ratioBps(sum.converted, sum.converted + sum.lost),
    isFinal: open === 0n,
  };
}
