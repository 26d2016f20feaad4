import { useEffect } from 'react';
import { createStore } from '../../data/store.ts';
import type { PaletteEntry } from './entries.ts';

/** Actions of the page on screen, first those of the part shown last. */
export const pageActions = createStore<readonly (readonly PaletteEntry[])[]>([]);

/** Offers actions of the page in the palette while the part is on screen. Keep the list the same between renders where nothing changed. */
export function usePageActions(entries: readonly PaletteEntry[]): void {
  useEffect(() => {
    pageActions.set([entries, ...pageActions.get()]);
    return () => pageActions.set(pageActions.get().filter((each) => each !== entries));
  }, [entries]);
}
