// Stages of a payment attempt, and the reports that change them (INS-10 to INS-12).
import type { AttemptReport } from '../../rows/attempt-rows.ts';
import type { TransactionStage } from '../../rows/enums.ts';
import type { TransactionRow } from '../../rows/rows.ts';

/** Progress of a stage. A report of a lower progress arrives late and is dropped. */
const progress: { readonly [stage in TransactionStage]: number } = {
  scheduled: 0,
  requested: 1,
  awaiting_payer: 2,
  processing: 3,
  settled: 4,
  declined: 4,
  expired: 4,
  canceled: 4,
  returned: 5,
};

/**
 * Effect of a report. `repeat`: the stage is already known. `late`: an earlier stage, which is dropped. `contradiction`: the
 * attempt already ended differently.
 */
export type Transition =
  | { readonly kind: 'moved'; readonly through: readonly TransactionStage[] }
  | { readonly kind: 'repeat' | 'late' | 'contradiction' };

/**
 * Returns the effect of a reported stage on an attempt (INS-12). A return that arrives before its settlement settles the
 * attempt first. A decline after the settlement is a return if the bank can take the money back without a contest.
 */
export function transitionOf(
  from: TransactionStage,
  reported: TransactionStage,
  canReturn: boolean,
): Transition {
  const to = from === 'settled' && reported === 'declined' && canReturn ? 'returned' : reported;
  if (from === to) return { kind: 'repeat' };
  const isEnded = progress[from] >= progress.settled;
  // The instructions were followed before they expired.
  if (to === 'expired' && (from === 'processing' || from === 'settled')) return { kind: 'late' };
  if (to === 'returned') {
    if (isEnded && from !== 'settled') return { kind: 'contradiction' };
    return { kind: 'moved', through: from === 'settled' ? ['returned'] : ['settled', 'returned'] };
  }
  if (progress[to] < progress[from])
    return from === 'returned' && to !== 'settled' && progress[to] === progress.settled
      ? { kind: 'contradiction' }
      : { kind: 'late' };
  return isEnded ? { kind: 'contradiction' } : { kind: 'moved', through: [to] };
}

/** Returns true if a report is about a payment that arrived after the attempt had ended without a payment (INS-74). */
export const isLatePayment = (
  { stage, instructions }: Pick<TransactionRow, 'stage' | 'instructions'>,
  reported: TransactionStage,
): boolean =>
  instructions !== null &&
  reported === 'settled' &&
  (stage === 'declined' || stage === 'expired' || stage === 'canceled');

/** Returns true if the charge succeeded, and the payer's bank didn't return the money. */
export const isCollected = ({ paidAt, returnedAt }: Pick<TransactionRow, 'paidAt' | 'returnedAt'>): boolean =>
  paidAt !== null && returnedAt === null;

/** Number of reports that an attempt keeps (INS-16). */
const keptReports = 50;

/** Returns the timeline of an attempt with another report. Keeps the newest reports. */
export const withReport = (
  reports: readonly AttemptReport[] | null,
  report: AttemptReport,
): readonly AttemptReport[] => [...(reports ?? []), report].slice(-keptReports);

/** Returns true if the attempt's money isn't confirmed and the payer has nothing left to do. */
export const isCollecting = (stage: TransactionStage): boolean =>
  stage === 'scheduled' || stage === 'processing';
