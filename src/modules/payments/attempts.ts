import type { Context } from '../../context.ts';
import type { PaymentAttempt } from '../../domain/payment/rows.ts';
import type { PaymentRow } from './service.ts';

/** The attempt of a payment that waits for its payer to authenticate; null when none does. */
export function awaitedAttempt({ status, attempt }: Pick<PaymentRow, 'status' | 'attempt'>): PaymentAttempt | null {
  // The engine is the only writer of the column and stores exactly this.
  return status === 'requires_action' ? (attempt as PaymentAttempt | null) : null;
}

/** The payment a charge made before was of: a request made again goes on with it (protocols A4); null for a request made first. */
export async function paymentLeft(context: Context): Promise<string | null> {
  const [attemptId] = context.journal?.left ?? [];
  if (attemptId === undefined) return null;
  return (await context.db.transaction.findFirst({ where: { id: attemptId } }))?.paymentId ?? null;
}
