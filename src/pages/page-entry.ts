import type { VNode } from 'preact';
import type { FirstAnswer } from '../web/page-renderer.ts';
import type { CurrentPage } from './data/current-page.ts';
import type { Branding } from './parts/frame.tsx';
import type { AreaName } from './words/areas.ts';

/** Branding and language in the response to a page's query. */
type PageLook = {
  /** Branding of the merchant. `null` if the page has no merchant. */
  readonly branding: Branding | null;
  /** Language of the page. `null` selects the browser's language. */
  readonly locale: string | null;
};

/** Page with its initial query and its component. */
export type PageEntry = {
  /** Area with the page's additional messages. Omitted if the page uses only the common messages. */
  readonly area?: AreaName;
  readonly questionOf: (
    token: string,
    link: string | null,
    section: string,
    country: string | null,
  ) => { readonly query: string; readonly variables: Readonly<Record<string, unknown>> } | null;
  readonly view: (answer: FirstAnswer) => VNode;
  readonly lookOf: (data: unknown) => PageLook;
  /** Returns the document title. `data` is `undefined` if there was no response. */
  readonly titleOf: (data: unknown, page: CurrentPage) => string;
};
