import type { LimitedRole } from '../domain/limits/member-roles.ts';
import type { Messages } from '../generated/messages/dashboard.ts';

type Titles = Omit<Messages['titles'], 'groups'>;

/** Groups of the navigation. */
export type Group = keyof Messages['titles']['groups'];

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

export type PageRoute = {
  /** Path below the environment. `$id` matches one segment. */
  readonly path: string;
  /** Navigation group of the page. */
  readonly group?: Group;
  /** Icon of a page with its own entry in the navigation, outside of groups. Pages with neither a group nor an icon are opened from other pages. */
  readonly icon?: Icon;
  /** Page whose navigation entry is highlighted while this page is open. */
  readonly parent?: keyof Titles;
  /** Key that opens the page when it is pressed after `g`. */
  readonly shortcut?: string;
  /** Lowest role that can open the page, which excludes the limited roles. Defaults to all roles. */
  readonly role?: 'admin' | 'owner';
  /** Limited roles that can't open the page. */
  readonly hiddenFrom?: readonly LimitedRole[];
  /** Environment where the page exists. Defaults to both environments. */
  readonly environment?: 'sandbox' | 'live';
};

/** Checks that `words/en/titles.json` contains a title for each page. */
export const pages = <const Routes extends { readonly [Name in keyof Titles]?: PageRoute }>(
  routes: Routes,
): Routes => routes;
