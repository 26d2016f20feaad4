import { base } from './data/place.ts';
import { createStore } from './data/store.ts';

/** Opens an address of the dashboard without loading a document; set by the router. */
export const push = createStore<(href: string) => void>((href) => location.assign(href));

type Preloader = { readonly preloadRoute: (options: { readonly to: string }) => Promise<unknown> };

/** Loads the script of the page at a path, so that it is there when the page is opened. Does nothing for paths outside of the dashboard. */
export function preloadPage(router: Preloader, path: string): void {
  const root = `${base}/dashboard`;
  if (!path.startsWith(`${root}/`)) return;
  router.preloadRoute({ to: path.slice(root.length) }).catch(() => undefined);
}

/** Opens an address: one of the dashboard without loading a document. */
export function openAddress(href: string): void {
  const { pathname, origin, search, hash } = new URL(href, location.href);
  const isOurs = origin === location.origin && `${pathname}/`.startsWith(`${base}/dashboard/`);
  if (isOurs) push.get()(`${pathname}${search}${hash}`);
  else location.assign(href);
}
