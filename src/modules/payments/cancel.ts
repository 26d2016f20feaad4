import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { paymentLinkEvent } from '../../domain/payment/event-data.ts';
import { canceledPayment, cancelRefusal } from '../../domain/payment/payment.ts';
import { executeOne, takeBack } from '../../engine/execute.ts';
import { updateRows } from '../../infra/bulk.ts';
import { lockPayment } from '../../infra/payment-rows.ts';
import { inTransaction, recordEvents } from '../../transaction.ts';
import { awaitedAttempt } from './attempts.ts';
import { type PaymentRow, requirePayment, rereadPayment } from './service.ts';

/**
 * Withdraws a link that has not been paid (PAY-5) and answers it; again, it changes nothing. Throws `payment_not_found`, and
 * `payment_not_cancelable` for a charge, a paid link and one that is being paid.
 */
export async function cancelPayment(context: Context, paymentId: string): Promise<PaymentRow> {
  const payment = await requirePayment(context, paymentId);
  // What could not be taken back may yet take money: the decision refuses then.
  const { givenUp } = await takeBack(context, awaitedAttempt(payment)?.attemptId ?? null);
  const payer = payment.payerId ?? (await cancelUntried(context, paymentId));
  if (payer !== null) await executeOne(context, payer, { kind: 'payment.cancel', paymentId, givenUp });
  return rereadPayment(context, paymentId);
}

/** Withdraws a link without customer that nobody has tried; answers who has tried it meanwhile, else null. */
const cancelUntried = (context: Context, paymentId: string): Promise<string | null> =>
  inTransaction(context, async (tx) => {
    const payment = await lockPayment(tx.sql, paymentId);
    if (payment.payerId !== null) return payment.payerId;
    const refusal = cancelRefusal(payment);
    if (refusal !== null) throw new QuittanceError(refusal.code, refusal.message);
    if (payment.status === 'canceled') return null;
    const now = tx.clock.now();
    const canceled = canceledPayment(payment, now);
    await updateRows(tx.sql, 'Payment', [{ ...canceled, seq: payment.seq }]);
    await recordEvents(tx, [{ ...paymentLinkEvent('payment_link.canceled', canceled, null), customerId: null, occurredAt: now }]);
    return null;
  });
