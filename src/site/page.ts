/** Address of the site's first page. All pages are below it. */
export const siteRoot = '/docs';

/** Page of the documentation site. */
export type SitePage = {
  /** Path below `/docs`, such as `guides/webhooks`. Empty for the first page. */
  readonly path: string;
  readonly title: string;
  /** One sentence for search results and `llms.txt`. */
  readonly description: string;
  /** Section that contains the page. */
  readonly section: Section;
  /** Returns the Markdown text without the title. */
  readonly body: () => string;
};

/** Sections in the order of the navigation. */
export const sections = [
  'Start',
  'Concepts',
  'Guides',
  'Reference',
  'Events',
  'Errors',
  'Operations',
  'Rules',
  'Releases',
] as const;

export type Section = (typeof sections)[number];

/** Returns the address of a page. */
export const addressOf = (path: string): string => (path === '' ? siteRoot : `${siteRoot}/${path}`);

/** Link in Markdown whose target is a path on this service. */
const rootedLink = /\]\(\/(?!\/)/g;

/** Adds the path of the service's public URL to the links in a Markdown text. Code blocks stay unchanged. */
function withBase(text: string, base: string): string {
  if (base === '') return text;
  return text
    .split(/^(?=```)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(rootedLink, `](${base}/`)))
    .join('');
}

/** Returns a page as a Markdown document with its title. `base` is the path of the service's public URL without a trailing slash. */
export const documentOf = ({ title, body }: Pick<SitePage, 'title' | 'body'>, base = ''): string =>
  withBase(`# ${title}\n\n${body().trim()}\n`, base);
