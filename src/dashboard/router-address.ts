import { base } from './data/place.ts';
import { createStore } from './data/store.ts';

/** Opens an address of the dashboard without loading a document; set by the router. */
export const push = createStore<(href: string) => void>((href) => location.assign(href));

/** Opens an address: one of the dashboard without loading a document. */
export function openAddress(href: string): void {
  const { pathname, origin, search, hash } = new URL(href, location.href);
  const isOurs = origin === location.origin && `${pathname}/`.startsWith(`${base}/dashboard/`);
  if (isOurs) push.get()(`${pathname}${search}${hash}`);
  else location.assign(href);
}
