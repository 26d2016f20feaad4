import { paymentDisputed } from '../../events/payment-events.ts';
import { postDispute } from '../../ledger/documents.ts';
import { isBeingReturned } from '../payments/refund.ts';
import { returnedCharge } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection, transactionNotFound } from '../state/rejections.ts';

type Input = Timed & {
  readonly transactionId: string;
  readonly reason: string | null;
};

/**
 * Opens a dispute and puts the amount that hasn't been refunded on hold. Does nothing if the transaction
 * isn't settled or is already disputed. Fails with `validation_error` while a refund is in progress, because
 * the refund affects the disputable amount.
 */
export const disputeOpen = customerCommand({
  kind: 'dispute.open',
  outlivesCustomer: true,
  needs: ({ transactionId }: Input) => ({ transactions: [transactionId] }),
  decide(draft: Draft, { transactionId, reason }: Input): Decision {
    const transaction = draft.transactions.find(transactionId);
    if (transaction === null) return draft.reject(transactionNotFound);
    if (transaction.status !== 'succeeded')
      return draft.done('unchanged', transaction.subscriptionId, transaction.invoiceId);
    const rejection = problemRejection(
      isBeingReturned(draft, transaction)
        ? [
            {
              field: 'id',
              message: 'A refund of the transaction is still processing. Try again in a moment.',
            },
          ]
        : [],
    );
    if (rejection !== null) return draft.reject(rejection);
    const disputed = draft.transactions.patch(transaction.id, {
      status: 'disputed',
      disputedAt: draft.now,
      disputeReason: reason,
      disputeOutcome: null,
      updatedAt: draft.now,
    });
    draft.ledger.push(...postDispute('dispute.opened', disputed, draft.newId, draft.now));
    draft.emit(paymentDisputed(returnedCharge(draft, disputed)));
    return draft.done('done', disputed.subscriptionId, disputed.invoiceId);
  },
});
