import { QuittanceError } from '../../../domain/errors/errors.ts';
import { paymentNotFound } from '../../../domain/payments/payment.ts';
import type { PaymentRow as DomainPaymentRow, PaymentAttempt } from '../../../domain/rows/payment-rows.ts';
import { isPush } from '../../../domain/subscription/invoicing/push-terms.ts';
import { foldEmail } from '../../../domain/text/folding.ts';
import { pageUrl } from '../../../engine/events.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type PaymentRow = Row<'Payment'>;

/** Locks a payment until the transaction ends and returns it. Throws if the payment doesn't exist. */
export async function lockPayment(
  sql: Query,
  id: string,
): Promise<DomainPaymentRow & { readonly seq: bigint }> {
  const [row] = await sql<DomainPaymentRow & { readonly seq: bigint }>(
    `SELECT ${columnList('Payment', 't')} FROM "Payment" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  if (row === undefined) throw new Error(`The payment ${id} is missing.`);
  return row;
}

/**
 * Locks an email address in the environment until the transaction ends. The lock prevents concurrent requests from creating two customers
 * with the address.
 */
export async function lockEmail(sql: Query, email: string): Promise<void> {
  await sql(`SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`, [foldEmail(email)]);
}

/** Returns the payment with this ID. Throws `payment_not_found`. */
export async function requirePayment(ctx: Context, id: string): Promise<PaymentRow> {
  const payment = await loadRow(ctx, 'Payment', id);
  if (payment === null) throw new QuittanceError(paymentNotFound);
  return payment;
}

/** Reloads a payment after a change. Clears the cached rows. */
export function rereadPayment(ctx: Context, id: string): Promise<PaymentRow> {
  ctx.forget();
  return requirePayment(ctx, id);
}

/** Returns the URL of a payment link's page. The URL is stable and doesn't expire (PAY-6). `null` if the payment is a charge. */
export const paymentUrl = (
  ctx: Context,
  { id, kind }: Pick<PaymentRow, 'id' | 'kind'>,
): Promise<string> | null => (kind === 'link' ? pageUrl(ctx, 'pay', id) : null);

/** Returns the ID of the attempt that waits for the payer: an authentication, or instructions. `null` if no attempt waits. */
export const waitingAttemptId = ({
  status,
  attempt,
}: Pick<PaymentRow, 'status' | 'attempt'>): string | null =>
  status === 'requires_action' ? (attempt?.attemptId ?? null) : null;

/** Returns the attempt that requires the payer to authenticate. `null` if no attempt requires authentication. */
export function awaitedAttempt({
  status,
  attempt,
}: Pick<PaymentRow, 'status' | 'attempt'>): PaymentAttempt | null {
  const isInstructed = attempt?.method != null && isPush(attempt.method);
  return status === 'requires_action' && !isInstructed ? attempt : null;
}

/** Returns the ID of the payment that an earlier attempt at this request created. `null` on the first attempt. */
export async function paymentLeft(ctx: Context): Promise<string | null> {
  const [attemptId] = ctx.resumeLog?.left ?? [];
  if (attemptId === undefined) return null;
  return (await ctx.db.transaction.findFirst({ where: { id: attemptId } }))?.paymentId ?? null;
}
