import type { InvoiceBuyer as Buyer, InvoiceSeller as Seller } from '../../../domain/invoicing/parties.ts';
import type { Explanation } from '../../../domain/rows/explanation.ts';
import { pageUrl } from '../../../engine/events.ts';
import { loadExistingRow, loadRow, loadRowsBy, rowsLoader } from '../../../graphql/reading/loaders.ts';
import type { Columns } from '../../../platform/db/columns.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Line item with the currency of its invoice. */
export type LineItem = Omit<Row<'InvoiceLine'>, 'explanation'> & {
  readonly explanation: Explanation;
  readonly currency: string;
};

/** Line item fields whose values come from the invoice. */
const ofInvoice: ReadonlySet<string> = new Set(['currency']);

export type LinesLoader = (invoice: Pick<Row<'Invoice'>, 'id' | 'currency'>) => Promise<LineItem[]>;

/**
 * Returns a function that loads an invoice's line items in order. Batched: runs one SQL statement for all invoices on a
 * page.
 */
export function linesLoader(ctx: Context, columns: Columns = 'all'): LinesLoader {
  const isPriced = columns === 'all' || !columns.isDisjointFrom(ofInvoice);
  const own = columns === 'all' || !isPriced ? columns : columns.difference(ofInvoice);
  const load = rowsLoader(ctx, 'InvoiceLine', 'invoiceId', 'position', {}, own);
  // The cast is safe because fields that use the currency declare the column.
  if (!isPriced) return ({ id }) => load(id) as unknown as Promise<LineItem[]>;
  // No other code uses the row objects, so the loader can modify them.
  return async ({ id, currency }) => (await load(id)).map((line) => Object.assign(line, { currency }));
}

/** Loads an invoice's line items in order. Batched like `linesLoader`. */
export const loadLines = (ctx: Context, invoice: Parameters<LinesLoader>[0]): Promise<LineItem[]> =>
  linesLoader(ctx)(invoice);

/**
 * Loads a line item by ID. `null` if the line item doesn't exist. Lookups are batched. Reads the invoice only if the
 * query selects the currency.
 */
export async function loadLine(ctx: Context, id: string, columns: Columns): Promise<object | null> {
  const isPriced = columns === 'all' || !columns.isDisjointFrom(ofInvoice);
  const own = columns === 'all' ? columns : columns.difference(ofInvoice).union(new Set(['invoiceId']));
  const line = await loadRow(ctx, 'InvoiceLine', id, own);
  if (line === null || !isPriced) return line;
  const { currency } = await loadExistingRow(ctx, 'Invoice', line.invoiceId, ofInvoice);
  return Object.assign(line, { currency });
}

/** Loads the line items that charge or credit a correction of usage. Lookups are batched. */
export async function loadLinesOfCorrection(ctx: Context, correctionId: string): Promise<LineItem[]> {
  const lines = await loadRowsBy(ctx, 'InvoiceLine', 'correctionId', correctionId, 'id');
  return Promise.all(
    lines.map(async (line) => {
      const { currency } = await loadExistingRow(ctx, 'Invoice', line.invoiceId, ofInvoice);
      return { ...line, currency };
    }),
  );
}

/** Loads the buyer recorded on an invoice. Lookups are batched. */
export async function loadBuyer(ctx: Context, { buyerId }: Pick<Row<'Invoice'>, 'buyerId'>): Promise<Buyer> {
  const { data } = await loadExistingRow(ctx, 'InvoiceParty', buyerId);
  if (!('email' in data)) throw new Error(`The party ${buyerId} isn't a buyer.`);
  return data;
}

/** Loads the seller recorded on an invoice. Lookups are batched. */
export async function loadSeller(
  ctx: Context,
  { sellerId }: Pick<Row<'Invoice'>, 'sellerId'>,
): Promise<Seller> {
  const { data } = await loadExistingRow(ctx, 'InvoiceParty', sellerId);
  if (!('taxId' in data)) throw new Error(`The party ${sellerId} isn't a seller.`);
  return data;
}

type Paid = Pick<Row<'Invoice'>, 'id' | 'status' | 'type' | 'subscriptionId' | 'payableUntil'>;

/** Subscription columns with the IDs of invoices that can be paid on a hosted page. */
const paidAtPages: ReadonlySet<string> = new Set(['checkoutInvoiceId', 'dunningInvoiceId']);

/**
 * Returns the URL of the page where an invoice can be paid, which is the subscription's open checkout or the invoice's payment page.
 * `null` if no page accepts payments for the invoice. Lookups are batched.
 */
export async function loadPayUrl(
  ctx: Context,
  { id, status, type, subscriptionId, payableUntil }: Paid,
): Promise<string | null> {
  if (status !== 'outstanding' || subscriptionId === null) return null;
  const subscription = await loadExistingRow(ctx, 'Subscription', subscriptionId, paidAtPages);
  if (subscription.checkoutInvoiceId === id) return pageUrl(ctx, 'checkout', subscriptionId);
  const isPaidThere =
    subscription.dunningInvoiceId === id || type === 'reactivation' || payableUntil !== null;
  return isPaidThere ? pageUrl(ctx, 'recover', id) : null;
}

/** Invoice with the pending payment that the customer starts. `null` if no payment is pending. */
export type PayableInvoice = {
  readonly invoice: Row<'Invoice'>;
  readonly attempt: Row<'Transaction'> | null;
};

/** Loads the pending payment of an invoice that the customer starts. Lookups are batched. */
export async function loadPayment(ctx: Context, invoice: Row<'Invoice'>): Promise<PayableInvoice> {
  const attempts = await loadRowsBy(ctx, 'Transaction', 'invoiceId', invoice.id, 'seq');
  const attempt = attempts.findLast(
    ({ status, instructions }) => status === 'pending' && instructions !== null,
  );
  return { invoice, attempt: attempt ?? null };
}
