import type { AttemptSignal } from '../../rows/rows.ts';
import { debitReported } from '../payments/debit-attempt.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type FromDeadline } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = FromDeadline & {
  /** `null` if the attempt belongs to a one-time payment. */
  readonly subscriptionId: string | null;
  readonly transactionId: string;
  readonly report: AttemptSignal;
};

/** Applies a report of the simulated bank about an attempt (INS-131). Does nothing if the attempt was removed. */
export const attemptStep = customerCommand({
  kind: 'attempt_step',
  needs: ({ transactionId, subscriptionId }: Input) => ({
    subscriptions: subscriptionId === null ? [] : [subscriptionId],
    transactions: [transactionId],
  }),
  decide(draft: Draft, command: Input): Decision {
    const { transactionId, subscriptionId, report } = command;
    draft.complete(command);
    const transaction = draft.transactions.find(transactionId);
    return transaction === null
      ? draft.done('unchanged', subscriptionId)
      : debitReported(draft, transaction, report);
  },
});
