// Disputes (PAY-32): the payer contests a settled charge, its money is frozen, and won back or lost. Subscriptions go on meanwhile.

import { postDispute } from '../ledger.ts';
import { paymentDisputed, paymentDisputeResolved } from '../payment-events.ts';
import type { Decision, OpenDisputeCommand, ResolveDisputeCommand } from './aggregate.ts';
import { returnedCharge } from './lookup.ts';
import { isBeingReturned } from './refund.ts';
import { problemRefusal, transactionNotFound } from './refusals.ts';
import type { TransactionRow } from './rows.ts';
import type { Work } from './work.ts';

/**
 * Freezes what an attempt has not returned and says so. One that is not settled, or disputed already, stays as it is. Refused with
 * `validation_error` while a refund of it is under way: what is left to contest is known when that has its answer.
 */
export function openDispute(work: Work, { transactionId, reason }: OpenDisputeCommand): Decision {
  const transaction = work.transactions.find(transactionId);
  if (transaction === null) return work.refuse(transactionNotFound);
  if (transaction.status !== 'succeeded') return work.done('unchanged', transaction.subscriptionId, transaction.invoiceId);
  const refusal = problemRefusal(isBeingReturned(work, transaction) ? [{ field: 'id', message: 'A refund is under way.' }] : []);
  if (refusal !== null) return work.refuse(refusal);
  const disputed = work.transactions.put({
    ...transaction,
    status: 'disputed',
    disputedAt: work.now,
    disputeReason: reason,
    disputeOutcome: null,
    updatedAt: work.now,
  });
  work.ledger.push(...postDispute('dispute.opened', disputed, work.newId, work.now));
  work.emit(paymentDisputed(returnedCharge(work, disputed)));
  return work.done('done', disputed.subscriptionId, disputed.invoiceId);
}

/** Ends an open dispute: won, the money is back and the attempt settled again; lost, both stay as they are. `validation_error` without one. */
export function resolveDispute(work: Work, { transactionId, outcome }: ResolveDisputeCommand): Decision {
  const transaction = work.transactions.find(transactionId);
  if (transaction === null) return work.refuse(transactionNotFound);
  const refusal = problemRefusal(isInDispute(transaction) ? [] : [{ field: 'id', message: 'No dispute of the transaction is open.' }]);
  if (refusal !== null) return work.refuse(refusal);
  const resolved = work.transactions.put({
    ...transaction,
    status: outcome === 'won' ? 'succeeded' : 'disputed',
    disputeOutcome: outcome,
    updatedAt: work.now,
  });
  work.ledger.push(...postDispute(outcome === 'won' ? 'dispute.won' : 'dispute.lost', resolved, work.newId, work.now));
  work.emit(paymentDisputeResolved(returnedCharge(work, resolved), outcome));
  return work.done('done', resolved.subscriptionId, resolved.invoiceId);
}

const isInDispute = ({ status, disputeOutcome }: TransactionRow): boolean => status === 'disputed' && disputeOutcome === null;
