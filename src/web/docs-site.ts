import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { specificError } from '../domain/errors/errors.ts';
import { type Served, serveText } from '../http/fixed-text.ts';
import { type Reply, textReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { lazily } from '../platform/lazily.ts';
import type { App } from '../request/context.ts';
import { errorPathAt } from '../site/error-pages.ts';
import { fullText, pageList } from '../site/llms.ts';
import { documentOf, type SitePage } from '../site/page.ts';
import { sitePages } from '../site/pages.ts';
import type { SiteBuild } from './site-files.ts';
import { waitingPage } from './waiting-page.ts';
import type { Builds } from './web-build.ts';

const missing = ({ path }: HttpRequest) => specificError('not_found', 'page', { values: { path } });

/** Returns true if the client doesn't ask for HTML, as browsers do. */
const prefersMarkdown = ({ headers }: HttpRequest): boolean =>
  headers.get('accept')?.includes('text/html') !== true;

type Site = {
  readonly pages: () => ReadonlyMap<string, SitePage>;
  /** Returns the Markdown text of a page. */
  readonly markdown: (request: HttpRequest, page: SitePage) => Reply;
  readonly builds: Builds<SiteBuild> | null;
};

/** Number of Markdown texts that stay in memory with their entity tags and compressed copies. */
const cachedTexts = 200;

/** Returns the function that serves pages as Markdown. `base` is the path of the service's public URL, which links start with. */
function markdownServer(base: string): Site['markdown'] {
  const texts = new LRUCache<string, Served>({ max: cachedTexts });
  const headers = { 'Content-Type': 'text/markdown; charset=utf-8', Vary: 'Accept' };
  return (request, page) => {
    let served = texts.get(page.path);
    if (served === undefined) {
      served = serveText(documentOf(page, base), headers);
      texts.set(page.path, served);
    }
    return served(request);
  };
}

/** Returns the response to a request for a page: its HTML, a waiting page while the site is built, or its Markdown text if there is no HTML. */
async function pageReply({ builds, markdown }: Site, request: HttpRequest, page: SitePage): Promise<Reply> {
  if (builds === null || prefersMarkdown(request)) return markdown(request, page);
  const state = await builds.state();
  if (state.status === 'building') return waitingPage('building', 'Documentation');
  const served = state.status === 'ready' ? await state.build.page(page.path) : null;
  return served === null ? markdown(request, page) : served(request);
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
  return twin === undefined ? fileReply(site, request, name) : site.markdown(request, twin);
}

type Parts = {
  /** Path of the service's public URL without a trailing slash. */
  readonly base: string;
  /** Built HTML of the site. `null` if all pages are Markdown. */
  readonly docs: Builds<SiteBuild> | null;
};

/**
 * Returns the routes of the documentation site: its pages as HTML and as Markdown at `/docs`, the pages to which `doc_url` in errors links, and
 * `/llms.txt`.
 */
export function docsRoutes(
  { config }: Pick<App, 'config'>,
  schema: GraphQLSchema,
  { base, docs }: Parts,
): Route[] {
  const all = lazily(() => sitePages(schema));
  const site: Site = {
    pages: lazily(() => new Map(all().map((page) => [page.path, page]))),
    markdown: markdownServer(base),
    builds: docs,
  };
  const methods = ['GET'];
  const plainText = { 'Content-Type': 'text/plain; charset=utf-8' };
  const list = lazily(() => serveText(pageList(all(), config.publicUrl), plainText));
  const full = lazily(() => serveText(fullText(all(), base), plainText));
  return [
    {
      path: '/docs/api-reference/*',
      methods,
      answer: (request) => {
        const path = errorPathAt(request.path);
        const page = path === null ? undefined : site.pages().get(path);
        if (page === undefined) throw missing(request);
        return site.markdown(request, page);
      },
    },
    {
      path: '/docs/graphql',
      methods,
      answer: () => textReply(302, '', { Location: `${base}/docs/reference` }),
    },
    { path: '/docs/*', methods, answer: (request) => docsReply(site, request) },
    { path: '/llms.txt', methods, answer: (request) => list()(request) },
    { path: '/llms-full.txt', methods, answer: (request) => full()(request) },
  ];
}
