// What became of trials, by the day they ended (MET-40).
import { ratioBps } from './ratio.ts';

/** What became of a trial; open while it runs, or while its first charge is collected. */
export const trialOutcomes = ['converted', 'lost', 'open'] as const;
export type TrialOutcome = (typeof trialOutcomes)[number];

/** The trials that began in one span, and those that ended in it by what became of them. */
export type TrialCounts = {
  readonly started: bigint;
  readonly ended: bigint;
  readonly converted: bigint;
  readonly lost: bigint;
};

const noTrials: TrialCounts = { started: 0n, ended: 0n, converted: 0n, lost: 0n };

/** Counts of a span with the share of those that converted, in basis points; null where none converted or was lost. */
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
