import type { Context } from '../../context.ts';
import type { PaymentAttempt } from '../../domain/payment/rows.ts';
import type { CommandResult } from '../../domain/subscription/aggregate.ts';
import { KeptRefusalError, settleOne } from '../../engine/execute.ts';
import type { PaymentRow } from './service.ts';

/** The attempt of a payment that waits for its payer to authenticate; null when none does. */
export function awaitedAttempt({ status, attempt }: Pick<PaymentRow, 'status' | 'attempt'>): PaymentAttempt | null {
  // The engine is the only writer of the column and stores exactly this.
  return status === 'requires_action' ? (attempt as PaymentAttempt | null) : null;
}

/** An authentication that was given up, or how the payment stands because that could not be. */
export type TakenBack = { readonly givenUp: string | null; readonly instead: CommandResult | null };

/**
 * Takes back, at a processor at the other end of a network, the attempt whose payer was to authenticate, so that only a new one can take
 * money. Answers which attempt that was, and how the payment stands when it was too late or the processor has not answered.
 */
export async function takeBack(context: Context, payment: PaymentRow): Promise<TakenBack> {
  const givenUp = awaitedAttempt(payment)?.attemptId ?? null;
  if (givenUp === null) return { givenUp, instead: null };
  try {
    const instead = await settleOne(context, givenUp, 'cancel');
    return instead === null ? { givenUp, instead } : { givenUp: null, instead };
  } catch (error) {
    if (error instanceof KeptRefusalError && error.code === 'payment_failed') return { givenUp, instead: null };
    throw error;
  }
}

/** The payment a charge made before was of: a request made again goes on with it (protocols A4); null for a request made first. */
export async function paymentLeft(context: Context): Promise<string | null> {
  const [attemptId] = context.journal?.left ?? [];
  if (attemptId === undefined) return null;
  return (await context.db.transaction.findFirst({ where: { id: attemptId } }))?.paymentId ?? null;
}
