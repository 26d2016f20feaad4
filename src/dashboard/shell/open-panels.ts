import { createStore } from '../data/store.ts';

// What lies over or below the page, and is opened from several places.

export const isPaletteOpen = createStore(false);
export const isShortcutListOpen = createStore(false);
export const isPhoneMenuOpen = createStore(false);

/** The tab of the drawer on show, at first the one the address names; null while it is closed. */
export const drawerTab = createStore<string | null>(new URLSearchParams(location.search).get('drawer'));

export const turnDrawer = (): void => drawerTab.set(drawerTab.get() === null ? 'query' : null);
