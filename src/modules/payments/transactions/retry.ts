import type { CommandResult } from '../../../domain/subscription/state/aggregate.ts';
import type { Context } from '../../../request/context.ts';

/** Result of a payment retry. The status is `processing` until the payment provider responds. */
export type TransactionRetry = {
  readonly originalTransactionId: string;
  readonly invoiceId: string;
  readonly status: 'processing' | 'succeeded';
};

/** Returns the result of a payment retry after its command was executed. */
export function retryResult(
  _ctx: Context,
  {
    input: { id },
    done: { invoiceId, status },
  }: { readonly input: { readonly id: string }; readonly done: CommandResult },
): TransactionRetry {
  if (invoiceId === null) throw new Error(`The retry of ${id} has no invoice.`);
  return { originalTransactionId: id, invoiceId, status: status === 'done' ? 'succeeded' : 'processing' };
}
