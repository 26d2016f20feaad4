import type { PaymentRow } from '../domain/payments/rows.ts';
import { needsOf } from '../domain/subscription/decision/command.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { LoadBatch } from './load-batch.ts';
import type { Share } from './share.ts';

/**
 * Locks and reads the one-time payments that commands name, and for those that name an attempt the payments of it and those under way. A link
 * without customer can be asked for by several at once, so its own row is locked, after the customers. No statement when no
 * command can need one.
 */
export async function loadPayments(batch: LoadBatch): Promise<PaymentRow[]> {
  const { ctx, addressed, named } = batch;
  const transactionIds = await batch.transactionIds();
  if (named.payments.length === 0 && transactionIds.length === 0) return [];
  const customerIds = [...new Set(addressed.map(({ customerId }) => customerId))];
  return ctx.sql<PaymentRow>(
    `SELECT ${columnList('Payment', 't')} FROM "Payment" t WHERE t."environmentId" = $1 AND t.id = ANY(ARRAY(
       SELECT unnest($2::text[])
       UNION SELECT id FROM "Payment" WHERE "environmentId" = $1 AND "payerId" = ANY($3) AND cardinality($4::text[]) > 0
         AND status IN ('processing', 'requires_action')
       UNION SELECT p.id FROM "Transaction" x JOIN "Payment" p ON p."environmentId" = $1 AND p.id = x."paymentId" AND p."payerId" = ANY($3)
         WHERE x."environmentId" = $1 AND x.id = ANY($4)))
     ORDER BY t.seq FOR UPDATE`,
    [named.payments, customerIds, transactionIds],
  );
}

/** A decision sees the payments its customer pays, and those its command names. */
export function sharePayments(
  rows: readonly PaymentRow[],
  { addressed }: LoadBatch,
): Share<readonly PaymentRow[]> {
  if (rows.length === 0) return () => rows;
  const named = Map.groupBy(addressed, ({ customerId }) => customerId);
  return ({ customer }) => {
    const ids = (named.get(customer.id) ?? []).flatMap(({ command }) => needsOf(command).payments ?? []);
    return rows.filter(({ id, payerId }) => payerId === customer.id || ids.includes(id));
  };
}
