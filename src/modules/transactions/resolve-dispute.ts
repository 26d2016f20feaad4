import type { Context } from '../../context.ts';
import type { DisputeOutcome } from '../../domain/enums.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireTransaction, type TransactionRow } from './store.ts';

/** Which dispute to end, and how. */
export type ResolveDisputeInput = { readonly id: string; readonly outcome: DisputeOutcome };

/**
 * Ends the open dispute of an attempt as the payer's bank would, and answers the attempt (PAY-32). Throws `transaction_not_found`, and
 * `validation_error` on `id` when no dispute of it is open.
 */
export async function resolveDispute(
  ctx: Context,
  { id, outcome }: ResolveDisputeInput,
): Promise<TransactionRow> {
  const { customerId } = await requireTransaction(ctx, id);
  await executeOne(ctx, customerId, { kind: 'dispute.resolve', transactionId: id, outcome });
  // The attempt read before is out of date.
  ctx.forget();
  return requireTransaction(ctx, id);
}
