// What the service and the code of customers' pages agree on.

/** The pages of customers that are built, by the name of their folder. */
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

/** Those of them that take a card. */
export const cardPages: ReadonlySet<PageName> = new Set(['checkout', 'pay', 'recover', 'method', 'portal']);

/** An operation a page asks before it is written. */
export type PageQuestion = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** What the service runs of customers' pages: their first document, made by the same parts that the browser takes over. */
export type PageRenderer = {
  /** The folder of words a page has besides those of every page; null for none. */
  readonly areaOf: (page: PageName) => string | null;
  /** What is requested before the section of a page with a token is written, in the language of its address and for the country of the visitor; null for a page that requests nothing. */
  readonly questionOf: (
    page: PageName,
    token: string,
    link: string | null,
    section: string,
    country: string | null,
  ) => PageQuestion | null;
  readonly render: (page: PageName, input: PageInput) => RenderedPage;
};

/** How the service answered: by data, by a rejection with its code, or not at all. */
export type FirstAnswer = { readonly data?: unknown; readonly code?: string };

/** What a page is written from. */
export type PageInput = {
  readonly token: string;
  /** What follows the token in its address; empty where nothing does. */
  readonly section: string;
  readonly answer: FirstAnswer;
  /** The language the address names: `?locale=`. */
  readonly link: string | null;
  /** The language the browser prefers. */
  readonly accepted: string;
  /** The theme the address names: `?theme=`. */
  readonly theme: string | null;
  /** Whether the address names the sandbox: `?sandbox`. */
  readonly isSandbox: boolean;
  /** The country the address names: `?country=`. */
  readonly country: string | null;
  /** The path below which the service lies; empty at the root. */
  readonly base: string;
};

/** A page as it is sent. */
export type RenderedPage = {
  readonly html: string;
  readonly title: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly theme: string;
  /** Tokens in the look of the seller; empty without any. */
  readonly styles: string;
  /** What is said where scripts are off. */
  readonly noScript: string;
  /** What the browser goes on with, as JSON has it. */
  readonly first: unknown;
};
