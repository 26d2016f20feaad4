import type { RefundReason } from '../../enums.ts';
import { endedBy, isBeingReturned } from '../payments/refund.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection, transactionNotFound } from '../state/rejections.ts';
import type { RefundRow, TransactionRow } from '../state/rows.ts';

type Input = Timed & {
  readonly transactionId: string;
  readonly refundId: string;
  /** Minor units of the charge, above 0. */
  readonly amountMinor: bigint | null;
  readonly reason: RefundReason | null;
};

/** What of an attempt has not been returned, minor units of its currency. */
const leftOf = ({ amountMinor, refundedMinor }: TransactionRow): bigint => amountMinor - refundedMinor;

/**
 * Asks the gateway to return money of a settled attempt. Rejected with `validation_error` when it has not
 * settled, is disputed, is returned already or being returned, when less is left than asked for, and while
 * the subscription it would end is being charged (PAY-27). A refund that is known already stays as it is.
 */
export const transactionRefund = customerCommand({
  kind: 'transaction.refund',
  outlivesCustomer: true,
  needs: ({ transactionId, refundId }: Input) => ({ transactions: [transactionId], refunds: [refundId] }),
  decide(draft: Draft, command: Input): Decision {
    const transaction = draft.transactions.find(command.transactionId);
    if (transaction === null) return draft.reject(transactionNotFound);
    if (draft.refunds.find(command.refundId) !== null)
      return draft.done('unchanged', transaction.subscriptionId, transaction.invoiceId);
    const amountMinor = command.amountMinor ?? leftOf(transaction);
    const problem = refundProblem(draft, transaction, amountMinor);
    if (problem !== null) return draft.reject(problem);
    const row = draft.refunds.add({
      id: command.refundId,
      seq: null,
      customerId: transaction.customerId,
      transactionId: transaction.id,
      amountMinor,
      currency: transaction.currency,
      status: 'pending',
      reason: command.reason,
      createdAt: draft.now,
      updatedAt: draft.now,
    });
    requestRefund(draft, transaction, row);
    return draft.done('charging', transaction.subscriptionId, transaction.invoiceId);
  },
});

function refundProblem(draft: Draft, transaction: TransactionRow, amountMinor: bigint) {
  const message = whyNot(draft, transaction, amountMinor);
  if (message !== null) return problemRejection([{ field: 'id', message }]);
  return problemRejection(
    amountMinor <= leftOf(transaction)
      ? []
      : [{ field: 'amount', message: 'More than is left of the transaction.' }],
  );
}

function whyNot(draft: Draft, transaction: TransactionRow, amountMinor: bigint): string | null {
  if (transaction.status === 'refunded') return 'The transaction has been refunded already.';
  if (transaction.status === 'disputed') return 'The transaction is in dispute.';
  if (transaction.status !== 'succeeded') return 'Only a transaction that succeeded can be refunded.';
  if (isBeingReturned(draft, transaction)) return 'A refund is under way.';
  const ended = amountMinor === leftOf(transaction) ? endedBy(draft, transaction) : null;
  return ended !== null && isCharging(draft, ended) ? 'A charge of its subscription is under way.' : null;
}

function requestRefund(
  draft: Draft,
  transaction: TransactionRow,
  { id, amountMinor, currency }: RefundRow,
): void {
  const method =
    transaction.paymentMethodId === null ? null : draft.paymentMethods.find(transaction.paymentMethodId);
  draft.charges.push({
    transactionId: id,
    customerId: transaction.customerId,
    subscriptionId: transaction.subscriptionId,
    invoiceId: transaction.invoiceId,
    kind: 'refund',
    refundOf: transaction.id,
    provider: transaction.provider,
    methodReference: method?.reference ?? '',
    amountMinor,
    currency,
    isFirst: false,
  });
}
