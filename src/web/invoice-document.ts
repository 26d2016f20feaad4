import type { App } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { linkedPdf } from '../modules/invoices/draw.ts';
import { noticePage } from './notice-page.ts';

/** Answers a download link of an invoice with its PDF; 410 once its time is over, 404 for one that was not issued here. */
export async function invoiceDocumentPage(app: App, token: string): Promise<Reply> {
  const pdf = await linkedPdf(app, token, 'document');
  if (pdf === 'expired')
    return noticePage(410, 'This link has expired', 'Ask the person who sent it to you for a new one.');
  if (pdf === null)
    return noticePage(
      404,
      'There is no such document',
      'The address is not complete, or it never was one of ours.',
    );
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
