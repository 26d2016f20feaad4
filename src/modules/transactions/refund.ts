import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { RefundReason } from '../../domain/words.ts';
import { executeOne } from '../../engine/execute.ts';
import { newId } from '../../infra/ids.ts';
import type { Row } from '../../infra/rows.ts';
import { requireTransaction } from './service.ts';

/** Which attempt to return, how much of it in minor units of its currency, all that is left unless told, and why. */
export type RefundTransactionInput = {
  readonly id: string;
  readonly amount?: number | null | undefined;
  readonly reason?: RefundReason | null | undefined;
};

/**
 * Returns money of a settled attempt and answers the refund (PAY-26 … PAY-30). Throws `transaction_not_found`; `validation_error` on `id`
 * when there is nothing that can be returned, and on `amount` when less is left; `payment_failed` when the gateway declines.
 */
export async function refundTransaction(context: Context, { id, amount, reason }: RefundTransactionInput): Promise<Row<'Refund'>> {
  const { customerId } = await requireTransaction(context, id);
  // A request made again goes on with the refund it asked for.
  const refundId = context.journal?.left?.[0] ?? newId('ref');
  await executeOne(context, customerId, {
    kind: 'transaction.refund',
    transactionId: id,
    refundId,
    amountMinor: amount == null ? null : BigInt(amount),
    reason: reason ?? null,
  });
  // The attempt read before is out of date.
  context.forget();
  const refund = await context.db.refund.findFirst({ where: { id: refundId } });
  if (refund === null) throw new QuittanceError('internal_error', `The refund ${refundId} was not stored.`);
  return refund;
}
