import { useEffect, useState } from 'preact/hooks';
import type { Errors } from '../words/areas.ts';
import type { Words } from '../words/en.ts';
import { currentPage } from './current-page.ts';
import { NoAnswer, Said } from './service.ts';

// What a page needs only once something is done on it: how a step is sent, how a card number is written, what went wrong in words. It is loaded with
// the first touch, so that it is there when it is wanted.

/** The code of steps, and everything a page says. */
export type Acting = typeof import('./acting.ts') & { readonly said: Words & Errors };

const catalogs = import.meta.glob<{ readonly words: Errors }>('../words/errors/*.ts');

let loading: Promise<Acting> | null = null;
let loaded: Acting | null = null;

async function load(): Promise<Acting> {
  const { language, words } = currentPage();
  try {
    const [code, catalog] = await Promise.all([
      import('./acting.ts'),
      catalogs[`../words/errors/${language}.ts`]?.(),
    ]);
    if (catalog === undefined) throw new Error(`There are no words about errors in ${language}.`);
    loaded = { ...code, said: { ...words, ...catalog.words } };
    return loaded;
  } catch {
    loading = null;
    // A page that was loaded before the service changed finds its files no more.
    throw navigator.onLine ? new Said(words.unknownError) : new NoAnswer();
  }
}

/** Loads it once. Throws where it cannot be loaded what is said about that; the next call tries again. */
export function acting(): Promise<Acting> {
  loading ??= load();
  return loading;
}

/** The same as far as it is loaded by now; null before. */
export const actingNow = (): Acting | null => loaded;

/** The same for a part of a page, which loads it where it is not there; null until then. */
export function useActing(): Acting | null {
  const [code, setCode] = useState(loaded);
  useEffect(() => {
    if (code === null) acting().then(setCode, () => undefined);
  }, [code]);
  return code;
}

/** Loads it with the first touch of the page. */
export function loadAtFirstTouch(): void {
  for (const type of ['pointerdown', 'focusin', 'input'])
    addEventListener(type, () => void acting().catch(() => undefined), { once: true });
}
