import { instrumentOf } from '../../domain/payments/instruments/registry.ts';
import type {
  MandateRow,
  PaymentMethodRow,
  ReceiptRow,
  RefundRow,
  TransactionRow,
} from '../../domain/subscription/state/aggregate.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { LoadBatch } from './batch.ts';

/** Loads refunds without a final result, and referenced refunds. */
export const loadRefunds = ({ ctx, customerIds, named }: LoadBatch): Promise<RefundRow[]> =>
  ctx.sql<RefundRow>(
    `SELECT ${columnList('Refund', 't')} FROM "Refund" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND (t.status IN ('pending', 'requires_action') OR t.id = ANY($3)) ORDER BY t.seq`,
    [customerIds, named.refunds],
  );

/** SQL condition: the attempt has no final result or has an open dispute. */
const isOpen = `(t.status = 'pending' OR (t.status = 'disputed' AND t."disputeOutcome" IS NULL))`;

/** Loads open attempts, attempts of the loaded invoices, and referenced or refunded attempts. */
export const loadTransactions = async (batch: LoadBatch): Promise<TransactionRow[]> =>
  batch.ctx.sql<TransactionRow>(
    `SELECT ${columnList('Transaction', 't')} FROM "Transaction" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND ${isOpen}
     UNION ALL
     SELECT ${columnList('Transaction', 't')} FROM "Transaction" t
     WHERE t."environmentId" = $1 AND NOT ${isOpen} AND t."invoiceId" = ANY($3)
     UNION ALL
     SELECT ${columnList('Transaction', 't')} FROM "Transaction" t
     WHERE t."environmentId" = $1 AND NOT ${isOpen} AND t.id = ANY($4) AND coalesce(t."invoiceId", '') <> ALL($3)
     ORDER BY seq`,
    [batch.customerIds, await batch.ids('invoices'), await batch.transactionIds()],
  );

export const loadMethods = ({ ctx, customerIds }: LoadBatch): Promise<PaymentMethodRow[]> =>
  ctx.sql<PaymentMethodRow>(
    `SELECT ${columnList('PaymentMethod', 't')} FROM "PaymentMethod" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) ORDER BY t.seq`,
    [customerIds],
  );

/** Loads the mandates of the loaded payment methods. Executes no SQL statement if no payment method needs a mandate. */
export async function loadMandates(batch: LoadBatch): Promise<MandateRow[]> {
  const methods = await batch.get('paymentMethods');
  const ids = methods.filter((row) => instrumentOf(row.instrument).mandate !== 'none').map(({ id }) => id);
  if (ids.length === 0) return [];
  return batch.ctx.sql<MandateRow>(
    `SELECT ${columnList('Mandate', 't')} FROM "Mandate" t WHERE t."environmentId" = $1 AND t."paymentMethodId" = ANY($2) ORDER BY t.seq`,
    [ids],
  );
}

/**
 * Loads and locks receipts with money on account, receipts that paid parts of the loaded invoices, and referenced receipts. Executes
 * no SQL statement if the customers have no money on account and no receipts are referenced.
 */
export async function loadReceipts(batch: LoadBatch): Promise<ReceiptRow[]> {
  const { ctx, customers, named } = batch;
  const holders = customers.filter((row) => row.hasMoneyOnAccount).map(({ id }) => id);
  const transactions = await batch.get('transactions');
  const used = transactions.flatMap(({ receiptId }) => (receiptId === null ? [] : [receiptId]));
  const ids = [...new Set([...named.receipts, ...used])];
  if (holders.length === 0 && ids.length === 0) return [];
  return ctx.sql<ReceiptRow>(
    `SELECT ${columnList('Receipt', 't')} FROM "Receipt" t
     WHERE t."environmentId" = $1 AND ((t."customerId" = ANY($2) AND t.status = 'on_account') OR t.id = ANY($3)) ORDER BY t.seq FOR UPDATE`,
    [holders, ids],
  );
}
