import type { Reply } from '../http/reply.ts';
import { linkedNotePdf } from '../modules/invoices/credit-notes/draw.ts';
import { linkedInvoicePdf, type PdfFile } from '../modules/invoices/invoices/draw.ts';
import type { App } from '../request/context.ts';
import { noticePage } from './notice-page.ts';

/** Serves the PDF of an invoice. Status 410 if the download link has expired, and 404 if the link is invalid. */
export const invoiceDocumentPage = async (app: App, token: string): Promise<Reply> =>
  answerWith(await linkedInvoicePdf(app, token));

/** Serves the PDF of a credit note. Status 410 if the download link has expired, and 404 if the link is invalid. */
export const creditNoteDocumentPage = async (app: App, token: string): Promise<Reply> =>
  answerWith(await linkedNotePdf(app, token));

function answerWith(pdf: PdfFile | 'expired' | null): Reply {
  if (pdf === 'expired')
    return noticePage(410, 'This link has expired', 'Ask the person who sent you the link for a new link.');
  if (pdf === null) return noticePage(404, 'Document not found', 'Check that the link is complete.');
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${pdf.filename}"`,
      'Cache-Control': 'private, no-cache',
      'X-Robots-Tag': 'noindex',
    },
    body: new Uint8Array(pdf.content),
  };
}
