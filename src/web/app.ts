import type { App } from '../context.ts';
import { readAsset } from './asset.ts';
import { cardPage } from './card-page.ts';
import { checkoutPage } from './checkout-page.ts';
import { claimPage } from './claim-page.ts';
import { invoiceDocumentPage } from './invoice-document.ts';
import { paymentPage } from './payment-page.ts';
import { portalPage } from './portal-page.ts';

/** Answers a request for a page or its files; null for everything else. */
export type Pages = (request: Request) => Promise<Response | null>;

const methodNotAllowed = (): Response =>
  new Response('Only GET and HEAD are answered here.\n', { status: 405, headers: { Allow: 'GET, HEAD' } });

const files = [
  'page.css',
  'page.js',
  'checkout.css',
  'checkout.js',
  'payment.js',
  'stripe.js',
  'card.css',
  'card.js',
  'claim.css',
  'claim.js',
  'pay.css',
  'pay.js',
  'portal.css',
  'portal.js',
  'portal-extras.js',
  'portal-card.js',
  'portal-plan.js',
];

/** The pages a person opens, at `/<page>/:token`, their scripts and styles below `/assets/`, and PDFs at `/documents/invoices/:token`. */
export function openPages(app: App): Pages {
  const { publicUrl } = app.config;
  const claim = claimPage(publicUrl);
  const pages = new Map([
    ['checkout', checkoutPage(publicUrl)],
    ['claim', claim],
    ['invitation', claim],
    ['method', cardPage(publicUrl, 'Payment method')],
    ['recover', cardPage(publicUrl, 'Payment')],
    ['pay', paymentPage(publicUrl)],
    ['portal', portalPage(publicUrl)],
  ]);
  const assets = new Map(files.map((name) => [`/assets/${name}`, readAsset(name)]));
  const fixed = (pathname: string) => pages.get(/^\/(\w+)\/[^/]+\/?$/.exec(pathname)?.[1] ?? '') ?? assets.get(pathname);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const [, documentToken] = /^\/documents\/invoices\/([^/]+)\/?$/.exec(pathname) ?? [];
    const found = documentToken === undefined ? fixed(pathname) : (asked: Request) => invoiceDocumentPage(app, asked, documentToken);
    if (found === undefined) return null;
    return request.method === 'GET' || request.method === 'HEAD' ? found(request) : methodNotAllowed();
  };
}
