import { specificRejection } from '../../errors/errors.ts';
import { chargeableBy, stepOf } from '../../payments/amount-step.ts';
import type { RefundReason } from '../../rows/enums.ts';
import type { RefundRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { revokeCredit } from '../invoicing/credits.ts';
import { canEndWithPeriod, endedBy, isBeingReturned } from '../payments/refund.ts';
import { type Refundable, refundableOf } from '../payments/refundable.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { problemRejection, transactionNotFound } from '../state/rejections.ts';

type Input = Timed & {
  readonly transactionId: string;
  readonly refundId: string;
  /**
   * Amount in minor units of the charge's currency. Positive. If `null`, refunds the full refundable
   * amount.
   */
  readonly amountMinor: bigint | null;
  readonly reason: RefundReason | null;
  /**
   * Whether the refund cancels the subscription once it's confirmed. If `null`, only a full refund cancels it
   * (PAY-29).
   */
  readonly cancelSubscription?: boolean | null;
  /** True if the cancellation takes effect at the end of the current period instead of immediately. */
  readonly cancelAtPeriodEnd?: boolean;
  /**
   * True if the provider has already returned the money. In this case, used customer credit doesn't limit the
   * refund.
   */
  readonly isReturned?: boolean;
};

/**
 * Refunds a settled transaction. Fails with `validation_error` if the transaction can't be refunded, the
 * amount exceeds the refundable amount, or the refund would end a subscription with a charge in progress
 * (PAY-27, PAY-28a). Immediately revokes the unused customer credit that the charge created. Does nothing if
 * the refund already exists.
 */
export const transactionRefund = customerCommand({
  kind: 'transaction.refund',
  outlivesCustomer: true,
  needs: ({ transactionId, refundId }: Input) => ({
    transactions: [transactionId],
    refunds: [refundId],
    refundedTransactions: [transactionId],
  }),
  decide(draft: Draft, command: Input): Decision {
    const transaction = draft.transactions.find(command.transactionId);
    if (transaction === null) return draft.reject(transactionNotFound);
    if (draft.refunds.find(command.refundId) !== null)
      return draft.done('unchanged', transaction.subscriptionId, transaction.invoiceId);
    if (transaction.receiptId !== null)
      return draft.reject(specificRejection('provider_unsupported', 'receipt_refund'));
    const refundable = refundableOf(draft, transaction);
    const keptMinor = transaction.amountMinor - transaction.refundedMinor;
    const maxMinor =
      command.isReturned === true
        ? keptMinor
        : chargeableBy(transaction.provider, transaction.currency, refundable.maxMinor);
    const amountMinor = command.amountMinor ?? maxMinor;
    const problem = refundProblem(draft, transaction, command, { ...refundable, maxMinor }, amountMinor);
    if (problem !== null) return draft.reject(problem);
    const withdrawn = refundable.withdrawal(amountMinor);
    if (withdrawn !== null) revokeCredit(draft, withdrawn.credit, withdrawn.amountMinor, 'credit.returned');
    const row = draft.refunds.add({
      id: command.refundId,
      seq: null,
      customerId: transaction.customerId,
      transactionId: transaction.id,
      amountMinor,
      currency: transaction.currency,
      status: 'pending',
      reason: command.reason,
      cancelSubscription: command.cancelSubscription ?? null,
      cancelAtPeriodEnd: command.cancelAtPeriodEnd ?? false,
      revokedCreditId: withdrawn?.credit.id ?? null,
      revokedMinor: withdrawn?.amountMinor ?? 0n,
      createdAt: draft.now,
      updatedAt: draft.now,
    });
    requestRefund(draft, transaction, row);
    return draft.done('charging', transaction.subscriptionId, transaction.invoiceId);
  },
});

function refundProblem(
  draft: Draft,
  transaction: TransactionRow,
  command: Input,
  { maxMinor, usedMinor }: Pick<Refundable, 'maxMinor' | 'usedMinor'>,
  amountMinor: bigint,
) {
  const message = nonRefundableReason(draft, transaction, maxMinor);
  if (message !== null) return problemRejection([{ field: 'id', message }]);
  if (amountMinor > maxMinor)
    return problemRejection([{ field: 'amount', message: amountTooHighMessage(maxMinor, usedMinor) }]);
  const step = stepOf(transaction.provider, transaction.currency);
  if (amountMinor % step !== 0n)
    return problemRejection([
      {
        field: 'amount',
        message: `must be a multiple of ${step}, the smallest unit that the payment provider refunds`,
      },
    ]);
  const isFull = amountMinor === transaction.amountMinor - transaction.refundedMinor;
  const ended = endedBy(draft, transaction, command.cancelSubscription ?? null, isFull);
  const cancellation = cancellationProblem(ended, command);
  if (cancellation !== null) return problemRejection([cancellation]);
  return ended !== null && isCharging(draft, ended)
    ? problemRejection([
        { field: 'id', message: 'A charge of the subscription is still processing. Try again in a moment.' },
      ])
    : null;
}

/** Returns the problem if the refund can't cancel the subscription as requested. `ended` is the subscription that the refund cancels. */
function cancellationProblem(
  ended: SubscriptionRow | null,
  { cancelSubscription = null, cancelAtPeriodEnd = false }: Input,
): { readonly field: string; readonly message: string } | null {
  if (cancelSubscription === true && ended === null) {
    const message =
      "The payment doesn't belong to a subscription that can be canceled. Omit `cancelSubscription`.";
    return { field: 'cancelSubscription', message };
  }
  if (!cancelAtPeriodEnd || (ended !== null && canEndWithPeriod(ended))) return null;
  const message =
    ended === null
      ? "The refund doesn't cancel a subscription. Omit `cancelAtPeriodEnd`, or set `cancelSubscription` to `true`."
      : 'The subscription can only be canceled immediately. Omit `cancelAtPeriodEnd`.';
  return { field: 'cancelAtPeriodEnd', message };
}

const amountTooHighMessage = (maxMinor: bigint, usedMinor: bigint): string =>
  usedMinor === 0n
    ? 'The amount exceeds the refundable amount of the transaction. Refund a smaller amount.'
    : `The refund can't exceed ${maxMinor} (in minor units of the currency). A plan change converted ${usedMinor} of the payment into customer credit that was already used.`;

function nonRefundableReason(draft: Draft, transaction: TransactionRow, maxMinor: bigint): string | null {
  if (transaction.status === 'refunded') return 'The transaction was already refunded in full.';
  if (transaction.status === 'disputed') return "A disputed transaction can't be refunded.";
  if (transaction.status !== 'succeeded') return 'Only a successful transaction can be refunded.';
  if (isBeingReturned(draft, transaction))
    return 'A refund of the transaction is still processing. Try again in a moment.';
  return maxMinor > 0n
    ? null
    : "The payment can't be refunded. A plan change converted the remaining amount into customer credit that was already used.";
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
