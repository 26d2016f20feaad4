import { specificRejection } from '../../errors/errors.ts';
import { instrumentOf } from '../../payments/instruments/registry.ts';
import { isLatePayment, transitionOf } from '../../payments/instruments/stages.ts';
import type { TransactionStage } from '../../rows/enums.ts';
import type { TransactionRow } from '../../rows/rows.ts';
import { debitReported } from '../payments/debit-attempt.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly transactionId: string;
  readonly subscriptionId: string | null;
  readonly stage: TransactionStage;
  readonly code: string | null;
};

/** Stages that a bank reports after it accepted a debit. */
const reportable: ReadonlySet<TransactionStage> = new Set(['processing', 'settled', 'declined', 'returned']);

/** Stages that a bank reports about a payment that the payer starts. */
const reportableOfPush: ReadonlySet<TransactionStage> = new Set([
  'processing',
  'settled',
  'declined',
  'expired',
]);

/**
 * Applies a report of the simulated bank immediately (INS-133). Later reports of the simulated bank that no longer fit are
 * removed. Fails with `validation_error` if the attempt can't move to the stage.
 */
export const attemptReport = customerCommand({
  kind: 'attempt.report',
  needs: ({ transactionId, subscriptionId }: Input) => ({
    transactions: [transactionId],
    subscriptions: subscriptionId === null ? [] : [subscriptionId],
  }),
  decide(draft: Draft, { transactionId, stage, code }: Input): Decision {
    const transaction = draft.transactions.find(transactionId);
    const instrument = transaction === null ? null : instrumentOf(transaction.instrument);
    const canReturn = instrument?.dispute === 'return';
    const isPossible =
      transaction !== null &&
      transaction.provider === 'platform' &&
      (transaction.collectionOn !== null || transaction.instructions !== null) &&
      transaction.stage !== 'requested' &&
      (transaction.instructions === null ? reportable : reportableOfPush).has(stage) &&
      (transitionOf(transaction.stage, stage, canReturn).kind === 'moved' ||
        isNewLatePayment(transaction, stage)) &&
      (stage !== 'returned' || (canReturn && transaction.status === 'succeeded'));
    if (!isPossible)
      return draft.reject(
        specificRejection('validation_error', 'attempt_stage', {
          param: 'stage',
          values: { from: transaction?.stage ?? 'unknown', to: stage },
        }),
      );
    const decision = debitReported(draft, transaction, { stage, ...(code === null ? {} : { code }) });
    removeObsoleteSteps(draft, transactionId, canReturn);
    return decision;
  },
});

/** Returns true if a report is the first report about a late payment. */
const isNewLatePayment = (transaction: TransactionRow, stage: TransactionStage): boolean =>
  isLatePayment(transaction, stage) &&
  transaction.reports?.some((report) => report.stage === 'settled' && report.isContradiction) !== true;

/** Removes the reports of the simulated bank that an attempt can no longer follow. */
function removeObsoleteSteps(draft: Draft, transactionId: string, canReturn: boolean): void {
  const { stage, subscriptionId, customerId } = draft.transactions.get(transactionId);
  for (const { id, kind, data } of draft.deadlinesOf(subscriptionId ?? customerId)) {
    if (kind !== 'attempt_step' || data.transactionId !== transactionId) continue;
    const { report } = data;
    if (
      report !== undefined &&
      'stage' in report &&
      transitionOf(stage, report.stage, canReturn).kind !== 'moved'
    )
      draft.unschedule(id);
  }
}
