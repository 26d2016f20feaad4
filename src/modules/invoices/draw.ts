import { type Context, findSystemContext } from '../../context.ts';
import { invoiceDocument } from '../../documents/invoice-document.ts';
import { invoiceNumberText } from '../../domain/invoicing/number.ts';
import { loadExistingRow, loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { loadBuyer, loadLines, loadPayUrl, loadSeller } from './load-parts.ts';
import { documentPage } from './sign-link.ts';

/** A file to hand out. */
export type PdfFile = { readonly filename: string; readonly content: Buffer };

type Invoice = Row<'Invoice'>;

async function loadCorrected(ctx: Context, { correctsInvoiceId }: Invoice) {
  if (correctsInvoiceId === null) return null;
  const invoice = await loadExistingRow(ctx, 'Invoice', correctsInvoiceId);
  return { number: invoice.number, issueDate: invoice.issueDate, tax: invoice.tax };
}

/** The card or account that paid an invoice; null for one that is not paid, or was paid otherwise. */
async function loadCard(ctx: Context, { id, status }: Invoice): Promise<Row<'PaymentMethod'> | null> {
  if (status !== 'paid') return null;
  const attempts = await loadRowsBy(ctx, 'Transaction', 'invoiceId', id, 'seq');
  const methodId = attempts.findLast(({ paidAt }) => paidAt !== null)?.paymentMethodId ?? null;
  return methodId === null ? null : loadExistingRow(ctx, 'PaymentMethod', methodId);
}

/** Draws the PDF of an invoice as it stands now, with the parties frozen with it. */
export async function invoicePdf(ctx: Context, invoice: Invoice): Promise<PdfFile> {
  const [lines, buyer, seller, corrects, card, payUrl] = await Promise.all([
    loadLines(ctx, invoice),
    loadBuyer(ctx, invoice),
    loadSeller(ctx, invoice),
    loadCorrected(ctx, invoice),
    loadCard(ctx, invoice),
    loadPayUrl(ctx, invoice),
  ]);
  const details = {
    invoice: { ...invoice, tax: invoice.tax },
    lines,
    buyer,
    seller,
    livemode: ctx.livemode,
    corrects,
    card,
    payUrl,
  };
  // What draws, and the fonts, are loaded with the first document.
  const { drawInvoice } = await import('../../documents/draw-invoice.ts');
  return {
    filename: `${invoiceNumberText(invoice.number)}.pdf`,
    content: await drawInvoice(invoiceDocument(details)),
  };
}

/** The PDF of a download link; `expired` when its time is over, null when it was not issued here. */
export async function linkedPdf(
  app: Context['app'],
  token: string,
  requestId: string,
): Promise<PdfFile | 'expired' | null> {
  const details = await app.secrets.readLink(token, documentPage, app.wall.now());
  if (details === null || details === 'expired') return details;
  const ctx = await findSystemContext(app, details.environmentId, requestId);
  if (ctx === null) return null;
  const invoice = await loadRow(ctx, 'Invoice', details.subjectId);
  return invoice === null ? null : invoicePdf(ctx, invoice);
}
