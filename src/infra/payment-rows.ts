import type { PaymentRow } from '../domain/payment/rows.ts';
import { columnList } from './bulk.ts';
import type { Query } from './db.ts';

/** Locks the payment until the transaction ends and answers it. Throws when it does not exist. */
export async function lockPayment(sql: Query, id: string): Promise<PaymentRow & { readonly seq: bigint }> {
  const [row] = await sql<PaymentRow & { readonly seq: bigint }>(
    `SELECT ${columnList('Payment', 't')} FROM "Payment" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  if (row === undefined) throw new Error(`The payment ${id} does not exist.`);
  return row;
}

/** Locks an e-mail address of the environment until the transaction ends: whoever finds nobody with it may make the customer. */
export async function lockEmail(sql: Query, email: string): Promise<void> {
  await sql(`SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`, [email]);
}

/** The oldest customer with exactly this e-mail address, by (createdAt, seq); null without one. */
export async function oldestCustomer(sql: Query, email: string): Promise<string | null> {
  const [row] = await sql<{ id: string }>(
    `SELECT t.id FROM "Customer" t WHERE t."environmentId" = $1 AND t.email = $2 ORDER BY t."createdAt", t.seq LIMIT 1`,
    [email],
  );
  return row?.id ?? null;
}
