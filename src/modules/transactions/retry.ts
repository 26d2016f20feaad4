import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireTransaction } from './store.ts';

/** How a retry went; `processing` while the gateway has not answered. */
export type TransactionRetry = {
  readonly originalTransactionId: string;
  readonly invoiceId: string;
  readonly status: 'processing' | 'succeeded';
};

/**
 * Tries the invoice behind a failed attempt again by a new attempt (PAY-31, BIL-42). Throws `transaction_not_found`,
 * `no_outstanding_invoice`, `no_payment_method`, `charge_in_progress`, and `charge_failed` for a decline, which uses up a dunning slot.
 */
export async function retryTransaction(ctx: Context, id: string): Promise<TransactionRetry> {
  const { customerId } = await requireTransaction(ctx, id);
  const { invoiceId, status } = await executeOne(ctx, customerId, {
    kind: 'transaction.retry',
    transactionId: id,
  });
  if (invoiceId === null) throw new Error(`The retry of ${id} was about no invoice.`);
  return { originalTransactionId: id, invoiceId, status: status === 'done' ? 'succeeded' : 'processing' };
}
