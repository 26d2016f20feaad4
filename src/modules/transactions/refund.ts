import type { Context } from '../../context.ts';
import type { RefundReason } from '../../domain/enums.ts';
import { specificError } from '../../domain/errors.ts';
import { type CustomerCommand, executeOne } from '../../engine/execute.ts';
import type { Row } from '../../platform/db/rows.ts';
import { newId } from '../../platform/ids.ts';
import { findRefunds, requireTransaction } from './store.ts';

/** Which attempt to return, how much of it in minor units of its currency, all that is left by default, and why. */
export type RefundTransactionInput = {
  readonly id: string;
  readonly amount?: number | null | undefined;
  readonly reason?: RefundReason | null | undefined;
};

/** The command that returns money of an attempt, and of whom. Throws `transaction_not_found`. */
export async function refundCommand(
  ctx: Context,
  { id, amount, reason }: RefundTransactionInput,
): Promise<CustomerCommand & { readonly input: { readonly refundId: string } }> {
  const { customerId } = await requireTransaction(ctx, id);
  return {
    customerId,
    input: {
      kind: 'transaction.refund',
      transactionId: id,
      // A request made again continues the refund it asked for.
      refundId: ctx.resumeLog?.left?.[0] ?? newId('ref'),
      amountMinor: amount == null ? null : BigInt(amount),
      reason: reason ?? null,
    },
  };
}

/**
 * Returns money of a settled attempt and answers the refund (PAY-26 … PAY-30). Throws `transaction_not_found`; `validation_error` on `id`
 * when there is nothing that can be returned, and on `amount` when less is left; `payment_failed` when the gateway declines.
 */
export async function refundTransaction(
  ctx: Context,
  request: RefundTransactionInput,
): Promise<Row<'Refund'>> {
  const { customerId, input } = await refundCommand(ctx, request);
  await executeOne(ctx, customerId, input);
  // The attempt read before is out of date.
  ctx.forget();
  const { refundId } = input;
  const [refund] = await findRefunds(ctx, [refundId]);
  if (refund === undefined) throw specificError('internal_error', 'refund_lost', { values: { refundId } });
  return refund;
}
