import type { DisputeOutcome } from '../../enums.ts';
import { postDispute } from '../../ledger/documents.ts';
import { paymentDisputeResolved } from '../../payment-events.ts';
import { returnedCharge } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection, transactionNotFound } from '../state/rejections.ts';
import type { TransactionRow } from '../state/rows.ts';

type Input = Timed & {
  readonly transactionId: string;
  readonly outcome: DisputeOutcome;
};

/**
 * Ends an open dispute: won, the money is back and the attempt settled again; lost, both stay as they are.
 * `validation_error` without one.
 */
export const disputeResolve = customerCommand({
  kind: 'dispute.resolve',
  outlivesCustomer: true,
  needs: ({ transactionId }: Input) => ({ transactions: [transactionId] }),
  decide(draft: Draft, { transactionId, outcome }: Input): Decision {
    const transaction = draft.transactions.find(transactionId);
    if (transaction === null) return draft.reject(transactionNotFound);
    const rejection = problemRejection(
      isInDispute(transaction) ? [] : [{ field: 'id', message: 'No dispute of the transaction is open.' }],
    );
    if (rejection !== null) return draft.reject(rejection);
    const resolved = draft.transactions.patch(transaction.id, {
      status: outcome === 'won' ? 'succeeded' : 'disputed',
      disputeOutcome: outcome,
      updatedAt: draft.now,
    });
    draft.ledger.push(
      ...postDispute(outcome === 'won' ? 'dispute.won' : 'dispute.lost', resolved, draft.newId, draft.now),
    );
    draft.emit(paymentDisputeResolved(returnedCharge(draft, resolved), outcome));
    return draft.done('done', resolved.subscriptionId, resolved.invoiceId);
  },
});

const isInDispute = ({ status, disputeOutcome }: TransactionRow): boolean =>
  status === 'disputed' && disputeOutcome === null;
