import { useEffect } from 'react';
import { createStore } from '../../data/store.ts';
import type { PaletteEntry } from './entries.ts';

/** Actions of the current page. Actions of the component that was mounted last come first. */
export const pageActions = createStore<readonly (readonly PaletteEntry[])[]>([]);

/** Adds actions to the palette while the component is mounted. Pass the same array between renders unless the actions change. */
export function usePageActions(entries: readonly PaletteEntry[]): void {
  useEffect(() => {
    pageActions.set([entries, ...pageActions.get()]);
    return () => pageActions.set(pageActions.get().filter((each) => each !== entries));
  }, [entries]);
}
