import { framedBy } from '../http/content-policy.ts';
import { textReply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import { findEmbedOrigins } from '../modules/organization/organizations/store.ts';
import type { App } from '../request/context.ts';
import { readAsset } from './asset.ts';
import { customerPage, type PagesSite, pageFile } from './customer-pages.ts';
import { exportFilePage } from './export-file.ts';
import { creditNoteDocumentPage, invoiceDocumentPage } from './invoice-document.ts';
import { logoPage } from './logo.ts';
import type { PageName } from './page-renderer.ts';
import { portalEntryPage } from './portal-entry.ts';

/** Returns a read-only route. Other methods receive status 405. */
const read = (path: string, answer: Route['answer']): Route => ({
  path,
  answer: (request, parameters) =>
    request.method === 'GET' || request.method === 'HEAD'
      ? answer(request, parameters)
      : textReply(405, 'Only GET and HEAD are answered here.\n', { Allow: 'GET, HEAD' }),
});

/** Serves the portal if the path contains a token, otherwise the page that emails a portal link. Tokens contain a period and slugs don't. */
const eitherPortal =
  (portal: Route['answer'], login: Route['answer']): Route['answer'] =>
  (request, parameters) =>
    parameters[0]?.includes('.') === true ? portal(request, parameters) : login(request, parameters);

/** Returns a page that can be embedded in a frame on the organization's allowed origins. */
const framed =
  (app: App, page: Route['answer']): Route['answer'] =>
  async (request, parameters) => {
    const reply = await page(request, parameters);
    const policy = reply.headers['Content-Security-Policy'];
    if (typeof policy !== 'string') return reply;
    const origins = await findEmbedOrigins(app, parameters[0] ?? '');
    return { ...reply, headers: { ...reply.headers, 'Content-Security-Policy': framedBy(policy, origins) } };
  };

/**
 * Returns the routes for hosted pages at `/<page>/:token`, the embed script at `/embed.js`, scripts and styles below `/assets/`, PDFs at
 * `/documents/invoices/:token` and `/documents/credit-notes/:token`, and emailed portal links at `/manage/:token`.
 */
export function pageRoutes(app: App, site: PagesSite): Route[] {
  const builtPage =
    (name: PageName): Route['answer'] =>
    (request, parameters) =>
      customerPage(site, name, request, parameters);
  const pages = {
    portal: eitherPortal(builtPage('portal'), builtPage('login')),
    checkout: builtPage('checkout'),
    pay: builtPage('pay'),
    recover: builtPage('recover'),
    method: builtPage('method'),
    claim: builtPage('claim'),
    invitation: builtPage('invitation'),
    invoice: builtPage('invoice'),
    pricing: builtPage('pricing'),
  };
  return [
    ...Object.entries(pages).map(([name, page]) => read(`/${name}/:token/?`, framed(app, page))),
    read('/portal/:token/:section/?', framed(app, builtPage('portal'))),
    read('/embed.js', readAsset('embed.js')),
    read('/assets/:name', (request, [name = '']) => pageFile(site, request, name)),
    read('/documents/invoices/:token/?', (_request, [token = '']) => invoiceDocumentPage(app, token)),
    read('/documents/credit-notes/:token/?', (_request, [token = '']) => creditNoteDocumentPage(app, token)),
    read('/documents/exports/:token/?', (request, [token = '']) => exportFilePage(app, request, token)),
    read('/logos/:id', (_request, [id = '']) => logoPage(app, id)),
    { path: '/manage/:token/?', answer: (request, [token = '']) => portalEntryPage(app, request, token) },
  ];
}
