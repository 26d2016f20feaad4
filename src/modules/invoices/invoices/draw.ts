import { invoiceDocument } from '../../../documents/invoice-document.ts';
import { isCollected } from '../../../domain/payments/instruments/stages.ts';
import { invoiceNumberText } from '../../../domain/rows/invoice-number.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { type Context, findSystemContext } from '../../../request/context.ts';
import { loadBuyer, loadLines, loadPayUrl, loadSeller } from './load-parts.ts';
import { documentPage } from './sign-link.ts';

export type PdfFile = { readonly filename: string; readonly content: Buffer };

type Invoice = Row<'Invoice'>;

/** Returns the payment method that was used to pay an invoice. `null` if the invoice isn't paid or was paid without a payment method. */
async function loadCard(ctx: Context, { id, status }: Invoice): Promise<Row<'PaymentMethod'> | null> {
  if (status !== 'paid') return null;
  const attempts = await loadRowsBy(ctx, 'Transaction', 'invoiceId', id, 'seq');
  const methodId = attempts.findLast(isCollected)?.paymentMethodId ?? null;
  return methodId === null ? null : loadExistingRow(ctx, 'PaymentMethod', methodId);
}

/** Renders the PDF for an invoice with its current status, and with the buyer and seller recorded when the invoice was issued. */
export async function invoicePdf(ctx: Context, invoice: Invoice): Promise<PdfFile> {
  const [lines, buyer, seller, card, payUrl] = await Promise.all([
    loadLines(ctx, invoice),
    loadBuyer(ctx, invoice),
    loadSeller(ctx, invoice),
    loadCard(ctx, invoice),
    loadPayUrl(ctx, invoice),
  ]);
  const details = {
    invoice: { ...invoice, tax: invoice.tax },
    lines,
    buyer,
    seller,
    livemode: ctx.livemode,
    card,
    payUrl,
  };
  // The renderer and the fonts are loaded only when a document is rendered.
  const { drawInvoice } = await import('../../../documents/draw-invoice.ts');
  return {
    filename: `${invoiceNumberText(invoice.number)}.pdf`,
    content: await drawInvoice(invoiceDocument(details)),
  };
}

type LinkedModel = 'Invoice' | 'CreditNote';

/** Type of document that has download links: the page name in its tokens, its table, and its renderer. */
type LinkedKind<M extends LinkedModel> = {
  readonly page: Parameters<Context['app']['secrets']['readLink']>[1];
  readonly model: M;
  readonly draw: (ctx: Context, row: Row<M>) => Promise<PdfFile>;
};

/** Returns the PDF for a download link. `expired` if the link has expired. `null` if this installation didn't issue the link. */
export async function linkedDocument<M extends LinkedModel>(
  app: Context['app'],
  token: string,
  { page, model, draw }: LinkedKind<M>,
): Promise<PdfFile | 'expired' | null> {
  const details = await app.secrets.readLink(token, page, app.wall.now());
  if (details === null || details === 'expired') return details;
  const ctx = await findSystemContext(app, details.environmentId, 'document');
  if (ctx === null) return null;
  const row = await loadRow(ctx, model, details.subjectId);
  return row === null ? null : draw(ctx, row);
}

/** Returns the PDF for an invoice's download link. Behaves like `linkedDocument`. */
export const linkedInvoicePdf = (app: Context['app'], token: string): Promise<PdfFile | 'expired' | null> =>
  linkedDocument(app, token, { page: documentPage, model: 'Invoice', draw: invoicePdf });
