import { use } from 'react';
import { type Area, loadWords } from '../../words/words.ts';

/** Loads the messages of several areas before a page is shown, so that the page's components don't suspend later. */
export function useAllWords(areas: readonly Area[]): void {
  const loads: readonly Promise<unknown>[] = areas.map((area) => loadWords(area));
  for (const load of loads) use(load);
}
