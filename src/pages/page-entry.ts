import type { VNode } from 'preact';
import type { FirstAnswer } from '../web/page-renderer.ts';
import type { Branding } from './parts/frame.tsx';

/** How a page looks, from what the service answered. */
export type PageLook = {
  /** How the seller looks; null for a page of no seller. */
  readonly branding: Branding | null;
  /** The language of the page; null where the browser decides. */
  readonly locale: string | null;
  readonly title: string;
};

/** One page: what it asks the service first, and what it shows of the answer. */
export type PageEntry = {
  readonly questionOf: (
    token: string,
    link: string | null,
  ) => { readonly query: string; readonly variables: Readonly<Record<string, unknown>> } | null;
  readonly view: (answer: FirstAnswer) => VNode;
  readonly lookOf: (data: unknown) => PageLook;
};
