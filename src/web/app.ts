import type { App } from '../context.ts';
import { readAsset } from './asset.ts';
import { checkoutPage } from './checkout-page.ts';
import { invoiceDocumentPage } from './invoice-document.ts';

/** Answers a request for a page or its files; null for everything else. */
export type Pages = (request: Request) => Promise<Response | null>;

const methodNotAllowed = (): Response =>
  new Response('Only GET and HEAD are answered here.\n', { status: 405, headers: { Allow: 'GET, HEAD' } });

/** The pages a person opens: the checkout at `/checkout/:token`, its script and style below `/assets/`, and PDFs at `/documents/invoices/:token`. */
export function openPages(app: App): Pages {
  const page = checkoutPage(app.config.publicUrl);
  const assets = new Map([
    ['/assets/checkout.js', readAsset('checkout.js')],
    ['/assets/checkout.css', readAsset('checkout.css')],
  ]);
  const fixed = (pathname: string) => (/^\/checkout\/[^/]+\/?$/.test(pathname) ? page : assets.get(pathname));
  return async (request) => {
    const { pathname } = new URL(request.url);
    const [, documentToken] = /^\/documents\/invoices\/([^/]+)\/?$/.exec(pathname) ?? [];
    const found = documentToken === undefined ? fixed(pathname) : (asked: Request) => invoiceDocumentPage(app, asked, documentToken);
    if (found === undefined) return null;
    return request.method === 'GET' || request.method === 'HEAD' ? found(request) : methodNotAllowed();
  };
}
