import { base } from './data/place.ts';
import { createStore } from './data/store.ts';

/** Navigates to a URL of the dashboard without loading a document. The router replaces the initial value. */
export const push = createStore<(href: string) => void>((href) => location.assign(href));

type Preloader = { readonly preloadRoute: (options: { readonly to: string }) => Promise<unknown> };

/** Loads the script of the page at a path in advance. Ignores paths outside the dashboard. */
export function preloadPage(router: Preloader, path: string): void {
  const root = `${base}/dashboard`;
  if (!path.startsWith(`${root}/`)) return;
  router.preloadRoute({ to: path.slice(root.length) }).catch(() => undefined);
}

/** Navigates to a URL. URLs of the dashboard open without loading a document. */
export function openAddress(href: string): void {
  const { pathname, origin, search, hash } = new URL(href, location.href);
  const isOurs = origin === location.origin && `${pathname}/`.startsWith(`${base}/dashboard/`);
  if (isOurs) push.get()(`${pathname}${search}${hash}`);
  else location.assign(href);
}
