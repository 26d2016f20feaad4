import type { CreditUse, CustomerCreditRow, InvoiceRow } from '../domain/subscription/state/aggregate.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { LoadBatch } from './load-batch.ts';

/** Open invoices, those of named transactions, and those to be corrected with the credit notes they have. */
export const loadInvoices = (batch: LoadBatch): Promise<InvoiceRow[]> =>
  batch.ctx.sql<InvoiceRow>(
    `SELECT ${columnList('Invoice', 't')} FROM "Invoice" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status IN ('draft', 'outstanding')
     UNION ALL
     SELECT ${columnList('Invoice', 't')} FROM "Invoice" t
     WHERE t."environmentId" = $1 AND t.status NOT IN ('draft', 'outstanding')
       AND (t.id IN (SELECT "invoiceId" FROM "Transaction" WHERE "environmentId" = $1 AND id = ANY($3))
         OR t.id = ANY($4) OR t."correctsInvoiceId" = ANY($4))
     ORDER BY seq`,
    [batch.customerIds, batch.transactionIds, batch.named.correctedInvoices],
  );

/** What the invoices took from credits. */
export const loadCreditUses = (batch: LoadBatch): Promise<CreditUse[]> =>
  batch.ctx.sql<CreditUse>(
    `SELECT t."invoiceId", t."creditId", -t.amount AS "amountMinor" FROM "InvoiceLine" t
     WHERE t."environmentId" = $1 AND t."invoiceId" = ANY($2) AND t."creditId" IS NOT NULL ORDER BY t."invoiceId", t.position`,
    [batch.ids('invoices')],
  );

/** The credits of the customers that can be used when the first command is due or later, those the invoices took from, and those named. */
export function loadCredits(batch: LoadBatch): Promise<CustomerCreditRow[]> {
  const earliest = new Date(Math.min(...batch.addressed.map(({ command }) => command.dueAt.getTime())));
  return batch.ctx.sql<CustomerCreditRow>(
    `SELECT ${columnList('CustomerCredit', 't')} FROM "CustomerCredit" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2)
       AND t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3)
     UNION ALL
     SELECT ${columnList('CustomerCredit', 't')} FROM "CustomerCredit" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2)
       AND t.id = ANY($4) AND NOT (t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3))
     ORDER BY "createdAt", seq`,
    [
      batch.customerIds,
      earliest,
      [...batch.named.credits, ...batch.get('creditUses').map(({ creditId }) => creditId)],
    ],
  );
}
