// Interface between the service and the code of hosted pages.

/** Folder names of hosted pages. */
export const pageNames = [
  'checkout',
  'pay',
  'recover',
  'method',
  'portal',
  'claim',
  'invitation',
  'invoice',
  'login',
  'pricing',
] as const;

export type PageName = (typeof pageNames)[number];

/** Pages that can collect card details. */
export const cardPages: ReadonlySet<PageName> = new Set(['checkout', 'pay', 'recover', 'method', 'portal']);

/** GraphQL query that runs before a page is rendered. */
export type PageQuestion = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Server-side renderer for hosted pages. Uses the same components as the browser. */
export type PageRenderer = {
  /** Returns the folder of a page's additional messages. `null` if the page only uses shared messages. */
  readonly areaOf: (page: PageName) => string | null;
  /**
   * Returns the query to run before a page is rendered. Depends on the section, the language in the URL and the visitor's country. `null` if the page
   * needs no query.
   */
  readonly questionOf: (
    page: PageName,
    token: string,
    link: string | null,
    section: string,
    country: string | null,
  ) => PageQuestion | null;
  readonly render: (page: PageName, input: PageInput) => RenderedPage;
};

/** Result of a page's query: `data`, an error `code`, or neither if the query returned no data. */
export type FirstAnswer = { readonly data?: unknown; readonly code?: string };

/** Data for rendering a page. */
export type PageInput = {
  readonly token: string;
  /** Path after the token. Empty for the first section. */
  readonly section: string;
  readonly answer: FirstAnswer;
  /** Language parameter of the URL, `?locale=`. */
  readonly link: string | null;
  /** Language preferred by the browser. */
  readonly accepted: string;
  /** Theme parameter of the URL, `?theme=`. */
  readonly theme: string | null;
  /** True if the URL contains `?sandbox`. */
  readonly isSandbox: boolean;
  /** Country parameter of the URL, `?country=`. */
  readonly country: string | null;
  /** The service's path prefix. Empty if the service runs at the root. */
  readonly base: string;
};

export type RenderedPage = {
  readonly html: string;
  readonly title: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly theme: string;
  /** CSS variables with the organization's branding. Empty without branding. */
  readonly styles: string;
  /** True if the organization chose a font. */
  readonly hasOwnFont: boolean;
  /** Text for browsers with scripts disabled. */
  readonly noScript: string;
  /** JSON data that the browser uses to hydrate the page. */
  readonly first: unknown;
};
