import type { VNode } from 'preact';
import type { FirstAnswer } from '../web/page-renderer.ts';
import type { CurrentPage } from './data/current-page.ts';
import type { Branding } from './parts/frame.tsx';
import type { AreaName } from './words/areas.ts';

/** How a page looks, from what the service answered. */
export type PageLook = {
  /** How the seller looks; null for a page of no seller. */
  readonly branding: Branding | null;
  /** The language of the page; null where the browser decides. */
  readonly locale: string | null;
};

/** One page: what it asks the service first, and what it shows of the answer. */
export type PageEntry = {
  /** The words it has besides those of every page; none when absent. */
  readonly area?: AreaName;
  readonly questionOf: (
    token: string,
    link: string | null,
    section: string,
    country: string | null,
  ) => { readonly query: string; readonly variables: Readonly<Record<string, unknown>> } | null;
  readonly view: (answer: FirstAnswer) => VNode;
  readonly lookOf: (data: unknown) => PageLook;
  /** What the window is called; `data` is undefined where the service did not answer. */
  readonly titleOf: (data: unknown, page: CurrentPage) => string;
};
