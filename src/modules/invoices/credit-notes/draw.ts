import { creditNoteDocument } from '../../../documents/credit-note-document.ts';
import { creditNoteNumberText } from '../../../domain/invoicing/credit-note.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { linkedDocument, type PdfFile } from '../invoices/draw.ts';
import { loadBuyer, loadSeller } from '../invoices/load-parts.ts';
import { loadNoteLines } from './load-lines.ts';
import { documentPage } from './sign-link.ts';
import type { CreditNoteRow } from './store.ts';

/** Renders the PDF for a credit note. Deterministic: every call returns the same bytes. */
async function creditNotePdf(ctx: Context, note: CreditNoteRow): Promise<PdfFile> {
  const [lines, buyer, seller, invoice] = await Promise.all([
    loadNoteLines(ctx, note),
    loadBuyer(ctx, note),
    loadSeller(ctx, note),
    loadExistingRow(ctx, 'Invoice', note.invoiceId),
  ]);
  const { tax } = note;
  const details = { note: { ...note, tax }, lines, buyer, seller, invoice, livemode: ctx.livemode };
  // The renderer and the fonts are loaded only when a document is rendered.
  const { drawInvoice } = await import('../../../documents/draw-invoice.ts');
  return {
    filename: `${creditNoteNumberText(note.number)}.pdf`,
    content: await drawInvoice(creditNoteDocument(details)),
  };
}

/** Returns the PDF for a credit note's download link. Behaves like `linkedDocument`. */
export const linkedNotePdf = (app: Context['app'], token: string): Promise<PdfFile | 'expired' | null> =>
  linkedDocument(app, token, { page: documentPage, model: 'CreditNote', draw: creditNotePdf });
