import { type App, type Context, systemContext } from '../context.ts';
import { dateText } from '../documents/format.ts';
import { amountText } from '../domain/amount-text.ts';
import { invoiceNumberText } from '../domain/invoicing/number.ts';
import { customerLanguage, type Language, pageLanguage } from '../domain/page-language.ts';
import { pageLanguagesOf } from '../domain/page-settings.ts';
import { contentPolicy } from '../http/content-policy.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { loadLines, loadPayUrl } from '../modules/invoices/load-parts.ts';
import { downloadLink, invoicePageName } from '../modules/invoices/sign-link.ts';
import { readOrganization } from '../modules/organizations/store.ts';
import { findHosted, type HostedInvoice } from '../modules/portal/load-invoice.ts';
import { noticePage } from './notice-page.ts';
import { pathOf } from './page.ts';

const words = {
  en: {
    invoice: 'Invoice',
    from: 'From',
    issued: 'Issued',
    due: 'Due',
    paid: 'Paid',
    tax: 'Tax',
    total: 'Total',
    pay: 'Pay now',
    download: 'Download PDF',
    status: {
      draft: 'Draft',
      outstanding: 'To be paid',
      paid: 'Paid',
      void: 'Void',
      uncollectible: 'Not collected',
    },
  },
  es: {
    invoice: 'Factura',
    from: 'De',
    issued: 'Emitida',
    due: 'Vence',
    paid: 'Pagada',
    tax: 'Impuestos',
    total: 'Total',
    pay: 'Pagar ahora',
    download: 'Descargar PDF',
    status: {
      draft: 'Borrador',
      outstanding: 'Por pagar',
      paid: 'Pagada',
      void: 'Anulada',
      uncollectible: 'No cobrada',
    },
  },
} as const;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentPolicy({ styles: ["'self'"], images: ["'self'", 'https:'] }),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const;

/**
 * The page of an invoice, whole without a script: what it is about, whether it is paid, where it is paid and its PDF. 404 for an address that was
 * not issued here.
 */
export async function invoicePage(app: App, request: HttpRequest, token: string): Promise<Reply> {
  const details = await app.secrets.readPage(token);
  const ctx =
    details?.page === invoicePageName ? await systemContext(app, details.environmentId, request.id) : null;
  const hosted = ctx === null || details === null ? null : await findHosted(ctx, details.subjectId);
  if (ctx === null || hosted === null)
    return noticePage(404, 'This link is not valid', 'Ask the seller for a new one.');
  const organization = await readOrganization(ctx);
  const language = pageLanguage(
    {
      link: new URL(request.address, 'http://page').searchParams.get('locale'),
      customer: customerLanguage(hosted.customer),
      organization: organization.language,
    },
    pageLanguagesOf(organization.pageSettings, organization.language),
  );
  const logo =
    organization.logoUrl === null ? '' : `<img class="logo" src="${escaped(organization.logoUrl)}" alt="">`;
  const body = await bodyOf(ctx, hosted, { language, seller: organization.name, logo });
  return { status: 200, headers, body: documentOf(body, { language, base: pathOf(app.config.publicUrl) }) };
}

type Look = { readonly language: Language; readonly seller: string; readonly logo: string };

async function bodyOf(ctx: Context, { invoice }: HostedInvoice, { language, seller, logo }: Look) {
  const say = words[language];
  const { currency, status, total, taxAmount, issueDate, dueDate, paidAt } = invoice;
  const money = (minor: bigint): string => escaped(amountText(minor, currency, language));
  const [lines, payUrl, { url }] = await Promise.all([
    loadLines(ctx, invoice),
    loadPayUrl(ctx, invoice),
    downloadLink(ctx, invoice.id),
  ]);
  const row = (label: string, text: string): string =>
    `<tr><th scope="row" dir="auto">${escaped(label)}</th><td>${text}</td></tr>`;
  const when =
    paidAt === null
      ? `${say.due}: ${dateText(dueDate, language)}`
      : `${say.paid}: ${dateText(paidAt, language)}`;
  const title = `${say.invoice} ${invoiceNumberText(invoice.number)}`;
  return {
    title,
    main: `<header>${logo}<p class="seller" dir="auto">${escaped(seller)}</p><h1>${title}</h1>
<p>${money(total)} · ${say.status[status]}</p>
<p class="faint">${say.issued}: ${dateText(issueDate, language)} · ${when}</p></header>
<table><tbody>${lines.map(({ description, amount }) => row(description, money(amount))).join('')}</tbody>
<tfoot>${taxAmount === 0n ? '' : row(say.tax, money(taxAmount))}${row(say.total, money(total))}</tfoot></table>
<p class="actions">${payUrl === null ? '' : `<a class="button" href="${escaped(payUrl)}">${say.pay}</a> `}<a href="${escaped(url)}">${say.download}</a></p>`,
  };
}

const documentOf = (
  { title, main }: { readonly title: string; readonly main: string },
  { language, base }: { readonly language: Language; readonly base: string },
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${base}/assets/page.css">
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
