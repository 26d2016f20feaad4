import type { Context } from '../../context.ts';
import type { PaymentAttempt } from '../../domain/payment/rows.ts';
import { KeptRefusalError, settleOne } from '../../engine/execute.ts';
import type { PaymentRow } from './service.ts';

/** The attempt of a payment that waits for its payer to authenticate; null when none does. */
export function awaitedAttempt({ status, attempt }: PaymentRow): string | null {
  // The engine is the only writer of the column and stores exactly this.
  const pending = attempt as PaymentAttempt | null;
  return status === 'requires_action' ? (pending?.attemptId ?? null) : null;
}

/**
 * Takes back, at a processor at the other end of a network, the attempt whose payer was to authenticate, so that only a new one can take
 * money. Answers how the payment stands when it was too late for that; null when there is nothing left to take back.
 */
export async function takeBack(context: Context, payment: PaymentRow): Promise<string | null> {
  const attemptId = context.journal?.left == null ? awaitedAttempt(payment) : null;
  if (attemptId === null) return null;
  try {
    return (await settleOne(context, attemptId, 'cancel'))?.status ?? null;
  } catch (error) {
    if (error instanceof KeptRefusalError && error.code === 'payment_failed') return null;
    throw error;
  }
}

/** The payment a charge made before was of: a request made again goes on with it (protocols A4); null for a request made first. */
export async function paymentLeft(context: Context): Promise<string | null> {
  const [attemptId] = context.journal?.left ?? [];
  if (attemptId === undefined) return null;
  return (await context.db.transaction.findFirst({ where: { id: attemptId } }))?.paymentId ?? null;
}
