import type { RouterHistory } from '@tanstack/react-router';
import { hasUnsavedWork, mayDiscard, onUnsavedWork, type Surface } from '../kit/unsaved-work.ts';

/** Query parameters that change while a sheet or dialog stays open. */
const unrelated: ReadonlySet<string> = new Set(['drawer', 'at']);

const searchText = (search: string): string =>
  new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => !unrelated.has(name))).toString();

type Place = { readonly pathname: string; readonly search: string };

/**
 * Returns a function that checks whether a navigation closes a surface. Another path closes everything. Other query parameters close sheets and
 * dialogs, because the query string contains the open sheet.
 */
const closes =
  (from: Place, to: Place) =>
  (surface: Surface): boolean =>
    from.pathname !== to.pathname || (surface !== null && searchText(from.search) !== searchText(to.search));

/** Asks before a navigation loses unsaved work. While there is unsaved work, the browser also asks before the tab closes. */
export function guardUnsavedWork(history: RouterHistory): void {
  let unblock: (() => void) | null = null;
  onUnsavedWork(() => {
    if (hasUnsavedWork() === (unblock !== null)) return;
    if (unblock === null)
      unblock = history.block({
        blockerFn: async ({ currentLocation, nextLocation }) =>
          !(await mayDiscard(closes(currentLocation, nextLocation))),
        enableBeforeUnload: true,
      });
    else {
      unblock();
      unblock = null;
    }
  });
}
