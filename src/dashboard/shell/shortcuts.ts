import { useEffect, useMemo } from 'react';
import { addressOf, type PlainPageName, plainPages } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { openAddress } from '../router-address.ts';
import { hasShortcuts, isFolded } from './display.ts';
import { isPaletteOpen, isShortcutListOpen, turnDrawer } from './open-panels.ts';
import { isOpenTo } from './sections.ts';

/** Maximum time between `g` and the next key, in milliseconds. */
const sequenceMs = 1_200;

/** True if the focused element handles keys itself, such as a field, menu, dialog or list. */
export const isBusy = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [role="textbox"]',
  ) !== null;

/** Returns the pages that the user can open in this environment with `g` and another key. */
export function usePageKeys(): readonly { readonly name: PlainPageName; readonly key: string }[] {
  const { role } = useViewer().membership;
  const where = useStore(environment);
  return useMemo(
    () =>
      plainPages.flatMap(([name, route]) =>
        route.shortcut === undefined || !isOpenTo(route, role, where) ? [] : [{ name, key: route.shortcut }],
      ),
    [role, where],
  );
}

/** Actions for single-letter shortcuts. */
const letters: Readonly<Record<string, () => void>> = {
  '?': () => isShortcutListOpen.set(true),
  '[': () => isFolded.set(!isFolded.get()),
  '`': turnDrawer,
  '/': () => document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus(),
};

/** Handles the keyboard shortcuts of the frame. */
export function useShortcuts(): void {
  const pageKeys = usePageKeys();
  useEffect(() => {
    let sequenceEnds = 0;
    const press = (event: KeyboardEvent): void => {
      const { key, target, timeStamp } = event;
      const hasModifier = event.metaKey || event.ctrlKey || event.altKey;
      if ((event.metaKey || event.ctrlKey) && !event.altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        isPaletteOpen.set(!isPaletteOpen.get());
        return;
      }
      if (hasModifier || event.defaultPrevented || isBusy(target) || !hasShortcuts.get()) return;
      if (timeStamp < sequenceEnds) {
        sequenceEnds = 0;
        const page = pageKeys.find((each) => each.key === key);
        if (page === undefined) return;
        event.preventDefault();
        openAddress(addressOf(page.name));
      } else if (key === 'g') sequenceEnds = timeStamp + sequenceMs;
      else if (letters[key] !== undefined) {
        event.preventDefault();
        letters[key]();
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [pageKeys]);
}
