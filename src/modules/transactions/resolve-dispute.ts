import type { Context } from '../../context.ts';
import type { DisputeOutcome } from '../../domain/words.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireTransaction, type TransactionRow } from './service.ts';

/** Which dispute to end, and how. */
export type ResolveDisputeInput = { readonly id: string; readonly outcome: DisputeOutcome };

/**
 * Ends the open dispute of an attempt as the payer's bank would, and answers the attempt (PAY-32). Throws `transaction_not_found`, and
 * `validation_error` on `id` when no dispute of it is open.
 */
export async function resolveDispute(context: Context, { id, outcome }: ResolveDisputeInput): Promise<TransactionRow> {
  const { customerId } = await requireTransaction(context, id);
  await executeOne(context, customerId, { kind: 'dispute.resolve', transactionId: id, outcome });
  // The attempt read before is out of date.
  context.forget();
  return requireTransaction(context, id);
}
