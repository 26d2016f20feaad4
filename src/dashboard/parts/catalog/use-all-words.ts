import { use } from 'react';
import { loadWords } from '../../words/words.ts';

/** Loads the words of several areas at once, so that no part of a page has to wait for its own after the page is shown. */
export function useAllWords(areas: readonly string[]): void {
  const loads = areas.map(loadWords);
  for (const load of loads) use(load);
}
