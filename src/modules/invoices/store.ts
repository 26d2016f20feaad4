import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { invoiceNumberText } from '../../domain/invoicing/number.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

/** The invoice with this id. Throws `invoice_not_found`. */
export async function requireInvoice(ctx: Context, id: string): Promise<Row<'Invoice'>> {
  const invoice = await loadRow(ctx, 'Invoice', id);
  if (invoice === null) throw new QuittanceError('invoice_not_found', { param: 'id' });
  return invoice;
}

/** The number of an invoice as documents show it; null for none. Batched. */
export async function loadInvoiceNumber(ctx: Context, id: string | null): Promise<string | null> {
  const invoice = id === null ? null : await loadRow(ctx, 'Invoice', id, new Set(['number']));
  return invoice === null ? null : invoiceNumberText(invoice.number);
}

/** The lines of an invoice that draw on a credit. */
export const findCreditLines = (ctx: Context, invoiceId: string): Promise<Row<'InvoiceLine'>[]> =>
  ctx.db.invoiceLine.findMany({ where: { invoiceId, creditId: { not: null } } });

/** The newest invoice of a subscription that money was paid for since an instant, by the environment's clock; null without one. */
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

/** What paid invoices of one currency were lowered by through an offer, minor units; `readCount` counts the unpaid ones too. */
export type OfferSavings = {
  readonly offerId: string;
  readonly currency: string;
  readonly invoiceCount: number;
  readonly amount: bigint;
  readonly readCount: number;
};

/** What customers saved by each of some offers, of up to `limit` invoices of each. One statement. */
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
