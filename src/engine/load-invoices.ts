import type { CreditUse, CustomerCreditRow, InvoiceRow } from '../domain/subscription/state/aggregate.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { LoadBatch } from './load-batch.ts';

/** Open invoices, those of named transactions, and those to be corrected with the credit notes they have. */
export const loadInvoices = async (batch: LoadBatch): Promise<InvoiceRow[]> =>
  batch.ctx.sql<InvoiceRow>(
    `SELECT ${columnList('Invoice', 't')} FROM "Invoice" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status IN ('draft', 'outstanding')
     UNION ALL
     SELECT ${columnList('Invoice', 't')} FROM (
       SELECT "invoiceId" AS id FROM "Transaction" WHERE "environmentId" = $1 AND id = ANY($3)
       UNION SELECT unnest($4::text[])
       UNION SELECT id FROM "Invoice" WHERE "environmentId" = $1 AND "correctsInvoiceId" = ANY($4)) AS named
     CROSS JOIN LATERAL (SELECT * FROM "Invoice" WHERE "environmentId" = $1 AND id = named.id OFFSET 0) AS t
     WHERE t.status NOT IN ('draft', 'outstanding')
     ORDER BY seq`,
    [batch.customerIds, await batch.transactionIds(), batch.named.correctedInvoices],
  );

/** What the invoices took from credits. */
export const loadCreditUses = async (batch: LoadBatch): Promise<CreditUse[]> =>
  batch.ctx.sql<CreditUse>(
    `SELECT t."invoiceId", t."creditId", -t.amount AS "amountMinor" FROM "InvoiceLine" t
     WHERE t."environmentId" = $1 AND t."invoiceId" = ANY($2) AND t."creditId" IS NOT NULL ORDER BY t."invoiceId", t.position`,
    [await batch.ids('invoices')],
  );

/** The credits of the customers that can be used when the first command is due or later, those the invoices took from, and those named. */
export async function loadCredits(batch: LoadBatch): Promise<CustomerCreditRow[]> {
  const earliest = new Date(Math.min(...batch.addressed.map(({ command }) => command.dueAt.getTime())));
  const uses = await batch.get('creditUses');
  return batch.ctx.sql<CustomerCreditRow>(
    `SELECT ${columnList('CustomerCredit', 't')} FROM "CustomerCredit" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2)
       AND t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3)
     UNION ALL
     SELECT ${columnList('CustomerCredit', 't')} FROM "CustomerCredit" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2)
       AND t.id = ANY($4) AND NOT (t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3))
     ORDER BY "createdAt", seq`,
    [batch.customerIds, earliest, [...batch.named.credits, ...uses.map(({ creditId }) => creditId)]],
  );
}
