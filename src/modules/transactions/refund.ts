import type { Context } from '../../context.ts';
import type { RefundReason } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { executeOne } from '../../engine/execute.ts';
import type { Row } from '../../platform/db/rows.ts';
import { newId } from '../../platform/ids.ts';
import { requireTransaction } from './store.ts';

/** Which attempt to return, how much of it in minor units of its currency, all that is left by default, and why. */
export type RefundTransactionInput = {
  readonly id: string;
  readonly amount?: number | null | undefined;
  readonly reason?: RefundReason | null | undefined;
};

/**
 * Returns money of a settled attempt and answers the refund (PAY-26 … PAY-30). Throws `transaction_not_found`; `validation_error` on `id`
 * when there is nothing that can be returned, and on `amount` when less is left; `payment_failed` when the gateway declines.
 */
export async function refundTransaction(
  ctx: Context,
  { id, amount, reason }: RefundTransactionInput,
): Promise<Row<'Refund'>> {
  const { customerId } = await requireTransaction(ctx, id);
  // A request made again goes on with the refund it asked for.
  const refundId = ctx.resumeLog?.left?.[0] ?? newId('ref');
  await executeOne(ctx, customerId, {
    kind: 'transaction.refund',
    transactionId: id,
    refundId,
    amountMinor: amount == null ? null : BigInt(amount),
    reason: reason ?? null,
  });
  // The attempt read before is out of date.
  ctx.forget();
  const refund = await ctx.db.refund.findFirst({ where: { id: refundId } });
  if (refund === null) throw new QuittanceError('internal_error', `The refund ${refundId} was not stored.`);
  return refund;
}
