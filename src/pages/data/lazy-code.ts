import { useEffect, useState } from 'preact/hooks';
import type { ErrorTexts } from '../sentences.ts';
import type { CatalogModule } from '../start.tsx';
import type { Errors } from '../words/areas.ts';
import { currentPage } from './current-page.ts';
import { DisplayedError, NoAnswer } from './service.ts';

// Loads code and messages that a page needs only after the first interaction: requests, card number formatting, errors. Loading starts when the
// page is first touched.

/** Lazily loaded code, and all messages of the page. */
export type LazyCode = typeof import('./lazy-exports.ts') & { readonly words: ErrorTexts };

const catalogs = import.meta.glob<CatalogModule<Errors>>('../words/*/errors.json');

let loading: Promise<LazyCode> | null = null;
let loaded: LazyCode | null = null;

async function load(): Promise<LazyCode> {
  const { language, merchant, words } = currentPage();
  try {
    const [code, catalog] = await Promise.all([
      import('./lazy-exports.ts'),
      catalogs[`../words/${language}/errors.json`]?.(),
    ]);
    if (catalog === undefined) throw new Error(`There are no words about errors in ${language}.`);
    loaded = { ...code, words: { ...words, ...catalog.default, merchant } };
    return loaded;
  } catch {
    loading = null;
    // After a deployment, the files of a previously loaded page no longer exist.
    throw navigator.onLine ? new DisplayedError(words.unknownError) : new NoAnswer();
  }
}

/** Returns the loaded code. If the load fails, throws the error to display, and the next call loads it again. */
export function loadCode(): Promise<LazyCode> {
  loading ??= load();
  return loading;
}

/** Returns the code if it's already loaded. Otherwise, returns `null`. */
export const loadedCode = (): LazyCode | null => loaded;

/** Loads the code for a component. Returns `null` until it's loaded. */
export function useLazyCode(): LazyCode | null {
  const [code, setCode] = useState(loaded);
  useEffect(() => {
    if (code === null) loadCode().then(setCode, () => undefined);
  }, [code]);
  return code;
}

/** Starts loading when the page is first touched. */
export function loadAtFirstTouch(): void {
  for (const type of ['pointerdown', 'focusin', 'input'])
    addEventListener(type, () => void loadCode().catch(() => undefined), { once: true });
}
