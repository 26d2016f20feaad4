import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { invoiceNumberText } from '../../domain/invoicing/number.ts';
import { loadRow } from '../../graphql/loaders.ts';
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
