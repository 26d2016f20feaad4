import { createStore } from '../data/store.ts';

// Panels that can be opened from several components.

export const isPaletteOpen = createStore(false);
export const isShortcutListOpen = createStore(false);
export const isPhoneMenuOpen = createStore(false);

/** Open tab of the developer panel. The URL determines the initial tab. `null` while the panel is closed. */
export const drawerTab = createStore<string | null>(new URLSearchParams(location.search).get('drawer'));

export const turnDrawer = (): void => drawerTab.set(drawerTab.get() === null ? 'query' : null);
