import { specificRejection } from '../../errors/errors.ts';
import { retry } from '../lifecycle/retry.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, transactionNotFound } from '../state/rejections.ts';

type Input = Timed & {
  readonly transactionId: string;
};

/**
 * Retries the invoice of a failed transaction on the merchant's behalf. The failed transaction doesn't change
 * (PAY-31). Fails with `no_outstanding_invoice` if the transaction didn't fail or its invoice isn't in dunning. Also
 * fails if `retry` rejects the charge.
 */
export const transactionRetry = customerCommand({
  kind: 'transaction.retry',
  needs: ({ transactionId }: Input) => ({ transactions: [transactionId] }),
  decide(draft: Draft, { transactionId }: Input): Decision {
    const transaction = draft.transactions.find(transactionId);
    if (transaction === null) return draft.reject(transactionNotFound);
    const subscription =
      transaction.subscriptionId === null ? null : draft.subscriptions.find(transaction.subscriptionId);
    if (subscription !== null && isCharging(draft, subscription)) return draft.reject(chargeInProgress);
    const isInDunning =
      subscription?.status === 'past_due' && subscription.dunningInvoiceId === transaction.invoiceId;
    if (!isInDunning || transaction.status !== 'failed') {
      return draft.reject(specificRejection('no_outstanding_invoice', 'no_failed_charge'));
    }
    return retry(draft, subscription);
  },
});
