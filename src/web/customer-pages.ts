import { randomBytes } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { acceptedCountry, acceptedLanguages } from '../domain/pages/page-language.ts';
import { countryViolation } from '../domain/tax/countries.ts';
import { contentPolicy, permissionsPolicy } from '../http/content-policy.ts';
import { nothingAt } from '../http/handler.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Parameters } from '../http/router.ts';
import { entryFiles, fontLink, type WebBuild } from './built-files.ts';
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

// Hosted pages. The service renders the initial HTML with the result of the first query, and the browser hydrates it.

export type PagesSite = {
  readonly builds: WebBuilds;
  /** The service's path prefix. Empty if the service runs at the root. */
  readonly base: string;
  /** Executes a page's query with the visitor's token. */
  readonly answerPage: (request: HttpRequest, question: PageQuestion) => Promise<ExecutionResult>;
};

/** Origins for Stripe's scripts and frames. */
const stripeScripts = ['https://js.stripe.com', 'https://*.js.stripe.com'] as const;

const stripeFrames = [...stripeScripts, 'https://hooks.stripe.com'] as const;

/**
 * Returns the content security policy. Allows the service's own origin and, for pages with card fields, the origins that Stripe's documentation lists
 * for cards and wallets, without maps and Link. Logos may have any origin.
 */
function policyOf(name: PageName, nonce: string): string {
  const takesCards = cardPages.has(name);
  return contentPolicy({
    scripts: ["'self'", ...(takesCards ? stripeScripts : [])],
    styles: ["'self'", `'nonce-${nonce}'`],
    images: ["'self'", 'https:', 'data:'],
    fonts: ["'self'"],
    connections: ["'self'", ...(takesCards ? ['https://api.stripe.com'] : [])],
    ...(takesCards ? { frames: stripeFrames } : {}),
  });
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** Serializes JSON for a script element. Escapes `<`, so that the data can't close the element. */
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Fixed order of the style layers, independent of the loading order. */
const layers = '@layer base, kit, page;';

type DocumentParts = {
  readonly build: WebBuild;
  readonly name: PageName;
  readonly page: RenderedPage;
  /** Folder of the page's additional messages. `null` if the page uses only shared messages. */
  readonly area: string | null;
  readonly base: string;
  readonly nonce: string;
};

/** Returns a page's HTML, which is complete without scripts. */
function documentOf({ build, name, page, area, base, nonce }: DocumentParts): string {
  const main = `src/pages/${name}/main.tsx`;
  const manifest = build.manifestOf(main);
  const entry = entryFiles(manifest, main);
  const words = ['common', ...(area === null ? [] : [area])].flatMap(
    (name) => manifest[`src/pages/words/${page.language}/${name}.json`]?.file ?? [],
  );
  const [script, ...others] = entry.scripts;
  const head = [
    ...(page.hasOwnFont ? [] : fontLink(manifest, `${base}/assets`)),
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

/** Converts the result of a page's query to the format that the page expects. */
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

/** Returns the text if it's a country code. Otherwise, returns `null`. */
const countryIn = (text: string | null): string | null =>
  text !== null && countryViolation(text) === null ? text : null;

/** Error codes of a query whose link is invalid. */
const invalidLink = /^unauthorized$|not_found$|^claim_not_pending$/;

/** Returns the HTTP status of a page with the result of its query: 404 if the link is invalid, and 503 if the data isn't available. */
function statusOf({ code }: FirstAnswer): number {
  if (code === undefined) return 200;
  if (invalidLink.test(code)) return 404;
  return code === 'rate_limited' ? 429 : 503;
}

/** Serves a section of a hosted page, by default the first section. If the build isn't finished, waits for it. */
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
  const answer = await askFirst(site, request, renderer, [name, token, link, section, place]);
  const page = renderer.render(name, {
    token,
    section,
    answer,
    link,
    accepted: acceptedLanguages(request.headers.get('accept-language'))[0] ?? 'en',
    theme: search.get('theme'),
    isSandbox: search.has('sandbox'),
    country,
    base: site.base,
  });
  return {
    status: statusOf(answer),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(name, nonce),
      'Permissions-Policy': permissionsPolicy(cardPages.has(name) ? stripeFrames : []),
      // The page shows the current payment state, so it must not be cached.
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept-Language',
    },
    body: documentOf({ build, name, page, area: renderer.areaOf(name), base: site.base, nonce }),
  };
}

/** Serves a script or style of hosted pages. */
export async function pageFile({ builds }: PagesSite, request: HttpRequest, name: string): Promise<Reply> {
  const build = await builds.finished();
  const reply = build?.file(name, request.headers.get('accept-encoding')) ?? null;
  if (reply === null) throw nothingAt(request);
  return reply;
}
