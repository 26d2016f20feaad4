import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { paymentLinkEvent } from '../../domain/payments/event-data.ts';
import { cancellation, cancelRejection } from '../../domain/payments/payment.ts';
import { executeOne, takeBack } from '../../engine/execute.ts';
import { updateRows } from '../../platform/db/bulk.ts';
import { inTransaction, recordEvents } from '../../transaction.ts';
import { awaitedAttempt, lockPayment, type PaymentRow, requirePayment, rereadPayment } from './store.ts';

/**
 * Withdraws a link that has not been paid (PAY-5) and answers it; again, it changes nothing. Throws `payment_not_found`, and
 * `payment_not_cancelable` for a charge, a paid link and one that is being paid.
 */
export async function cancelPayment(ctx: Context, paymentId: string): Promise<PaymentRow> {
  const payment = await requirePayment(ctx, paymentId);
  // What could not be taken back may yet take money: the decision rejects then.
  const { abandoned } = await takeBack(ctx, awaitedAttempt(payment)?.attemptId ?? null);
  const payer = payment.payerId ?? (await cancelUntried(ctx, paymentId));
  if (payer !== null) await executeOne(ctx, payer, { kind: 'payment.cancel', paymentId, abandoned });
  return rereadPayment(ctx, paymentId);
}

/** Withdraws a link without customer that nobody has tried; answers who has tried it meanwhile, else null. */
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
