import { randomBytes } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { countryViolation } from '../domain/countries.ts';
import { acceptedCountry, acceptedLanguages } from '../domain/page-language.ts';
import { contentPolicy } from '../http/content-policy.ts';
import { nothingAt } from '../http/handler.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Parameters } from '../http/router.ts';
import { entryFiles, type WebBuild } from './built-files.ts';
import {
  cardPages,
  type FirstAnswer,
  type PageName,
  type PageQuestion,
  type PageRenderer,
  type RenderedPage,
} from './page-renderer.ts';
import { waitingPage } from './waiting-page.ts';
import type { WebBuilds } from './web-build.ts';

// Customers' pages: the first document is written by the service, with what the page asks first in it, and the browser goes on with it.

/** What pages are served with. */
export type PagesSite = {
  readonly builds: WebBuilds;
  /** The path below which the service lies; empty at the root. */
  readonly base: string;
  /** Answers the query of a page as if the visitor had sent it. */
  readonly answerPage: (request: HttpRequest, question: PageQuestion) => Promise<ExecutionResult>;
};

/** Where Stripe's script is, and the parts it loads and the frames it opens. */
const stripeScripts = ['https://js.stripe.com', 'https://*.js.stripe.com'] as const;

/**
 * Scripts, styles and calls from the service itself, and Stripe's where its fields take the card: what its guide to content policies names for
 * cards and wallets, without the hosts of maps and of Link, which the pages do not use. The logo lies where the seller keeps it.
 */
function policyOf(name: PageName, nonce: string): string {
  const takesCards = cardPages.has(name);
  return contentPolicy({
    scripts: ["'self'", ...(takesCards ? stripeScripts : [])],
    styles: ["'self'", `'nonce-${nonce}'`],
    images: ["'self'", 'https:', 'data:'],
    connections: ["'self'", ...(takesCards ? ['https://api.stripe.com'] : [])],
    ...(takesCards ? { frames: [...stripeScripts, 'https://hooks.stripe.com'] } : {}),
  });
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** JSON that no script element ends in. */
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The order of the layers of styles, whichever file arrives first. */
const layers = '@layer base, kit, page;';

type DocumentParts = {
  readonly build: WebBuild;
  readonly name: PageName;
  readonly page: RenderedPage;
  /** The folder of words the page has besides those of every page; null for none. */
  readonly area: string | null;
  readonly base: string;
  readonly nonce: string;
};

/** The document of a page, whole before any script runs. */
function documentOf({ build, name, page, area, base, nonce }: DocumentParts): string {
  const { manifest } = build;
  const entry = entryFiles(manifest, `src/pages/${name}/main.tsx`);
  const words = ['', ...(area === null ? [] : [`${area}/`])].flatMap(
    (folder) => manifest[`src/pages/words/${folder}${page.language}.ts`]?.file ?? [],
  );
  const [script, ...others] = entry.scripts;
  const head = [
    ...entry.styles.map((file) => `<link rel="stylesheet" href="${base}/assets/${file}">`),
    ...[...others, ...words].map((file) => `<link rel="modulepreload" href="${base}/assets/${file}">`),
  ];
  return `<!doctype html>
<html lang="${page.language}" dir="${page.direction}" data-theme="${page.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${layers}</style>
${head.join('\n')}
${page.styles === '' ? '' : `<style nonce="${nonce}">${page.styles.replaceAll('<', '')}</style>\n`}<script type="application/json" id="first">${jsonInHtml(page.first)}</script>
<script type="module" src="${base}/assets/${script}"></script>
</head>
<body>
<noscript>${escaped(page.noScript)}</noscript>
<div id="root">${page.html}</div>
</body>
</html>
`;
}

/** How the service answered the query of a page. */
function firstAnswer({ data, errors }: ExecutionResult): FirstAnswer {
  const [error] = errors ?? [];
  if (error !== undefined) return { code: String(error.extensions['code']) };
  return data == null ? {} : { data };
}

async function askFirst(
  site: PagesSite,
  request: HttpRequest,
  renderer: PageRenderer,
  [name, token, link, section, country]: [PageName, string, string | null, string, string | null],
): Promise<FirstAnswer> {
  const question = renderer.questionOf(name, token, link, section, country);
  return question === null ? {} : firstAnswer(await site.answerPage(request, question));
}

/** A country by its code; null for any other text. */
const countryIn = (text: string | null): string | null =>
  text !== null && countryViolation(text) === null ? text : null;

/** Answers a section of a page of a customer, its first one unless named. A page that is asked for before the build is finished waits for it. */
export async function customerPage(
  site: PagesSite,
  name: PageName,
  request: HttpRequest,
  [token = '', section = '']: Parameters,
): Promise<Reply> {
  const build = await site.builds.finished();
  if (build?.renderer == null) return waitingPage('failed', 'Page');
  const { renderer } = build;
  const search = new URLSearchParams(request.address.split('?', 2)[1]);
  const link = search.get('locale')?.slice(0, 100) ?? null;
  const nonce = randomBytes(16).toString('base64');
  const country = countryIn(search.get('country'));
  const place = country ?? countryIn(acceptedCountry(request.headers.get('accept-language')));
  const page = renderer.render(name, {
    token,
    section,
    answer: await askFirst(site, request, renderer, [name, token, link, section, place]),
    link,
    accepted: acceptedLanguages(request.headers.get('accept-language'))[0] ?? 'en',
    theme: search.get('theme'),
    isSandbox: search.has('sandbox'),
    country,
    base: site.base,
  });
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(name, nonce),
      // What it says of a payment holds for this moment.
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept-Language',
    },
    body: documentOf({ build, name, page, area: renderer.areaOf(name), base: site.base, nonce }),
  };
}

/** Answers a script or style of customers' pages. */
export async function pageFile({ builds }: PagesSite, request: HttpRequest, name: string): Promise<Reply> {
  const build = await builds.finished();
  const reply = build?.file(name, request.headers.get('accept-encoding')) ?? null;
  if (reply === null) throw nothingAt(request);
  return reply;
}
