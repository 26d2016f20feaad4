import type { ComponentType } from 'react';
import type { titles } from './words/en/titles.ts';

type Titles = Omit<typeof titles, 'groups'>;

/** Groups of the navigation, in order of it. */
export type Group = keyof (typeof titles)['groups'];

/** Icons of the navigation. */
export type Icon =
  | 'home'
  | 'customers'
  | 'subscriptions'
  | 'catalog'
  | 'billing'
  | 'usage'
  | 'reports'
  | 'books'
  | 'time'
  | 'developers'
  | 'settings';

/** A page as the list of pages has it. */
export type PageRoute = {
  /** Its path below the environment; `$id` stands for one segment. */
  readonly path: string;
  /** Loads the module whose default export is the page. */
  readonly load: () => Promise<unknown>;
  /** The group it is listed under in the navigation. */
  readonly group?: Group;
  /** Its icon where it stands in the navigation without a group. A page with neither is reached from others. */
  readonly icon?: Icon;
  /** The page whose entry in the navigation is marked while this one is open. */
  readonly parent?: keyof Titles;
  /** The key after `g` that opens it. */
  readonly shortcut?: string;
  /** The least role that may open it; any member unless given. */
  readonly role?: 'admin' | 'owner';
  /** The only environment it is in. */
  readonly environment?: 'sandbox' | 'live';
};

/** What a page's module exports as `default`. */
export type Page = ComponentType;

/** Types the list of pages: each has a title in `words/en/titles.ts` under its name. */
export const pages = <const Routes extends { readonly [Name in keyof Titles]?: PageRoute }>(
  routes: Routes,
): Routes => routes;
