import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireTransaction } from './store.ts';

/** Payment retry result. `processing` until the payment provider responds. */
export type TransactionRetry = {
  readonly originalTransactionId: string;
  readonly invoiceId: string;
  readonly status: 'processing' | 'succeeded';
};

/**
 * Charges the invoice of a failed payment attempt with a new attempt (PAY-31, BIL-42). Throws `transaction_not_found`,
 * `no_outstanding_invoice`, `no_payment_method` and `charge_in_progress`. A decline throws `charge_failed` and counts as a dunning retry.
 */
export async function retryTransaction(ctx: Context, id: string): Promise<TransactionRetry> {
  const { customerId } = await requireTransaction(ctx, id);
  const { invoiceId, status } = await executeOne(ctx, customerId, {
    kind: 'transaction.retry',
    transactionId: id,
  });
  if (invoiceId === null) throw new Error(`The retry of ${id} has no invoice.`);
  return { originalTransactionId: id, invoiceId, status: status === 'done' ? 'succeeded' : 'processing' };
}
