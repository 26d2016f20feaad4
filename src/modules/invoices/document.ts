import { type Context, systemContext } from '../../context.ts';
import { drawInvoice } from '../../documents/draw-invoice.ts';
import { invoiceDocument } from '../../documents/invoice-document.ts';
import { invoiceNumberText } from '../../domain/invoice/number.ts';
import type { Address } from '../../domain/subscription/rows.ts';
import type { Tax } from '../../domain/tax.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { readOrganization } from '../organizations/service.ts';
import { documentPage } from './download.ts';
import { loadLines } from './lines.ts';

/** A file to hand out. */
export type PdfFile = { readonly filename: string; readonly content: Buffer };

/** Draws the PDF of an invoice as it stands now, with the issuer, the language and the colour of its organization. */
export async function invoicePdf(context: Context, invoice: Row<'Invoice'>): Promise<PdfFile> {
  const [customer, lines, issuer] = await Promise.all([
    loadExistingRow(context, 'Customer', invoice.customerId),
    loadLines(context, invoice),
    readOrganization(context),
  ]);
  const address = customer.address as Address | null;
  const tax = invoice.tax as Tax | null;
  const document = invoiceDocument({
    invoice: { ...invoice, tax },
    lines,
    customer: { ...customer, address },
    issuer,
    livemode: context.livemode,
  });
  return { filename: `${invoiceNumberText(invoice.number)}.pdf`, content: await drawInvoice(document) };
}

/** The PDF a download link stands for; `expired` when its time is over, null when it was not issued here. */
export async function linkedPdf(app: Context['app'], token: string, requestId: string): Promise<PdfFile | 'expired' | null> {
  const facts = await app.secrets.readLink(token, documentPage, app.wall.now());
  if (facts === null || facts === 'expired') return facts;
  const context = await systemContext(app, facts.environmentId, requestId);
  const invoice = await loadRow(context, 'Invoice', facts.subjectId);
  return invoice === null ? null : invoicePdf(context, invoice);
}
