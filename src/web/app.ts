import type { App } from '../context.ts';
import { textReply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import { readAsset } from './asset.ts';
import { cardPage } from './card-page.ts';
import { checkoutPage } from './checkout-page.ts';
import { claimPage } from './claim-page.ts';
import { invoiceDocumentPage } from './invoice-document.ts';
import { paymentPage } from './payment-page.ts';
import { portalEntryPage } from './portal-entry.ts';
import { portalPage } from './portal-page.ts';

/** A route that is only read: other methods are answered 405. */
const read = (path: string, answer: Route['answer']): Route => ({
  path,
  answer: (request, parameters) =>
    request.method === 'GET' || request.method === 'HEAD'
      ? answer(request, parameters)
      : textReply(405, 'Only GET and HEAD are answered here.\n', { Allow: 'GET, HEAD' }),
});

const files = [
  'authentication.js',
  'documents.js',
  'page.css',
  'page.js',
  'checkout.css',
  'checkout.js',
  'checkout-documents.js',
  'intention.js',
  'payment.js',
  'seller.js',
  'sentences.js',
  'stripe.js',
  'card.css',
  'card.js',
  'card-documents.js',
  'claim.css',
  'claim.js',
  'claim-documents.js',
  'pay.css',
  'pay.js',
  'pay-documents.js',
  'portal.css',
  'portal.js',
  'portal-documents.js',
  'portal-extras.js',
  'portal-card.js',
  'portal-ask.js',
  'portal-plan.js',
  'portal-preview.js',
  'portal-show.js',
];

/** The pages a person opens, at `/<page>/:token`, their scripts and styles below `/assets/`, PDFs at `/documents/invoices/:token`, and links of emails to the portal at `/manage/:token`. */
export function pageRoutes(app: App): Route[] {
  const { publicUrl } = app.config;
  const claim = claimPage(publicUrl);
  const pages = {
    checkout: checkoutPage(publicUrl),
    claim,
    invitation: claim,
    method: cardPage(publicUrl, 'Payment method'),
    recover: cardPage(publicUrl, 'Payment'),
    pay: paymentPage(publicUrl),
    portal: portalPage(publicUrl),
  };
  return [
    ...Object.entries(pages).map(([name, page]) => read(`/${name}/:token/?`, page)),
    ...files.map((name) => read(`/assets/${name}`, readAsset(name))),
    read('/documents/invoices/:token/?', (_request, [token = '']) => invoiceDocumentPage(app, token)),
    read('/manage/:token/?', (request, [token = '']) => portalEntryPage(app, request, token)),
  ];
}
