import type { PaymentRow } from '../../domain/rows/payment-rows.ts';
import { needsOf } from '../../domain/subscription/decision/command.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Share } from '../share.ts';
import type { LoadBatch } from './batch.ts';

/**
 * Loads and locks the one-time payments that commands reference. For referenced attempts, also loads their payments
 * and the customers' payments in progress. Payments are locked in addition to customers, because several payers can
 * use a link without a customer at the same time. Customers must be locked first. Executes no SQL statement if no
 * command needs a payment.
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

/**
 * Returns the payments that a decision on a customer can use: the customer's payments, and payments that
 * the command references.
 */
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
