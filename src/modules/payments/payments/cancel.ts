import { QuittanceError } from '../../../domain/errors/errors.ts';
import { paymentLinkEvent } from '../../../domain/events/payment-link-data.ts';
import { cancellation, cancelRejection } from '../../../domain/payments/payment.ts';
import { cancelAuthentication, executeOne } from '../../../engine/execute.ts';
import { updateRows } from '../../../platform/db/bulk.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import { lockPayment, type PaymentRow, requirePayment, rereadPayment, waitingAttemptId } from './store.ts';

/**
 * Cancels an unpaid payment link (PAY-5) and returns it. Canceling it repeatedly has no effect. Throws
 * `payment_not_found`, and `payment_not_cancelable` if the payment is a charge, is paid, or is in progress.
 */
export async function cancelPayment(ctx: Context, paymentId: string): Promise<PaymentRow> {
  const payment = await requirePayment(ctx, paymentId);
  // An attempt that couldn't be canceled may still succeed. In this case, the command rejects the cancellation.
  const { abandoned } = await cancelAuthentication(ctx, waitingAttemptId(payment));
  const payer = payment.payerId ?? (await cancelUntried(ctx, paymentId));
  if (payer !== null) await executeOne(ctx, payer, { kind: 'payment.cancel', paymentId, abandoned });
  return rereadPayment(ctx, paymentId);
}

/**
 * Cancels a link without a customer, unless a payer has already tried to pay with it. Returns the customer ID of that payer, or `null` if
 * no one has tried to pay.
 */
const cancelUntried = (ctx: Context, paymentId: string): Promise<string | null> =>
  inTransaction(ctx, async (tx) => {
    const payment = await lockPayment(tx.sql, paymentId);
    if (payment.payerId !== null) return payment.payerId;
    const rejection = cancelRejection(payment);
    if (rejection !== null) throw new QuittanceError({ code: rejection.code, message: rejection.message });
    if (payment.status === 'canceled') return null;
    const now = tx.clock.now();
    const canceled = { ...payment, ...cancellation(now) };
    await updateRows(tx.sql, 'Payment', [{ ...canceled, seq: payment.seq }]);
    await recordEvents(tx, [
      { ...paymentLinkEvent('payment_link.canceled', canceled, null), customerId: null, occurredAt: now },
    ]);
    return null;
  });
