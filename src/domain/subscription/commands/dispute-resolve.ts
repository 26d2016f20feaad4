import { paymentDisputeResolved } from '../../events/payment-events.ts';
import { postDispute } from '../../ledger/documents.ts';
import type { DisputeOutcome } from '../../rows/enums.ts';
import type { TransactionRow } from '../../rows/rows.ts';
import { returnedCharge } from '../pricing/lookup.ts';
import { takeBackRefunded } from '../purchases/take-back.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection, transactionNotFound } from '../state/rejections.ts';

type Input = Timed & {
  readonly transactionId: string;
  readonly outcome: DisputeOutcome;
};

/**
 * Resolves an open dispute. If the dispute is won, the money on hold is released and the transaction is settled
 * again. If the dispute is lost, the money is recorded as lost, the transaction stays disputed, and unused credits
 * or balance are removed as after a full refund (PRM-23). Fails with
 * `validation_error` if no dispute is open.
 */
export const disputeResolve = customerCommand({
  kind: 'dispute.resolve',
  outlivesCustomer: true,
  needs: ({ transactionId }: Input) => ({ transactions: [transactionId] }),
  decide(draft: Draft, { transactionId, outcome }: Input): Decision {
    const transaction = draft.transactions.find(transactionId);
    if (transaction === null) return draft.reject(transactionNotFound);
    const rejection = problemRejection(
      isInDispute(transaction) ? [] : [{ field: 'id', message: 'The transaction has no open dispute.' }],
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
    if (outcome === 'lost')
      takeBackRefunded(draft, resolved, { before: resolved.refundedMinor, after: resolved.amountMinor });
    draft.emit(paymentDisputeResolved(returnedCharge(draft, resolved), outcome));
    return draft.done('done', resolved.subscriptionId, resolved.invoiceId);
  },
});

const isInDispute = ({ status, disputeOutcome }: TransactionRow): boolean =>
  status === 'disputed' && disputeOutcome === null;
