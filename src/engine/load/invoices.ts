import type { CreditUse, InvoiceRow } from '../../domain/subscription/state/aggregate.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { LoadBatch } from './batch.ts';

/**
 * Loads open invoices, invoices of referenced transactions, invoices to credit, and the plan invoice after
 * each refunded invoice.
 */
export const loadInvoices = async (batch: LoadBatch): Promise<InvoiceRow[]> =>
  batch.ctx.sql<InvoiceRow>(
    `SELECT ${columnList('Invoice', 't')} FROM "Invoice" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status IN ('draft', 'outstanding')
     UNION ALL
     SELECT ${columnList('Invoice', 't')} FROM (
       SELECT "invoiceId" AS id FROM "Transaction" WHERE "environmentId" = $1 AND id = ANY($3)
       UNION SELECT unnest($4::text[])
       UNION SELECT next.id FROM "Transaction" x
       JOIN "Invoice" own ON own."environmentId" = $1 AND own.id = x."invoiceId"
       CROSS JOIN LATERAL (
         SELECT n.id FROM "Invoice" n
         WHERE n."environmentId" = $1 AND n."subscriptionId" = own."subscriptionId" AND n.status <> 'void' AND n."finalizedAt" IS NOT NULL
           AND n.type IN ('recurring', 'plan_change', 'reactivation') AND (n."createdAt", n.seq) > (own."createdAt", own.seq)
         ORDER BY n."createdAt", n.seq LIMIT 1) AS next
       WHERE x."environmentId" = $1 AND x.id = ANY($5)) AS named
     CROSS JOIN LATERAL (SELECT * FROM "Invoice" WHERE "environmentId" = $1 AND id = named.id OFFSET 0) AS t
     WHERE t.status NOT IN ('draft', 'outstanding')
     ORDER BY seq`,
    [
      batch.customerIds,
      await batch.transactionIds(),
      batch.named.creditedInvoices,
      batch.named.refundedTransactions,
    ],
  );

/** Loads the customer credits that the invoices use. */
export const loadCreditUses = async (batch: LoadBatch): Promise<CreditUse[]> =>
  batch.ctx.sql<CreditUse>(
    `SELECT t."invoiceId", t."creditId", -t.amount AS "amountMinor" FROM "InvoiceLine" t
     WHERE t."environmentId" = $1 AND t."invoiceId" = ANY($2) AND t."creditId" IS NOT NULL ORDER BY t."invoiceId", t.position`,
    [await batch.ids('invoices')],
  );
