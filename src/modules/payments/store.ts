import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { paymentNotFound } from '../../domain/payments/payment.ts';
import type { PaymentRow as DomainPaymentRow, PaymentAttempt } from '../../domain/payments/rows.ts';
import { pageUrl } from '../../engine/events.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

export type PaymentRow = Row<'Payment'>;

/** Locks the payment until the transaction ends and answers it. Throws when it does not exist. */
export async function lockPayment(
  sql: Query,
  id: string,
): Promise<DomainPaymentRow & { readonly seq: bigint }> {
  const [row] = await sql<DomainPaymentRow & { readonly seq: bigint }>(
    `SELECT ${columnList('Payment', 't')} FROM "Payment" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  if (row === undefined) throw new Error(`The payment ${id} does not exist.`);
  return row;
}

/** Locks an email address of the environment until the transaction ends: a caller that finds no customer with it may create one. */
export async function lockEmail(sql: Query, email: string): Promise<void> {
  await sql(`SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`, [email]);
}

/** The payment with this id. Throws `payment_not_found`. */
export async function requirePayment(ctx: Context, id: string): Promise<PaymentRow> {
  const payment = await loadRow(ctx, 'Payment', id);
  if (payment === null) throw new QuittanceError(paymentNotFound);
  return payment;
}

/** The payment as it is after a change: what was read before is forgotten. */
export function rereadPayment(ctx: Context, id: string): Promise<PaymentRow> {
  ctx.forget();
  return requirePayment(ctx, id);
}

/** The address of the page a link is paid at, the same each time and permanently (PAY-6); null for a charge. */
export const paymentUrl = (
  ctx: Context,
  { id, kind }: Pick<PaymentRow, 'id' | 'kind'>,
): Promise<string> | null => (kind === 'link' ? pageUrl(ctx, 'pay', id) : null);

/** The attempt of a payment that waits for its payer to authenticate; null when none does. */
export function awaitedAttempt({
  status,
  attempt,
}: Pick<PaymentRow, 'status' | 'attempt'>): PaymentAttempt | null {
  return status === 'requires_action' ? attempt : null;
}

/** The payment a charge made before was of: a request made again goes on with it; null for a request made first. */
export async function paymentLeft(ctx: Context): Promise<string | null> {
  const [attemptId] = ctx.resumeLog?.left ?? [];
  if (attemptId === undefined) return null;
  return (await ctx.db.transaction.findFirst({ where: { id: attemptId } }))?.paymentId ?? null;
}
