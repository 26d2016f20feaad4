import { QuittanceError } from '../../../domain/errors/errors.ts';
import { invoiceNumberText } from '../../../domain/rows/invoice-number.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Returns the invoice with this ID. Throws `invoice_not_found`. */
export async function requireInvoice(ctx: Context, id: string): Promise<Row<'Invoice'>> {
  const invoice = await loadRow(ctx, 'Invoice', id);
  if (invoice === null) throw new QuittanceError('invoice_not_found', { param: 'id' });
  return invoice;
}

/** Returns an invoice number in the format used on documents. `null` if `id` is `null`. Lookups are batched. */
export async function loadInvoiceNumber(ctx: Context, id: string | null): Promise<string | null> {
  const invoice = id === null ? null : await loadRow(ctx, 'Invoice', id, new Set(['number']));
  return invoice === null ? null : invoiceNumberText(invoice.number);
}

/** Returns the line items on an invoice that are paid with customer credit. */
export const findCreditLines = (ctx: Context, invoiceId: string): Promise<Row<'InvoiceLine'>[]> =>
  ctx.db.invoiceLine.findMany({ where: { invoiceId, creditId: { startsWith: 'crd_' } } });

/**
 * Returns a subscription's newest invoice that was paid at or after a given time, according to the environment's clock.
 * Ignores invoices with a total of 0. `null` if no invoice matches.
 */
export const findPaidSince = (
  ctx: Context,
  subscriptionId: string,
  since: Date,
): Promise<Pick<Row<'Invoice'>, 'id'> | null> =>
  ctx.db.invoice.findFirst({
    where: { subscriptionId, status: 'paid', total: { gt: 0n }, paidAt: { gte: since } },
    orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
    select: { id: true },
  });

/** An offer's discounts on paid invoices in one currency, in minor units. `readCount` includes unpaid invoices. */
export type OfferSavings = {
  readonly offerId: string;
  readonly currency: string;
  readonly invoiceCount: number;
  readonly amount: bigint;
  readonly readCount: number;
};

/** Returns the discounts for several offers, based on up to `limit` invoices per offer. Runs one SQL statement. */
export const readSavings = (
  sql: Query,
  offerIds: readonly string[],
  limit: number,
): Promise<OfferSavings[]> =>
  sql<OfferSavings>(
    `SELECT parent.id AS "offerId", i.currency, count(*)::int AS "readCount", count(*) FILTER (WHERE i.status = 'paid')::int AS "invoiceCount",
       coalesce(-sum(line.amount) FILTER (WHERE i.status = 'paid'), 0)::bigint AS amount
     FROM unnest($2::text[]) AS parent(id) CROSS JOIN LATERAL (
       SELECT l."invoiceId", l.amount FROM "InvoiceLine" l WHERE l."environmentId" = $1 AND l."offerId" = parent.id LIMIT $3) AS line
     JOIN "Invoice" i ON i."environmentId" = $1 AND i.id = line."invoiceId"
     GROUP BY parent.id, i.currency ORDER BY parent.id, i.currency`,
    [offerIds, limit],
  );

/** Records that an invoice was emailed to its customer at the environment's current time. */
export async function noteSent(ctx: Context, invoiceId: string): Promise<void> {
  await ctx.sql('UPDATE "Invoice" SET "sentAt" = $3 WHERE "environmentId" = $1 AND id = $2', [
    invoiceId,
    ctx.clock.now(),
  ]);
}

/** Returns whether an invoice was automatically emailed to its customer when it was issued. */
export async function readWasMailed(ctx: Context, invoiceId: string): Promise<boolean> {
  const found = await ctx.sql(
    `SELECT n.id FROM "Event" e JOIN "EmailNotification" n ON n."environmentId" = $1 AND n."eventId" = e.id
     WHERE e."environmentId" = $1 AND e."invoiceId" = $2 AND n.kind = 'invoice' AND n.status = 'sent' LIMIT 1`,
    [invoiceId],
  );
  return found.length > 0;
}
