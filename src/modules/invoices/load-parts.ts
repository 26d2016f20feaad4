import type { Context } from '../../context.ts';
import type { Explanation } from '../../domain/invoicing/explanation.ts';
import type { InvoiceBuyer as Buyer, InvoiceSeller as Seller } from '../../domain/invoicing/parties.ts';
import { pageUrl } from '../../engine/events.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Columns } from '../../platform/db/columns.ts';
import type { Row } from '../../platform/db/rows.ts';

/** A line with the currency of its invoice. */
export type LineItem = Omit<Row<'InvoiceLine'>, 'explanation'> & {
  readonly explanation: Explanation;
  readonly currency: string;
};

/** What a line has of its invoice. */
const ofInvoice: ReadonlySet<string> = new Set(['currency']);

/** The lines of an invoice in their order. Batched: all invoices of a page share one statement. */
export async function loadLines(
  ctx: Context,
  { id, currency }: Pick<Row<'Invoice'>, 'id' | 'currency'>,
  columns: Columns = 'all',
): Promise<LineItem[]> {
  const own =
    columns === 'all' || columns.isDisjointFrom(ofInvoice) ? columns : columns.difference(ofInvoice);
  const lines = await loadRowsBy(ctx, 'InvoiceLine', 'invoiceId', id, 'position', {}, own);
  // The rows are the loader's own, and stay what it read.
  return lines.map((line) => Object.assign(line, { currency }));
}

/** The line with this id, or null. Batched; its invoice is read where its currency is asked for. */
export async function loadLine(ctx: Context, id: string, columns: Columns): Promise<object | null> {
  const isPriced = columns === 'all' || !columns.isDisjointFrom(ofInvoice);
  const own = columns === 'all' ? columns : columns.difference(ofInvoice).union(new Set(['invoiceId']));
  const line = await loadRow(ctx, 'InvoiceLine', id, own);
  if (line === null || !isPriced) return line;
  const { currency } = await loadExistingRow(ctx, 'Invoice', line.invoiceId, ofInvoice);
  return Object.assign(line, { currency });
}

/** The buyer frozen with an invoice. Batched. */
export async function loadBuyer(ctx: Context, { buyerId }: Pick<Row<'Invoice'>, 'buyerId'>): Promise<Buyer> {
  const { data } = await loadExistingRow(ctx, 'InvoiceParty', buyerId);
  if (!('email' in data)) throw new Error(`The party ${buyerId} is no buyer.`);
  return data;
}

/** The seller frozen with an invoice. Batched. */
export async function loadSeller(
  ctx: Context,
  { sellerId }: Pick<Row<'Invoice'>, 'sellerId'>,
): Promise<Seller> {
  const { data } = await loadExistingRow(ctx, 'InvoiceParty', sellerId);
  if (!('taxId' in data)) throw new Error(`The party ${sellerId} is no seller.`);
  return data;
}

type Paid = Pick<Row<'Invoice'>, 'id' | 'status' | 'type' | 'subscriptionId'>;

/** The invoices of a subscription that a page takes payment for. */
const paidAtPages: ReadonlySet<string> = new Set(['checkoutInvoiceId', 'dunningInvoiceId']);

/**
 * The page where an invoice is paid: the checkout it waits at, or the one that brings its subscription back; null when there is none. Batched.
 */
export async function loadPayUrl(
  ctx: Context,
  { id, status, type, subscriptionId }: Paid,
): Promise<string | null> {
  if (status !== 'outstanding' || subscriptionId === null) return null;
  const subscription = await loadExistingRow(ctx, 'Subscription', subscriptionId, paidAtPages);
  if (subscription.checkoutInvoiceId === id) return pageUrl(ctx, 'checkout', subscriptionId);
  return subscription.dunningInvoiceId === id || type === 'reactivation' ? pageUrl(ctx, 'recover', id) : null;
}
