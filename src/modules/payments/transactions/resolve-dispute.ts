import type { DisputeOutcome } from '../../../domain/rows/enums.ts';
import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireTransaction, type TransactionRow } from './store.ts';

export type ResolveDisputeInput = { readonly id: string; readonly outcome: DisputeOutcome };

/**
 * Resolves the open dispute of a payment attempt, simulating the payer's bank, and returns the attempt (PAY-32). Throws
 * `transaction_not_found`, and `validation_error` on `id` if the attempt has no open dispute.
 */
export async function resolveDispute(
  ctx: Context,
  { id, outcome }: ResolveDisputeInput,
): Promise<TransactionRow> {
  const { customerId } = await requireTransaction(ctx, id);
  await executeOne(ctx, customerId, { kind: 'dispute.resolve', transactionId: id, outcome });
  // The cached attempt is outdated.
  ctx.forget();
  return requireTransaction(ctx, id);
}
