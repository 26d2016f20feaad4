import type { App } from '../context.ts';
import { linkedPdf } from '../modules/invoices/document.ts';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
} as const;

const page = (status: number, title: string, text: string): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body style="max-width:36rem;margin:4rem auto;padding:0 1rem;font-family:system-ui,sans-serif;line-height:1.5">
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`,
    { status, headers },
  );

/** Answers a download link of an invoice with its PDF; 410 once its time is over, 404 for one that was not issued here. */
export async function invoiceDocumentPage(app: App, request: Request, token: string): Promise<Response> {
  const pdf = await linkedPdf(app, token, 'document');
  if (pdf === 'expired') return page(410, 'This link has expired', 'Ask whoever sent it to you for a new one.');
  if (pdf === null) return page(404, 'There is no such document', 'The address is not complete, or it never was one of ours.');
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(pdf.content), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${pdf.filename}"`,
      'Content-Length': String(pdf.content.byteLength),
      'Cache-Control': 'private, no-cache',
      'X-Robots-Tag': 'noindex',
    },
  });
}
