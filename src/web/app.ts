import type { App } from '../context.ts';
import { readAsset } from './asset.ts';
import { checkoutPage } from './checkout-page.ts';

/** Answers a request for a page or its files; null for everything else. */
export type Pages = (request: Request) => Promise<Response | null>;

const methodNotAllowed = (): Response =>
  new Response('Only GET and HEAD are answered here.\n', { status: 405, headers: { Allow: 'GET, HEAD' } });

/** The pages a person opens: the checkout at `/checkout/:token` and its script and style below `/assets/`. */
export function openPages(app: App): Pages {
  const page = checkoutPage(app.config.publicUrl);
  const assets = new Map([
    ['/assets/checkout.js', readAsset('checkout.js')],
    ['/assets/checkout.css', readAsset('checkout.css')],
  ]);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const found = /^\/checkout\/[^/]+\/?$/.test(pathname) ? page : assets.get(pathname);
    if (found === undefined) return null;
    return request.method === 'GET' || request.method === 'HEAD' ? found(request) : methodNotAllowed();
  };
}
