import { specificError } from '../../../domain/errors/errors.ts';
import type { RefundReason } from '../../../domain/rows/enums.ts';
import { type CustomerCommand, executeOne } from '../../../engine/execute.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { findRefunds, requireTransaction } from './store.ts';

/** Parameters for a refund. `amount` is in minor units of the attempt's currency and defaults to the full refundable amount. */
export type RefundTransactionInput = {
  readonly id: string;
  readonly amount?: number | null | undefined;
  readonly reason?: RefundReason | null | undefined;
  readonly cancelSubscription?: boolean | null | undefined;
};

/** Returns the command that refunds a payment attempt, and the attempt's customer. Throws `transaction_not_found`. */
export async function refundCommand(
  ctx: Context,
  { id, amount, reason, cancelSubscription }: RefundTransactionInput,
): Promise<CustomerCommand & { readonly input: { readonly refundId: string } }> {
  const { customerId } = await requireTransaction(ctx, id);
  return {
    customerId,
    input: {
      kind: 'transaction.refund',
      transactionId: id,
      // A repeated request continues the refund that the first request started.
      refundId: ctx.resumeLog?.left?.[0] ?? newId('ref'),
      amountMinor: amount == null ? null : BigInt(amount),
      reason: reason ?? null,
      cancelSubscription: cancelSubscription ?? null,
    },
  };
}

/**
 * Refunds a successful payment attempt and returns the refund (PAY-26 … PAY-30). Throws `transaction_not_found`, `validation_error` on `id`
 * if no amount is refundable or on `amount` if it exceeds the refundable amount, and `payment_failed` if the payment provider declines the
 * refund.
 */
export async function refundTransaction(
  ctx: Context,
  request: RefundTransactionInput,
): Promise<Row<'Refund'>> {
  const { customerId, input } = await refundCommand(ctx, request);
  await executeOne(ctx, customerId, input);
  // The cached attempt is outdated.
  ctx.forget();
  const { refundId } = input;
  const [refund] = await findRefunds(ctx, [refundId]);
  if (refund === undefined) throw specificError('internal_error', 'refund_lost', { values: { refundId } });
  return refund;
}
