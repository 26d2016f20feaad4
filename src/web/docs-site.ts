import type { GraphQLSchema } from 'graphql';
import { specificError } from '../domain/errors/errors.ts';
import { serveText } from '../http/fixed-text.ts';
import { type Reply, textReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { lazily } from '../platform/lazily.ts';
import type { App } from '../request/context.ts';
import { errorCodePage } from '../site/error-pages.ts';
import { fullText, pageList } from '../site/llms.ts';
import { documentOf, type SitePage } from '../site/page.ts';
import { sitePages } from '../site/pages.ts';
import type { SiteBuild } from './site-files.ts';
import { waitingPage } from './waiting-page.ts';
import type { Builds } from './web-build.ts';

const markdownType = 'text/markdown; charset=utf-8';

const markdown = (request: HttpRequest, text: string): Reply =>
  serveText(text, { 'Content-Type': markdownType, Vary: 'Accept' })(request);

const missing = ({ path }: HttpRequest) => specificError('not_found', 'page', { values: { path } });

/** Returns true if the client doesn't ask for HTML, as browsers do. */
const prefersMarkdown = ({ headers }: HttpRequest): boolean =>
  headers.get('accept')?.includes('text/html') !== true;

type Site = {
  readonly pages: () => ReadonlyMap<string, SitePage>;
  readonly builds: Builds<SiteBuild> | null;
};

/** Returns the response to a request for a page: its HTML, a waiting page while the site is built, or its Markdown text if there is no HTML. */
async function pageReply({ builds }: Site, request: HttpRequest, page: SitePage): Promise<Reply> {
  if (builds === null || prefersMarkdown(request)) return markdown(request, documentOf(page));
  const state = await builds.state();
  if (state.status === 'building') return waitingPage('building', 'Documentation');
  const served = state.status === 'ready' ? await state.build.page(page.path) : null;
  return served === null ? markdown(request, documentOf(page)) : served(request);
}

async function fileReply({ builds }: Site, request: HttpRequest, name: string): Promise<Reply> {
  const state = builds === null ? null : await builds.state();
  const reply = state?.status === 'ready' ? await state.build.file(name) : null;
  if (reply === null) throw missing(request);
  return reply;
}

/** Returns the response to a request below `/docs`. */
async function docsReply(site: Site, request: HttpRequest): Promise<Reply> {
  const name = request.path.replace(/^\/docs\/?/, '').replace(/\/$/, '');
  const pages = site.pages();
  const page = pages.get(name);
  if (page !== undefined) return pageReply(site, request, page);
  const twin = name.endsWith('.md')
    ? pages.get(name === 'index.md' ? '' : name.slice(0, -'.md'.length))
    : undefined;
  return twin === undefined ? fileReply(site, request, name) : markdown(request, documentOf(twin));
}

/**
 * Returns the routes of the documentation site: its pages as HTML and as Markdown at `/docs`, the pages to which `doc_url` in errors links, and
 * `/llms.txt`. Without builds, all pages are Markdown.
 */
export function docsRoutes(app: App, schema: GraphQLSchema, builds: Builds<SiteBuild> | null): Route[] {
  const all = lazily(() => sitePages(schema));
  const site: Site = { pages: lazily(() => new Map(all().map((page) => [page.path, page]))), builds };
  const errorCode = lazily(() => errorCodePage(schema));
  const methods = ['GET'];
  const origin = app.config.publicUrl;
  const plainText = { 'Content-Type': 'text/plain; charset=utf-8' };
  const list = lazily(() => serveText(pageList(all(), origin), plainText));
  const full = lazily(() => serveText(fullText(all()), plainText));
  return [
    {
      path: '/docs/api-reference/*',
      methods,
      answer: (request) => {
        const text = errorCode()(request.path);
        if (text === null) throw missing(request);
        return { status: 200, headers: { 'Content-Type': markdownType }, body: text };
      },
    },
    {
      path: '/docs/graphql',
      methods,
      answer: () =>
        textReply(302, '', { Location: `${new URL(origin).pathname.replace(/\/+$/, '')}/docs/reference` }),
    },
    { path: '/docs/*', methods, answer: (request) => docsReply(site, request) },
    { path: '/llms.txt', methods, answer: (request) => list()(request) },
    { path: '/llms-full.txt', methods, answer: (request) => full()(request) },
  ];
}
